package chat_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
)

// TestDroppedToolLeavesNoCoroutine checks that a waiting coroutine is ended, and with it one of a branch: nothing else
// would end them. A coroutine that ends runs the deferred functions of its code.
func TestDroppedToolLeavesNoCoroutine(t *testing.T) {
	waiting := 0
	wait := func(c *agent.Context) (json.RawMessage, error) {
		waiting++
		defer func() { waiting-- }()
		return nil, flow.Sleep(c, time.Hour)
	}
	a := agent.Agent{Name: "Worker", Tools: []agent.Tool{{Name: "research", Run: func(c *agent.Context, _ json.RawMessage) (json.RawMessage, error) {
		flow.Go(c, "aside", func() (json.RawMessage, error) { return wait(c) })
		return wait(c)
	}}}}
	for _, loss := range []string{"evict", "crash", "trap"} {
		t.Run(loss, func(t *testing.T) {
			engine := durabletest.NewNative(1, chattest.Class(a))
			w := durabletest.NewWorld(engine, a.Name, "room")
			act(t, w, "connect a", "say a R1 u1: tool=research chunks=1", "tick")
			if waiting != 2 {
				t.Fatalf("%d coroutines wait, want 2", waiting)
			}
			if loss == "trap" {
				storage, err := engine.Storage("room")
				if err != nil {
					t.Fatal(err)
				}
				storage.FailAt(1)
				act(t, w, "get /agents/x/room/get-messages")
				storage.Calm()
			} else {
				act(t, w, loss)
			}
			if waiting != 0 {
				t.Errorf("%d coroutines are left", waiting)
			}
			if err := engine.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("close", func(t *testing.T) {
		engine := durabletest.NewNative(1, chattest.Class(a))
		act(t, durabletest.NewWorld(engine, a.Name, "room"), "connect a", "say a R1 u1: tool=research chunks=1", "tick")
		if err := engine.Close(); err != nil || waiting != 0 {
			t.Errorf("%d coroutines are left, %v", waiting, err)
		}
	})
}
