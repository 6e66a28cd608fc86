package chat_test

import (
	"github.com/tributary-agents/tributary/durable/agent"
)

// codeAgent has tools whose code calls servers.
func codeAgent() agent.Agent {
	a := docsAgent()
	a.Tools = []agent.Tool{
		agent.NewTool("twice", "", func(c *agent.Context, _ struct{}) (string, error) {
			var last error
			for _, q := range []string{"first", "second"} {
				_, last = c.MCP("docs").Call("search", map[string]string{"q": q})
			}
			return "", last
		}),
	}
	return a
}
