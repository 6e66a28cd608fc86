package chat_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// rolledBack is an engine that can act as a deployment whose code traps at every event. Then the
// platform gives up an alarm after six retries.
type rolledBack struct {
	*durabletest.Native
	failing bool
	alarms  int
}

func (r *rolledBack) Step(object string, at int64, opened durable.Opened, event durable.Event) ([]durable.Command, error) {
	if !r.failing {
		return r.Native.Step(object, at, opened, event)
	}
	r.Evict(object)
	if _, ok := event.(durable.AlarmFired); ok {
		if r.alarms++; r.alarms > 7 { // the platform does not deliver the alarm any more
			return nil, nil
		}
	}
	return nil, errors.New("durabletest: trap: a bug")
}

// TestRolledBackDeploymentGoesOn rolls a deployment back to such code for five minutes, in which something falls
// due. After the deployment is restored and a tab connects, the due work is done.
func TestRolledBackDeploymentGoesOn(t *testing.T) {
	tests := []struct {
		name, class string
		before      []string
		// want is output that is seen only if the work was resumed.
		want []string
	}{
		{
			"a schedule and that of a helper", "Diary",
			[]string{
				"say a R1 u1: tool=research class=Minder id=r1 >tool=remind >chunks=1 >pchunks=1 chunks=1", "tick 9m",
				`frame a {"type":"rpc","id":"1","method":"schedule","args":[{"type":"interval","every":120000,"id":"i","callback":"note"}]}`,
			},
			[]string{"call waken/r1", "cf_agent_state"},
		},
		{
			"a tool that sleeps", "Worker",
			[]string{"say a R1 u1: Research otters", "tick 59m"},
			[]string{`"id":"R1","body":"","done":true`},
		},
		{
			"a model that is asked again", "Worker",
			[]string{
				"say a R1 u1: hi", "respond 429 retry-after=50", `data {"error":{"message":"slow down"}}`, "end",
			},
			[]string{"fetch turn-1-0-1"},
		},
		{
			"a helper that is followed again", "Boss",
			[]string{"say a R1 u1: Research otters", "tick 300ms"},
			[]string{`"id":"R1","body":"","done":true`},
		},
		{
			"a letter that is tried again", "Overseer",
			[]string{"say a R1 u1: tool=research class=Reporter id=r1 detached=flaky", "tick 6s"},
			[]string{"attempt 5 error out of order"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			engine := &rolledBack{Native: durabletest.NewNative(1, chattest.Classes()...)}
			w := durabletest.NewWorld(engine, test.class, "room")
			do := func(lines ...string) string {
				for _, line := range lines {
					if err := w.Do(line); err != nil {
						t.Fatalf("%s: %v", line, err)
					}
				}
				return strings.Join(w.Take(), "\n")
			}
			if strings.Contains(strings.Join(test.before, " "), "respond") {
				do("var MODEL_PROVIDER=openai", "var MODEL_BASE_URL=http://127.0.0.1:9/v1", "var MODEL_NAME=small")
			}
			do("connect a")
			do(test.before...)
			engine.failing = true
			do("crash", "connect b", "tick 5m")
			engine.failing = false
			if held := w.Holding(); held != nil {
				t.Fatalf("the platform has not given up: it holds %v", held)
			}
			out := do("connect c", "tick 4m")
			for _, want := range test.want {
				if !strings.Contains(out, want) {
					t.Errorf("there is no %q in\n%.3000s", want, out)
				}
			}
			storage, err := engine.Storage("room")
			if err != nil {
				t.Fatal(err)
			}
			rows, err := storage.SQL(`SELECT kind, id FROM schedule WHERE due <= ?`, []any{w.Now() - 1})
			if err != nil || len(rows) > 0 {
				t.Errorf("overdue is %v, %v", rows, err)
			}
		})
	}
}
