package chat_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// asleep returns a world in which a helper has a schedule, and nothing else is pending.
func asleep(t *testing.T) (w *durabletest.World, do func(actions ...string)) {
	w = durabletest.NewWorld(durabletest.NewNative(1, chattest.Classes()...), "Diary", "room")
	do = func(actions ...string) {
		t.Helper()
		for _, action := range actions {
			if err := w.Do(action); err != nil {
				t.Fatal(err)
			}
		}
	}
	do("connect a", "say a R1 u1: tool=research class=Minder id=r1 >tool=remind >chunks=1 >pchunks=1 chunks=1", "tick 1m", "crash")
	w.Take()
	return w, do
}

// TestIdleTreeHoldsNothing checks that a waiting schedule holds nothing but the alarm of the root.
// After the last schedule there is no alarm either (invariant I11).
func TestIdleTreeHoldsNothing(t *testing.T) {
	w, do := asleep(t)
	if held := w.Holding(); !slices.Equal(held, []string{"an alarm"}) {
		t.Errorf("while a helper's schedule waits, the tree holds %q", held)
	}
	do("connect b", `frame b {"type":"rpc","id":"1","method":"schedule","args":[{"type":"interval","every":60000,"id":"i","callback":"note"}]}`)
	do("tick 20m")
	if held := w.Holding(); !slices.Equal(held, []string{"an alarm"}) {
		t.Errorf("while the root's own waits, the tree holds %q", held)
	}
	do(`frame b {"type":"rpc","id":"2","method":"cancel","args":["i"]}`, "run")
	if held := w.Holding(); held != nil {
		t.Errorf("behind the last schedule the tree holds %q", held)
	}
}

// TestHelperThatCannotBeWoken checks that the wake is retried with a growing back-off, and is given
// up in the end.
func TestHelperThatCannotBeWoken(t *testing.T) {
	w, _ := asleep(t)
	w.Hold(func(durabletest.HandledEvent) {})
	var waits []int64
	for at := w.Now(); len(w.Holding()) > 0; {
		if w.Tick(); len(w.Lanes()) == 0 { // an alarm may go off for nothing
			continue
		}
		waits = append(waits, (w.Now()-at)/1000)
		at = w.Now()
		if !w.Cut("helper-1:waken/r1") || !w.Deliver(":waken/r1") {
			t.Fatalf("nobody was called; on the way is %q", w.Lanes())
		}
	}
	if want := []int64{540, 5, 15, 30, 120, 600, 3600, 3600, 3600, 3600, 3600}; !slices.Equal(waits, want) {
		t.Errorf("waits of %d seconds, want %d", waits, want)
	}
	if out := strings.Join(w.Take(), "\n"); !strings.Contains(out, "a helper's schedules are given up") {
		t.Errorf("nobody is told: %s", out)
	}
}
