package chat_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/model"
)

// subject is a conversation with methods of every kind.
var subject = chat.Agent{
	Class:        "TestAgent",
	Instructions: "Be brief.",
	Model:        model.Open,
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

func native(*testing.T) durabletest.Engine {
	return durabletest.NewNative(1, durable.Class{
		Name: subject.Class, New: func() durable.Object { return chat.NewHost(subject) },
	})
}

func TestScripts(t *testing.T) {
	durabletest.RunScripts(t, "testdata", subject.Class, native)
}
