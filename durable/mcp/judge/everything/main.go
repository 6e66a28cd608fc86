// Command everything is the module of the agents that the official SDK is a peer of: the one that has
// everything that the conformance suite wants, and one that uses a server of the SDK.
package main

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/model/demo"
	"github.com/tributary-agents/tributary/e2e/mcp/agents"
	"github.com/tributary-agents/tributary/wasm/guest"
)

// request is a call of a tool of the server.
type request struct {
	Tool  string         `json:"tool"`
	Input map[string]any `json:"input"`
}

// relay calls the server for a program that calls the agent.
var relay = agent.NewTool("relay", "Calls a tool of the server.", func(c *agent.Context, in request) (string, error) {
	r, err := c.MCP("sdk").Call(in.Tool, in.Input)
	if err != nil {
		return "", err
	}
	if r.Structured != nil {
		return string(r.Structured), nil
	}
	return r.Text, nil
})

// offered reads what the server offers beside tools.
var offered = agent.NewTool("read", "Reads a resource of the server, and a prompt.", func(c *agent.Context, _ struct{}) (string, error) {
	contents, err := c.MCP("sdk").Read("book://1")
	if err != nil {
		return "", err
	}
	messages, err := c.MCP("sdk").Prompt("about", map[string]string{"topic": "Go"})
	if err != nil {
		return "", err
	}
	said, err := json.Marshal([]string{contents[0].Text, messages[0].Text})
	return string(said), err
})

func init() {
	user := agent.Agent{
		Name: "User", Tools: []agent.Tool{relay, offered},
		MCP:    &agent.MCP{Servers: []agent.MCPServer{{Name: "sdk", URL: "https://sdk.test/mcp", Header: []durable.Header{{Name: "authorization", Value: "Bearer kept"}}}}},
		Expose: &agent.Expose{Tools: []string{"relay", "read"}},
	}
	guest.Serve(append(agents.Classes(), chat.Class(user, demo.Provider))...)
}

func main() {}
