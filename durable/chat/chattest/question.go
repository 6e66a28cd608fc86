package chattest

import (
	"encoding/json"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
)

// inquirer is a conversation with a tool that asks a person, and one whose helper does.
var inquirer = agent.Agent{
	Name: "Inquirer",
	Tools: []agent.Tool{
		{Name: "research", Run: inquire},
		{Name: "compare", Run: func(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
			return outcomes(ask(c, "Surveyor", input, "a"))
		}},
	},
}

// surveyor is a program that asks a person.
var surveyor = agent.Agent{Name: "Surveyor", Helper: true, Program: inquire}

// inquire asks for yes or no, and then for a form.
func inquire(c *agent.Context, _ json.RawMessage) (json.RawMessage, error) {
	yes, err := agent.Ask[bool](c, agent.Question{Title: "Go on?", Expires: time.Hour})
	if err != nil || yes.Denied {
		return json.RawMessage(`"no"`), err
	}
	who, err := agent.Ask[struct {
		Name string `json:"name"`
	}](c, agent.Question{Title: "Who comes?", Text: "One name is enough."})
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]any{"name": who.Value.Name, "denied": who.Denied, "reason": who.Reason})
}
