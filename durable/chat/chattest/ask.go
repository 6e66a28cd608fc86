package chattest

import (
	"encoding/json"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
)

// asker is a conversation with a tool that needs a person's approval, and one that runs in the
// browser.
var asker = agent.Agent{
	Name: "Asker",
	Tools: []agent.Tool{
		{Name: "research", Approval: always, Run: echo},
		{Name: "plan", Client: true},
		{Name: "compare", Run: func(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
			return outcomes(ask(c, "Careful", input, "a"))
		}},
	},
}

// careful is a helper that asks before it searches.
var careful = agent.Agent{
	Name: "Careful", Helper: true,
	Tools: []agent.Tool{{Name: "web_search", Approval: always, Run: echo}},
}

func always(json.RawMessage) bool { return true }

// echo takes a second, so that something can happen in the meantime.
func echo(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
	return input, flow.Sleep(c, time.Second)
}
