package schedule_test

import (
	"fmt"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/model/demo"
	"github.com/tributary-agents/tributary/durable/schedule"
)

// An agent's code says when a callback is called: once, after a delay, at intervals, or at the times
// of a cron expression. Here it is Tuesday, 22:13:20 UTC.
func ExampleWhen() {
	note := func(*agent.Conversation, agent.Scheduled) error { return nil }
	plan := func(call *agent.Call) (any, error) {
		for _, when := range []schedule.When{
			schedule.At(time.Date(2023, time.December, 24, 18, 0, 0, 0, time.UTC)),
			schedule.After(90 * time.Minute),
			schedule.Every(24 * time.Hour),
			schedule.Cron("30 7 * * 1-5", ""),
		} {
			s, err := call.Schedule(when, "note", nil)
			if err != nil {
				return nil, err
			}
			fmt.Printf("%-9s next at %s\n", s.Type, time.UnixMilli(s.DueAt).UTC().Format(time.DateTime))
		}
		_, err := call.Schedule(schedule.Cron("0 0 30 2 *", ""), "note", nil)
		fmt.Println(err)
		return nil, nil
	}
	do(agent.Agent{
		Name:      "Diary",
		Methods:   map[string]agent.Method{"plan": plan},
		Callbacks: map[string]agent.Callback{"note": note},
	}, "connect tab", `frame tab {"type":"rpc","id":"a","method":"plan","args":[]}`)
	// Output:
	// scheduled next at 2023-12-24 18:00:00
	// delayed   next at 2023-11-14 23:43:20
	// interval  next at 2023-11-15 22:13:20
	// cron      next at 2023-11-15 07:30:00
	// schedule: its time never comes: the cron expression "0 0 30 2 *"
}

// A callback that fails is called again, as often as the schedule's options allow. Then the schedule
// is kept as failed, and can be tried again.
func ExampleMaxAttempts() {
	do(agent.Agent{
		Name: "Diary",
		Methods: map[string]agent.Method{"plan": func(call *agent.Call) (any, error) {
			return call.Schedule(schedule.After(time.Hour), "send", "tea", schedule.ID("tea"), schedule.MaxAttempts(2))
		}, "list": func(call *agent.Call) (any, error) {
			for _, s := range call.Schedules() {
				fmt.Println(s.ID, s.Status, s.Attempts, s.Failure)
			}
			return nil, nil
		}},
		Callbacks: map[string]agent.Callback{"send": agent.NewCallback(func(_ *agent.Conversation, what string, s agent.Scheduled) error {
			return fmt.Errorf("attempt %d to send %s: no connection", s.Attempt, what)
		})},
	},
		"connect tab",
		`frame tab {"type":"rpc","id":"a","method":"plan","args":[]}`, "run",
		`frame tab {"type":"rpc","id":"b","method":"list","args":[]}`)
	// Output: tea failed 2 attempt 2 to send tea: no connection
}

// do performs actions in a world whose root is the agent.
func do(a agent.Agent, actions ...string) {
	engine := durabletest.NewNative(1, chat.Class(a, demo.Provider))
	defer engine.Close()
	w := durabletest.NewWorld(engine, a.Name, "room")
	for _, action := range actions {
		if err := w.Do(action); err != nil {
			panic(err)
		}
	}
}
