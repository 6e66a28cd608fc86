package zone_test

import (
	"fmt"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/model/demo"
	"github.com/tributary-agents/tributary/durable/schedule"
	_ "github.com/tributary-agents/tributary/durable/schedule/zone"
)

// A cron expression can follow the clocks of a time zone. At the winter solstice, half past seven in
// Zurich is half past six in UTC.
func Example() {
	diary := agent.Agent{
		Name: "Diary",
		Methods: map[string]agent.Method{"plan": func(call *agent.Call) (any, error) {
			s, err := call.Schedule(schedule.Cron("30 7 21 12 *", "Europe/Zurich"), "note", nil)
			fmt.Println(time.UnixMilli(s.DueAt).UTC().Format(time.DateTime))
			return s.ID, err
		}},
		Callbacks: map[string]agent.Callback{"note": func(*agent.Conversation, agent.Scheduled) error { return nil }},
	}
	engine := durabletest.NewNative(1, chat.Class(diary, demo.Provider))
	defer engine.Close()
	w := durabletest.NewWorld(engine, "Diary", "room")
	for _, action := range []string{"connect tab", `frame tab {"type":"rpc","id":"a","method":"plan","args":[]}`} {
		if err := w.Do(action); err != nil {
			panic(err)
		}
	}
	// Output: 2023-12-21 06:30:00
}
