package chat_test

import (
	"runtime"
	"testing"

	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// TestDroppedToolLeavesNoCoroutine checks that a waiting coroutine is ended: nothing else would end
// it.
func TestDroppedToolLeavesNoCoroutine(t *testing.T) {
	w := durabletest.NewWorld(durabletest.NewNative(1, chattest.Classes()...), "Worker", "room")
	do := func(actions ...string) {
		for _, action := range actions {
			if err := w.Do(action); err != nil {
				t.Fatal(err)
			}
		}
	}
	do("connect a", "say a R1 u1: tool=research chunks=1")
	before := runtime.NumGoroutine()
	do("tick")
	if n := runtime.NumGoroutine(); n != before+1 {
		t.Fatalf("%d coroutines wait, want 1", n-before)
	}
	do("evict")
	if n := runtime.NumGoroutine(); n != before {
		t.Errorf("%d coroutines are left", n-before)
	}
}
