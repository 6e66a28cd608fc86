package chattest

import (
	"encoding/json"
	"errors"
	"maps"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/schedule"
	_ "github.com/tributary-agents/tributary/durable/schedule/zone" // as an author's main does
)

// diary is a conversation whose schedules are made by methods, and by a tool.
var diary = agent.Agent{
	Name: "Diary", Tools: append(orders(), remind), Methods: scheduling(), Callbacks: callbacks,
	Handlers: map[string]agent.RunHook{"tell": tell},
}

// minder is a helper that makes schedules, too. between is a helper that has minder as a helper.
var (
	minder  = agent.Agent{Name: "Minder", Helper: true, Tools: []agent.Tool{remind, alarm, nap, buy}, Methods: scheduling(), Callbacks: callbacks}
	between = agent.Agent{Name: "Between", Helper: true, Tools: orders()}
)

// remind is a tool that has the chat told something in ten minutes. alarm has a callback that
// traps. nap sleeps longer than the schedule waits. buy needs a person's approval.
var (
	remind = agent.Tool{Name: "remind", Run: inTenMinutes("tell", "ring chunks=1")}
	alarm  = agent.Tool{Name: "alarm", Run: inTenMinutes("trap", nil)}
	buy    = agent.Tool{Name: "buy", Approval: always, Run: echo}
	nap    = agent.Tool{Name: "nap", Run: func(c *agent.Context, _ json.RawMessage) (json.RawMessage, error) {
		return json.RawMessage(`"slept"`), flow.Sleep(c, 20*time.Minute)
	}}
)

func inTenMinutes(callback string, payload any) func(*agent.Context, json.RawMessage) (json.RawMessage, error) {
	return func(c *agent.Context, _ json.RawMessage) (json.RawMessage, error) {
		info, err := c.Schedule(schedule.After(10*time.Minute), callback, payload)
		if err != nil {
			return nil, err
		}
		return json.Marshal(info.ID)
	}
}

// callbacks are callbacks of every kind. A failing one fails until the state is "mended".
var callbacks = map[string]agent.Callback{
	"note": func(c *agent.Conversation, s agent.Scheduled) error { return c.SetState(s) },
	"tell": func(c *agent.Conversation, s agent.Scheduled) error {
		var text string
		if err := json.Unmarshal(s.Payload, &text); err != nil {
			return err
		}
		return c.Notify(text)
	},
	"flaky": func(c *agent.Conversation, _ agent.Scheduled) error {
		if string(c.State()) != `"mended"` {
			return errors.New("out of order")
		}
		return nil
	},
	"trap": func(c *agent.Conversation, _ agent.Scheduled) error {
		if string(c.State()) != `"mended"` {
			panic("asked to")
		}
		return nil
	},
	"run": func(c *agent.Conversation, s agent.Scheduled) error {
		_, err := agent.StartDetached(c, reporter, "tell", s.Payload, agent.RunID(s.ID), agent.Prompt(""), agent.Preview(nil))
		return err
	},
	"chain": func(c *agent.Conversation, s agent.Scheduled) error {
		_, err := c.Schedule(schedule.After(time.Hour), "chain", nil, func(e *schedule.Entry) { e.ID = s.ID })
		return err
	},
}

// scheduling returns the methods of a page that makes schedules.
func scheduling() map[string]agent.Method {
	all := maps.Clone(methods)
	all["schedules"] = func(c *agent.Call) (any, error) { return c.Schedules(), nil }
	all["schedule"] = makeOne
	all["inspect"] = about(func(c *agent.Call, id string) (any, error) { return c.InspectSchedule(id) })
	all["cancel"] = about(func(c *agent.Call, id string) (any, error) { return nil, c.CancelSchedule(id) })
	all["retry"] = about(func(c *agent.Call, id string) (any, error) { return nil, c.RetrySchedule(id) })
	all["mend"] = func(c *agent.Call) (any, error) { return nil, c.SetState("mended") }
	return all
}

// makeOne makes the schedule that its argument describes.
func makeOne(c *agent.Call) (any, error) {
	var s struct {
		schedule.When
		ID, Callback string
		Payload      any
		Tries        int
	}
	if err := c.Arg(0, &s); err != nil {
		return nil, err
	}
	info, err := c.Schedule(s.When, s.Callback, s.Payload, func(e *schedule.Entry) { e.ID, e.MaxAttempts = s.ID, s.Tries })
	if err != nil {
		return nil, err
	}
	return info.DueAt, nil
}
