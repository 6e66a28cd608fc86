// Command sdk is a module whose agent asks models through the official SDKs of OpenAI
// and Anthropic, inside of tools. It has a go.mod of its own: what it needs is no part of
// Tributary.
package main

import (
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/wasm/guest"
)

// Asker answers by asking others. Its own words come from the deployment's model.
var Asker = agent.Agent{
	Name:         "Asker",
	Instructions: "Ask whom you are told to ask.",
	Tools: []agent.Tool{
		agent.NewTool("openai", "Asks a model of OpenAI's.", openaiAnswer),
		agent.NewTool("openai_stream", "Asks a model of OpenAI's for a stream.", openaiStream),
		agent.NewTool("anthropic", "Asks a model of Anthropic's.", anthropicAnswer),
		agent.NewTool("anthropic_stream", "Asks a model of Anthropic's for a stream.", anthropicStream),
		agent.NewTool("both", "Asks one of each, one after the other.", both),
	},
}

type question struct {
	Text string `json:"text" jsonschema:"what to ask"`
}

// both shows that a tool which lost its instance behind the first answer is not given
// that twice.
func both(c *agent.Context, in question) ([]string, error) {
	first, err := openaiAnswer(c, in)
	if err != nil {
		return nil, err
	}
	second, err := anthropicAnswer(c, in)
	return []string{first, second}, err
}

func init() { guest.Serve(Asker.Class()) }

func main() {}
