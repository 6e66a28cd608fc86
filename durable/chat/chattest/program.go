package chattest

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
)

// counter is a helper that is a program. It counts to three, a second each, and then does what it
// was asked.
var counter = agent.Agent{Name: "Counter", Helper: true, Program: count}

func count(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
	var asked struct{ Query string }
	if err := json.Unmarshal(input, &asked); err != nil {
		return nil, err
	}
	for _, n := range []string{"one ", "two ", "three "} {
		if err := c.Say(n); err != nil {
			return nil, err
		}
		if err := flow.Sleep(c, time.Second); err != nil {
			return nil, err
		}
	}
	switch {
	case strings.Contains(asked.Query, "trap"):
		panic("as it was asked to")
	case strings.Contains(asked.Query, "loud"):
		for range 4 {
			if err := c.Say(strings.Repeat("x", 300_000)); err != nil {
				return nil, err
			}
		}
	case strings.Contains(asked.Query, "fail"):
		return nil, errors.New("lost count")
	case strings.Contains(asked.Query, "object"):
		return json.RawMessage(`{"count":3}`), nil
	case strings.Contains(asked.Query, "nothing"):
		return json.RawMessage(`null`), nil
	case strings.Contains(asked.Query, "helpers"):
		return outcomes(order(input, "query", "0:").start(c), order(input, "query", "1:").start(c))
	}
	return json.Marshal("that makes three")
}
