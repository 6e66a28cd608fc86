package model

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
)

// Tool is a tool that the model may call.
type Tool struct {
	Function struct {
		Name       string     `json:"name"`
		Parameters Parameters `json:"parameters"`
	} `json:"function"`
}

// Parameters is the JSON Schema of a tool's input.
type Parameters struct {
	// Properties are the types of its properties. One that has several types, or none, has the type
	// "".
	Properties map[string]string
	schema     json.RawMessage
}

// UnmarshalJSON reads any schema.
func (p *Parameters) UnmarshalJSON(text []byte) error {
	p.Properties, p.schema = map[string]string{}, bytes.Clone(text)
	var s struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(text, &s) != nil { // the schemas true and false have no properties
		return nil
	}
	for name, property := range s.Properties {
		var kind struct {
			Type any `json:"type"`
		}
		_ = json.Unmarshal(property, &kind)
		p.Properties[name], _ = kind.Type.(string)
	}
	return nil
}

func (t Tool) asksPerson() bool { return contract.AsksPerson(t.Function.Name) }

// isAction says whether the tool acts once for a wish.
func (t Tool) isAction() bool { return contract.IsAction(t.Function.Name) }

// usable returns the tools whose parameters are all strings, but for the one that runs code: see
// [Server.coder]. The others are there for developers.
func usable(tools []Tool) []Tool {
	return slices.DeleteFunc(slices.Clone(tools), func(t Tool) bool {
		if t.Function.Name == contract.Code || contract.ForPrograms(t.Function.Name) {
			return true
		}
		for _, p := range t.Function.Parameters.Properties {
			if !strings.EqualFold(p, "string") {
				return true
			}
		}
		return false
	})
}

// forPeople returns the tools with which the model can ask people something.
func forPeople(tools []Tool) []Tool {
	return slices.DeleteFunc(slices.Clone(tools), func(t Tool) bool {
		_, file := t.Function.Parameters.Properties["path"]
		return !t.asksPerson() && !file
	})
}

// planning returns the tool whose helper asks people, if there is one, or else all of them.
func planning(tools []Tool) []Tool {
	if i := slices.IndexFunc(tools, func(t Tool) bool { return t.Function.Name == "plan" }); i >= 0 {
		return tools[i : i+1]
	}
	return tools
}

// preferred returns only the tools of servers, most of the time if there are any, and half of the time only those
// that send helpers to servers. Otherwise it returns only the tools of the workshop and of the office, half
// of the time if there are any, and more often if there is an office. The one that traps is seldom among
// them.
func preferred(d dice.Dice, tools []Tool) []Tool {
	if served := slices.DeleteFunc(slices.Clone(tools), func(t Tool) bool { return !contract.IsServed(t.Function.Name) }); len(served) > 0 && !d.Chance(4) {
		if some := sending(served); len(some) > 0 && d.Chance(2) {
			return some
		}
		return served
	}
	own := slices.DeleteFunc(slices.Clone(tools), func(t Tool) bool {
		return !contract.InWorkshop(t.Function.Name) && !contract.InOffice(t.Function.Name)
	})
	often := 2
	if slices.ContainsFunc(own, func(t Tool) bool { return contract.InOffice(t.Function.Name) }) {
		often = 6
	}
	if len(own) == 0 || d.Chance(often) {
		return tools
	}
	if !d.Chance(4) {
		own = slices.DeleteFunc(own, func(t Tool) bool { return t.Function.Name == contract.Mine })
	}
	return own
}

// sending returns the tools that send helpers to servers.
func sending(tools []Tool) []Tool {
	return slices.DeleteFunc(slices.Clone(tools), func(t Tool) bool { return !contract.Sends(t.Function.Name) })
}
