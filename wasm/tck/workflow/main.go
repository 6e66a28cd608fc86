// Command workflow is the module of the test with the platform's own Workflows: an agent whose tool
// runs one.
package main

import (
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/model/demo"
	"github.com/tributary-agents/tributary/wasm/guest"
)

type question struct {
	Query string `json:"query"`
}

// report runs a Workflow with the question.
func report(c *agent.Context, in question) (any, error) {
	return agent.RunCloudflare[any](c, "REPORTS", in, agent.CloudflareOptions{})
}

func init() {
	guest.Serve(chat.Class(agent.Agent{
		Name:  "Assistant",
		Tools: []agent.Tool{agent.NewTool("research", "Writes a report.", report)},
	}, demo.Provider))
}

func main() {}
