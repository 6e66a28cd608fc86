package classes

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// checkConfig reports what is missing in a configuration for the classes, and what must be removed,
// each with the lines to change. A helper needs neither a binding nor a migration: so it is with
// Wrangler 4.164, and in the platform's documents.
func checkConfig(c config, classes []durable.Class) error {
	helper := map[string]bool{}
	for _, class := range classes {
		helper[class.Name] = class.Helper
	}
	var problems []string
	for _, b := range c.DurableObjects.Bindings {
		problems = append(problems, b.check(helper)...)
	}
	for _, class := range classes {
		if !class.Helper {
			problems = append(problems, c.checkRoot(class.Name)...)
		}
	}
	problems = append(problems, c.checkLeftOver(helper)...)
	errs := make([]error, len(problems))
	for i, p := range problems {
		errs[i] = errors.New(configFile + ": " + p)
	}
	return errors.Join(errs...)
}

// check reports a binding to a class that Go does not have, or that may not be reached from
// outside.
func (b binding) check(helper map[string]bool) []string {
	isHelper, known := helper[b.Class]
	switch {
	case b.Script != "":
		return nil
	case !known:
		return []string{fmt.Sprintf("binding %q is to a class that Go does not have, %s: "+
			"take the binding out of durable_objects.bindings, or give the class to tributary.Serve", b.Name, b.Class)}
	case isHelper:
		return []string{fmt.Sprintf("binding %q opens the helper %s to everybody: "+
			"take it out of durable_objects.bindings, a helper is reached through its parent", b.Name, b.Class)}
	}
	return nil
}

// checkRoot reports a root class without a binding or without storage.
func (c config) checkRoot(class string) []string {
	var problems []string
	bound := slices.ContainsFunc(c.DurableObjects.Bindings, func(b binding) bool { return b.Script == "" && b.Class == class })
	if !bound {
		problems = append(problems, fmt.Sprintf("class %s has no binding, so that nobody can reach it. Add to durable_objects.bindings:\n"+
			"\t{ \"name\": %q, \"class_name\": %q }", class, class, class))
	}
	switch kind, known := c.storage()[class]; {
	case !known && len(c.Exports) > 0:
		problems = append(problems, fmt.Sprintf("class %s has no storage. Add to exports:\n"+
			"\t%q: { \"type\": \"durable-object\", \"storage\": \"sqlite\" }", class, class))
	case !known:
		problems = append(problems, fmt.Sprintf("class %s has no storage. Add to migrations:\n"+
			"\t{ \"tag\": %q, \"new_sqlite_classes\": [%q] }", class, c.nextTag(), class))
	case kind != sqlite:
		problems = append(problems, fmt.Sprintf("class %s has storage without SQL: write new_sqlite_classes in place of new_classes "+
			"(or sqlite for its storage in exports). Once deployed it stays what it is, and needs another name", class))
	}
	return problems
}

// checkLeftOver reports storage of classes that Go does not have.
func (c config) checkLeftOver(helper map[string]bool) []string {
	var problems []string
	for _, class := range slices.Sorted(maps.Keys(c.storage())) {
		if _, known := helper[class]; known {
			continue
		}
		order := fmt.Sprintf("migrations:\n\t{ \"tag\": %q, \"deleted_classes\": [%q] }", c.nextTag(), class)
		if len(c.Exports) > 0 {
			order = fmt.Sprintf("exports:\n\t%q: { \"type\": \"durable-object\", \"state\": \"deleted\" }", class)
		}
		problems = append(problems, fmt.Sprintf("class %s has storage, and Go does not have the class. Take it out if it was never deployed; "+
			"to delete its objects for ever, say so in %s", class, order))
	}
	return problems
}

// nextTag returns the tag of the next migration: v3 after v2. If the last tag is no such number, it
// gets a suffix.
func (c config) nextTag() string {
	if len(c.Migrations) == 0 {
		return "v1"
	}
	last := c.Migrations[len(c.Migrations)-1].Tag
	if n, err := strconv.Atoi(strings.TrimPrefix(last, "v")); err == nil {
		return "v" + strconv.Itoa(n+1)
	}
	return last + "-next"
}
