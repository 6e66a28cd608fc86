package agents_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// TestConnectingWakesNoHelper checks that a new connection wakes no helper, however many runs are
// kept: the parent sends what it has stored (invariant I11).
func TestConnectingWakesNoHelper(t *testing.T) {
	const runs = 100
	engine := durabletest.NewNative(1, agents.Classes()...)
	t.Cleanup(func() { _ = engine.Close() })
	w := durabletest.NewWorld(engine, agents.Assistant.Name, "room")
	do := func(actions ...string) []string {
		w.Take()
		for _, action := range actions {
			if err := w.Do(action); err != nil {
				t.Fatal(err)
			}
		}
		return w.Take()
	}
	do("var TRIBUTARY_ENV=development", "connect a", fmt.Sprintf("say a R1 u1: tool=fan n=%d chunks=1", runs), "close a", "run", "evict")

	told := map[string]int{}
	for _, line := range do("connect b", "run") {
		if !strings.HasPrefix(line, "send b ") && line != "timer replay 0" {
			t.Errorf("connecting did more than send: %.100s", line)
		}
		for _, kind := range []string{"started", "chunk", "finished"} {
			if strings.Contains(line, `"replay":true,"event":{"kind":"`+kind+`"`) {
				told[kind]++
			}
		}
	}
	// A helper's answer of one delta has seven chunks in all.
	if told["started"] != runs || told["finished"] != runs || told["chunk"] != 7*runs {
		t.Errorf("told of %v, want %d runs whole", told, runs)
	}
}
