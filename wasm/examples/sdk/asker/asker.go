// Package asker is the agent that asks a model through an SDK, whichever that is, inside of
// tools.
package asker

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/model/demo"
)

// Question is what the tools are given.
type Question struct {
	Text string `json:"text" jsonschema:"what to ask"`
}

// Ask asks a model.
type Ask func(*agent.Context, Question) (string, error)

// Class is an agent with a tool for each way to ask, and one that asks twice.
func Class(answer, stream Ask) durable.Class {
	return chat.Class(agent.Agent{
		Name:         "Asker",
		Instructions: "Ask whom you are told to ask.",
		Tools: []agent.Tool{
			agent.NewTool("answer", "Asks a model.", answer),
			agent.NewTool("stream", "Asks a model for a stream.", stream),
			agent.NewTool("twice", "Asks a model, and then asks it again.", answer.twice),
		},
	}, demo.Provider)
}

// twice shows that a tool which lost its instance behind the first answer does not ask
// for that again.
func (ask Ask) twice(c *agent.Context, in Question) ([]string, error) {
	first, err := ask(c, in)
	if err != nil {
		return nil, err
	}
	second, err := ask(c, in)
	return []string{first, second}, err
}
