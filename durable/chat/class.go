package chat

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/model"
)

// DefaultProviders are the providers for every [Class] that is given none. The list is empty unless
// an application sets it before it calls Class.
var DefaultProviders model.Providers

// Class returns the class that a module registers for the agent. A deployment chooses the agent's
// model from the providers, see [model.Providers]. Without providers it chooses from
// [DefaultProviders]. An agent with a Model or a Program of its own needs none. The module contains
// only the providers that the application names.
//
// Class panics if the agent has a Program and is not a Helper, if it has no Model, no Program and
// no providers, if its DuringTurn is not a policy, or if its Version or what a page shows before the
// first message is longer than package agent says. It also panics if a server of its MCP has a name that
// package agent does not allow, or that another one has.
func Class(a agent.Agent, providers ...model.Provider) durable.Class {
	if a.Program != nil && !a.Helper {
		panic("chat: " + a.Name + " is a program and has to be declared as a helper")
	}
	if len(providers) == 0 {
		providers = DefaultProviders
	}
	if a.Program == nil && a.Model == nil && len(providers) == 0 {
		panic("chat: " + a.Name + " has no model: give Class the providers that a deployment can choose from")
	}
	if !a.DuringTurn.Valid() {
		panic("chat: " + a.Name + " has the policy " + string(a.DuringTurn) + ", which there is not")
	}
	if len(a.Version) > maxVersion {
		panic(fmt.Sprintf("chat: %s has a version of %d bytes, at most %d", a.Name, len(a.Version), maxVersion))
	}
	if err := checkWelcome(a); err != nil {
		panic("chat: " + a.Name + " " + err.Error())
	}
	if err := author.Bind.CheckExposed(a); err != nil {
		panic("chat: " + a.Name + " " + err.Error())
	}
	open := openerOf(a, providers)
	methods := slices.Collect(maps.Keys(a.Methods))
	var check func(func(string) string, func(string) bool) error
	if a.MCP != nil {
		servers := newObject(a, open).servers // panics if the servers cannot be used
		check = servers.Check
		for _, name := range servers.Methods() {
			if _, own := a.Methods[name]; !own {
				methods = append(methods, name)
			}
		}
	}
	slices.Sort(methods)
	return durable.Class{
		Name: a.Name, Helper: a.Helper, New: func() durable.Object { return newObject(a, open) },
		Title: a.Title, Description: a.Description, Suggestions: a.Suggestions, Agent: a,
		Methods: methods, Exposed: a.Expose != nil, Check: check,
	}
}

// maxVersion is how long an agent's version may be, in bytes.
const maxVersion = 128

// opener chooses the model by the deployment's variables and the names of its secrets. Its error is
// shown to the person who asks.
type opener func(vars map[string]string, secrets []string) (model.Model, error)

// openerOf returns the opener of the agent's own model, or of the one that the deployment chooses.
func openerOf(a agent.Agent, providers model.Providers) opener {
	if a.Model == nil {
		return providers.Open
	}
	return func(map[string]string, []string) (model.Model, error) { return a.Model, nil }
}

// The limits of what a page shows before the first message; lengths are in characters.
const (
	maxDescription = 500
	maxSuggestions = 8
	maxSuggestion  = 200
)

// checkWelcome reports what is wrong with an agent's description or suggestions. The error reads
// after the agent's name.
func checkWelcome(a agent.Agent) error {
	if n := utf8.RuneCountInString(a.Description); n > maxDescription {
		return fmt.Errorf("has a Description of %d characters, not of at most %d", n, maxDescription)
	}
	if n := len(a.Suggestions); n > maxSuggestions {
		return fmt.Errorf("has %d Suggestions, not at most %d", n, maxSuggestions)
	}
	for _, text := range a.Suggestions {
		if strings.TrimSpace(text) == "" {
			return errors.New("has a suggestion without words")
		}
		if n := utf8.RuneCountInString(text); n > maxSuggestion {
			return fmt.Errorf("has a suggestion of %d characters, not of at most %d", n, maxSuggestion)
		}
	}
	return nil
}
