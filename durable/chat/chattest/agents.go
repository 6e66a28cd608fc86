package chattest

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
)

// Subject is a conversation with methods of every kind.
var Subject = agent.Agent{
	Name:         "TestAgent",
	Instructions: "Be brief.",
	Methods: map[string]agent.Method{
		"usage":   func(c *agent.Call) (any, error) { return c.Usage(), nil },
		"nothing": func(*agent.Call) (any, error) { return nil, nil },
		"read":    func(c *agent.Call) (any, error) { return c.State(), nil },
		"count": func(c *agent.Call) (any, error) {
			var n int
			if err := c.Arg(0, &n); err != nil {
				return nil, err
			}
			for i := range n {
				if err := c.Emit(i + 1); err != nil {
					return nil, err
				}
			}
			return "ok", nil
		},
		"publish": func(c *agent.Call) (any, error) {
			var state any
			if err := c.Arg(0, &state); err != nil {
				return nil, err
			}
			return nil, c.SetState(state)
		},
	},
	AcceptState: func(state json.RawMessage) error {
		if string(state) == `"refused"` {
			return errors.New("not this one")
		}
		return nil
	},
}

// worker is a conversation with slow tools, under the names that the demo model knows.
var worker = agent.Agent{
	Name: "Worker",
	Tools: []agent.Tool{
		{Name: "research", Run: func(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
			n, err := flow.Step(c, "look up", func(tx *durable.Tx) (string, error) { return tx.NewID(), nil })
			if err == nil {
				err = flow.Sleep(c, time.Hour)
			}
			if err != nil {
				return nil, err
			}
			return json.Marshal(map[string]any{"summary": "found " + n, "input": input})
		}},
		{Name: "plan", Run: func(*agent.Context, json.RawMessage) (json.RawMessage, error) {
			return nil, errors.New("no plan survives")
		}},
		{Name: "compare", Run: func(*agent.Context, json.RawMessage) (json.RawMessage, error) {
			return json.Marshal(strings.Repeat("x", limit.Output))
		}},
	},
}

// boss is a conversation whose tools are helpers.
var boss = agent.Agent{
	Name:    "Boss",
	Methods: map[string]agent.Method{"trap": trap},
	Tools: []agent.Tool{
		{Name: "research", Run: func(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
			return outcomes(ask(c, "Helper", input, "query"))
		}},
		{Name: "plan", Run: func(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
			return outcomes(ask(c, "Nobody", input, "description"))
		}},
		{Name: "compare", Run: func(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
			return outcomes(ask(c, "Helper", input, "a"), ask(c, "Helper", input, "b"))
		}},
	},
}

var helper = agent.Agent{Name: "Helper", Helper: true, Methods: map[string]agent.Method{"trap": trap}}

// trap crashes the instance, and every object in it loses its memory.
func trap(*agent.Call) (any, error) { panic("asked to") }

// ask makes a spec that asks a helper what a tool was asked. If the tool's input is damaged, the
// question is empty.
func ask(c *agent.Context, class string, input json.RawMessage, field string) agent.Run {
	var fields map[string]string
	_ = json.Unmarshal(input, &fields)
	return agent.StartAgent(c, agent.Agent{Name: class}, input, agent.Prompt(fields[field]))
}

// silently starts a run whose input browsers are not shown.
func silently(c *agent.Context, class string, input json.RawMessage, prompt string) agent.Run {
	return agent.StartAgent(c, agent.Agent{Name: class}, input, agent.Prompt(prompt), agent.Preview(nil))
}

func outcomes(runs ...agent.Run) (json.RawMessage, error) {
	var all []run.Outcome
	for _, r := range runs {
		o, err := r.Outcome()
		if err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return json.Marshal(all)
}
