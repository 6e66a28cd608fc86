package classes

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
)

var identifier = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$]*$`)

// reserved are the identifiers that no class of a JavaScript module can have, and the names that
// the Worker's file imports.
var reserved = strings.Fields(`
	arguments await break case catch class const continue debugger default delete do else enum eval export extends false
	finally for function if implements import in instanceof interface let new null package private protected public return
	static super switch this throw true try typeof undefined var void while with yield
	ModuleObject about agents door engine env prepare provideEngine serve`)

// checkNames refuses names that are not valid in JavaScript or not unique.
func checkNames(classes []durable.Class) error {
	var errs []error
	known, roots := map[string]bool{}, map[string]string{}
	for _, c := range classes {
		segment := protocol.Kebab(c.Name)
		switch taken := roots[segment]; {
		case !identifier.MatchString(c.Name) || slices.Contains(reserved, c.Name):
			errs = append(errs, fmt.Errorf("class %q: this name cannot be that of a JavaScript class: give the agent another Name", c.Name))
		case known[c.Name]:
			errs = append(errs, fmt.Errorf("class %s is listed twice: give tributary.Serve one of them, or give it another Name", c.Name))
		case !c.Helper && taken != "":
			errs = append(errs, fmt.Errorf("class %s: /agents/%s leads to %s already: give the agent another Name", c.Name, segment, taken))
		}
		known[c.Name] = true
		if !c.Helper {
			roots[segment] = c.Name
		}
	}
	return errors.Join(errs...)
}
