package chat_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
)

// TestToolThatDivergesSaysWhatToDo has a tool that keeps in a variable what only the journal keeps.
func TestToolThatDivergesSaysWhatToDo(t *testing.T) {
	forgetful := false
	class := chattest.Class(agent.Agent{Name: "Forgetful", Tools: []agent.Tool{
		{Name: "research", Run: func(c *agent.Context, _ json.RawMessage) (json.RawMessage, error) {
			if forgetful {
				flow.Now(c)
			}
			forgetful = true
			return nil, flow.Sleep(c, time.Hour)
		}},
	}})
	w := durabletest.NewWorld(durabletest.NewNative(1, class), class.Name, "room")
	for _, action := range []string{"connect a", "say a R1 u1: tool=research chunks=1", "tick", "evict", "run"} {
		if err := w.Do(action); err != nil {
			t.Fatal(err)
		}
	}
	out := strings.Join(w.Take(), "\n")
	for _, want := range []string{
		`the tool research diverged when it was run again: its await 0 was \\\"sleep\\\" and is \\\"now\\\" now.`, "look at flow.Step",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in %s", want, out)
		}
	}
	if held := w.Holding(); held != nil {
		t.Errorf("behind the turn the conversation holds %q", held)
	}
}
