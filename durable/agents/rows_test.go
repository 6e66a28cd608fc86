package agents_test

import (
	"testing"

	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// TestHelpersWriteFewRows counts the rows that eight helpers of 100 words write, with their parent,
// without the rows of indexes. On a busy machine each timer takes so long that a helper has a word
// every 32 ms, and timers go off late.
func TestHelpersWriteFewRows(t *testing.T) {
	for _, test := range []struct {
		name       string
		cost, most int64
	}{
		{"idle machine", 0, 600},
		{"busy machine", 4, 720},
	} {
		t.Run(test.name, func(t *testing.T) {
			engine := durabletest.NewNative(1, agents.Classes()...)
			t.Cleanup(func() { _ = engine.Close() })
			w := durabletest.NewWorld(engine, agents.Assistant.Name, "room")
			for _, action := range []string{"var TRIBUTARY_ENV=development", "connect a", "say a R1 u1: tool=fan n=8 chunks=100 delay=5"} {
				if err := w.Do(action); err != nil {
					t.Fatal(err)
				}
			}
			for at, more := w.Due(); more; at, more = w.Due() {
				w.Advance(max(at, w.Now()) + test.cost)
				w.Tick()
			}
			written := int64(0)
			for _, slot := range w.Slots() {
				storage, err := engine.Storage(w.Object(slot))
				if err != nil {
					t.Fatal(err)
				}
				rows, err := storage.SQL(`SELECT total_changes()`, nil)
				if err != nil {
					t.Fatal(err)
				}
				written += rows[0].Int(0)
			}
			if written > test.most {
				t.Errorf("%d rows are written, want %d at most", written, test.most)
			}
		})
	}
}
