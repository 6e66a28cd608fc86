package chat_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/limit"
)

// TestHookThatPanicsLosesNoTurn checks that its event is rolled back, as for any other bug, and
// that the turn continues in a new instance.
func TestHookThatPanicsLosesNoTurn(t *testing.T) {
	panics := 1
	class := chattest.Class(agent.Agent{Name: "Clumsy", Hooks: agent.Hooks{
		AfterStep: func(*agent.Conversation, agent.StepResult) error {
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

// TestHookAfterRunsKnowsTheInput checks that the hook is given the input of a run that ends by
// itself, and of one that ends with its turn.
func TestHookAfterRunsKnowsTheInput(t *testing.T) {
	slow := agent.Agent{Name: "Slow", Helper: true, Program: func(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
		if strings.Contains(string(input), "sleep") {
			return nil, flow.Sleep(c, 24*time.Hour)
		}
		return json.RawMessage(`"done"`), nil
	}}
	var inputs []string
	root := agent.Agent{
		Name: "Root",
		AfterRun: func(_ *agent.Conversation, r agent.RunInfo) error {
			inputs = append(inputs, string(r.Status)+" "+string(r.Input))
			return nil
		},
		Tools: []agent.Tool{{Name: "research", Run: func(c *agent.Context, input json.RawMessage) (json.RawMessage, error) {
			_, err := agent.StartAgent(c, agent.Agent{Name: "Slow"}, input, agent.Prompt(""), agent.Preview(nil)).Outcome()
			return input, err
		}}},
	}
	w := durabletest.NewWorld(durabletest.NewNative(1, chattest.Class(root), chattest.Class(slow)), "Root", "room")
	act(t, w, "connect a", "say a R1 u1: tool=research go", "tick 1s", "run", "say a R2 u2: tool=research sleep", "tick 1s", "cancel a R2")
	want := []string{`completed {"query":"go"}`, `aborted {"query":"sleep"}`}
	if !slices.Equal(inputs, want) {
		t.Errorf("it is given %q, want %q", inputs, want)
	}
}

// TestWordsOfAHookAreBounded checks that people are shown a hook's words for an error up to their
// limit.
func TestWordsOfAHookAreBounded(t *testing.T) {
	for said, shown := range map[int]int{limit.HookWords: limit.HookWords, limit.HookWords + 1: limit.HookWords, 6 * limit.HookWords: limit.HookWords} {
		for _, letter := range []string{"x", "<"} {
			class := chattest.Class(agent.Agent{Name: "Wordy", Hooks: agent.Hooks{
				BeforeStep: func(*agent.Conversation, *agent.StepRequest) error { return errors.New("no") },
				OnError:    func(*agent.Conversation, agent.TurnError) string { return strings.Repeat(letter, said) },
			}})
			w := durabletest.NewWorld(durabletest.NewNative(1, class), class.Name, "room")
			act(t, w, "connect a", "say a R1 u1: chunks=1", "run")
			if out := strings.Join(w.Take(), "\n"); !strings.Contains(out, `"body":"`+strings.Repeat(letter, shown)+`","done":true`) {
				t.Errorf("%d of %q are not shown as %d", said, letter, shown)
			}
		}
	}
}
