// Command openai is a module whose agent asks a model through OpenAI's own SDK, inside of
// tools.
package main

import (
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/wasm/guest"
)

var asker = agent.Agent{
	Name:         "Asker",
	Instructions: "Ask whom you are told to ask.",
	Tools: []agent.Tool{
		agent.NewTool("answer", "Asks a model.", answer),
		agent.NewTool("stream", "Asks a model for a stream.", stream),
		agent.NewTool("twice", "Asks a model, and then asks it again.", twice),
	},
}

type question struct {
	Text string `json:"text" jsonschema:"what to ask"`
}

// twice shows that a tool which lost its instance behind the first answer does not ask
// for that again.
func twice(c *agent.Context, in question) ([]string, error) {
	first, err := answer(c, in)
	if err != nil {
		return nil, err
	}
	second, err := answer(c, in)
	return []string{first, second}, err
}

func init() { guest.Serve(asker.Class()) }

func main() {}
