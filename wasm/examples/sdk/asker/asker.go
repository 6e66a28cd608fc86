// Package asker is an agent whose tools ask a model through an SDK.
package asker

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/model/demo"
)

// Question is the input of the tools.
type Question struct {
	Text string `json:"text" jsonschema:"what to ask"`
}

// Ask asks a model.
type Ask func(*agent.Context, Question) (string, error)

// Class is an agent with a tool for each way to ask, and a tool that asks twice.
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

// twice asks two questions. If the instance is lost after the first answer, the first question is
// not asked again.
func (ask Ask) twice(c *agent.Context, in Question) ([]string, error) {
	first, err := ask(c, in)
	if err != nil {
		return nil, err
	}
	second, err := ask(c, in)
	return []string{first, second}, err
}
