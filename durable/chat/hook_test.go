package chat_test

import (
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// TestHookThatPanicsLosesNoTurn checks that its event is rolled back, as for any other bug, and
// that the turn continues in a new instance.
func TestHookThatPanicsLosesNoTurn(t *testing.T) {
	panics := 1
	class := chattest.Class(chat.Agent{Class: "Clumsy", Model: chattest.Providers.Open, Hooks: chat.Hooks{
		AfterStep: func(*chat.Conversation, chat.StepResult) error {
			if panics > 0 {
				panics--
				panic("a bug")
			}
			return nil
		},
	}})
	w := durabletest.NewWorld(durabletest.NewNative(1, class), class.Name, "room")
	for _, action := range []string{"connect a", "say a R1 u1: chunks=1", "run"} {
		if err := w.Do(action); err != nil {
			t.Fatal(err)
		}
	}
	out := strings.Join(w.Take(), "\n")
	for _, want := range []string{"\ntrap\n", `"id":"R1","body":"","done":true,"outcome":"completed"`} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in %s", want, out)
		}
	}
}
