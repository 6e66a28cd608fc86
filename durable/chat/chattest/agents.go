package chattest

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/run"
)

// Subject is a conversation with methods of every kind.
var Subject = chat.Agent{
	Class:        "TestAgent",
	Instructions: "Be brief.",
	Model:        Providers.Open,
	Methods: map[string]chat.Method{
		"usage":   func(c *chat.Call) (any, error) { return c.Usage(), nil },
		"nothing": func(*chat.Call) (any, error) { return nil, nil },
		"read":    func(c *chat.Call) (any, error) { return c.State(), nil },
		"count": func(c *chat.Call) (any, error) {
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
		"publish": func(c *chat.Call) (any, error) {
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
var worker = chat.Agent{
	Class: "Worker",
	Model: Providers.Open,
	Tools: []chat.Tool{
		{Name: "research", Run: func(c *chat.ToolContext, input json.RawMessage) (json.RawMessage, error) {
			n, err := flow.Step(c, "look up", func(tx *durable.Tx) (string, error) { return tx.NewID(), nil })
			if err == nil {
				err = flow.Sleep(c, time.Hour)
			}
			if err != nil {
				return nil, err
			}
			return json.Marshal(map[string]any{"summary": "found " + n, "input": input})
		}},
		{Name: "plan", Run: func(*chat.ToolContext, json.RawMessage) (json.RawMessage, error) {
			return nil, errors.New("no plan survives")
		}},
		{Name: "compare", Run: func(*chat.ToolContext, json.RawMessage) (json.RawMessage, error) {
			return json.Marshal(strings.Repeat("x", chat.MaxOutput))
		}},
	},
}

// boss is a conversation whose tools are helpers.
var boss = chat.Agent{
	Class:   "Boss",
	Model:   Providers.Open,
	Methods: map[string]chat.Method{"trap": trap},
	Tools: []chat.Tool{
		{Name: "research", Run: func(c *chat.ToolContext, input json.RawMessage) (json.RawMessage, error) {
			return outcomes(c.StartRun(ask("Helper", input, "query")))
		}},
		{Name: "plan", Run: func(c *chat.ToolContext, input json.RawMessage) (json.RawMessage, error) {
			return outcomes(c.StartRun(ask("Nobody", input, "description")))
		}},
		{Name: "compare", Run: func(c *chat.ToolContext, input json.RawMessage) (json.RawMessage, error) {
			return outcomes(c.StartRun(ask("Helper", input, "a")), c.StartRun(ask("Helper", input, "b")))
		}},
	},
}

var helper = chat.Agent{Class: "Helper", Helper: true, Model: Providers.Open, Methods: map[string]chat.Method{"trap": trap}}

// trap crashes the instance, and every object in it loses its memory.
func trap(*chat.Call) (any, error) { panic("asked to") }

// ask makes a spec that asks a helper what a tool was asked. If the tool's input is damaged, the
// question is empty.
func ask(class string, input json.RawMessage, field string) chat.Spec {
	var fields map[string]string
	_ = json.Unmarshal(input, &fields)
	return chat.Spec{Class: class, Input: input, Prompt: fields[field], Preview: input}
}

func outcomes(runs ...chat.PendingRun) (json.RawMessage, error) {
	var all []run.Outcome
	for _, r := range runs {
		o, err := r.Wait()
		if err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return json.Marshal(all)
}
