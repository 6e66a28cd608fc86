package agent_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// streaming returns a world whose root is the agent and whose model is called over HTTP, and a
// function that performs an action of a script in the world.
func streaming(t *testing.T, a agent.Agent) (*durabletest.World, func(actions ...string)) {
	t.Helper()
	w := durabletest.NewWorld(durabletest.NewNative(1, chat.Class(a, providers...)), a.Name, "room")
	do := func(actions ...string) {
		t.Helper()
		for _, action := range actions {
			if err := w.Do(action); err != nil {
				t.Fatalf("%.80s: %v", action, err)
			}
		}
	}
	do("var MODEL_PROVIDER=openai", "var MODEL_NAME=m", "var MODEL_BASE_URL=http://model.test/v1", "connect a")
	return w, do
}

const streams = "respond 200 content-type=text/event-stream"

// TestModelThatOnlyPingsIsGivenUp checks that comments and events without words do not count as an
// answer, however often they come.
func TestModelThatOnlyPingsIsGivenUp(t *testing.T) {
	for name, ping := range map[string]string{
		"comments":       `: ping\n\n`,
		"empty events":   `data:\n\n`,
		"empty chunks":   `data: {"choices":[]}\n\n`,
		"empty deltas":   `data: {"choices":[{"index":0,"delta":{"content":""}}]}\n\n`,
		"an empty input": `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":""}}]}}]}\n\n`,
	} {
		t.Run(name, func(t *testing.T) {
			w, do := streaming(t, agent.Agent{Name: "Asst"})
			do("say a R1 u1: hi", streams, `data data: {"choices":[{"index":0,"delta":{"content":"Well"}}]}\n\n`)
			w.Take()
			for range 3 {
				do("tick 25s", "data "+ping)
			}
			do("tick 30s")
			if out := strings.Join(w.Take(), "\n"); !strings.Contains(out, "cancel turn-1-0-0") {
				t.Errorf("the call goes on after 100 seconds without a word: %s", out)
			}
		})
	}
}

// TestModelThatSpeaksSlowlyIsNotGivenUp checks that a call goes on as long as words come.
func TestModelThatSpeaksSlowlyIsNotGivenUp(t *testing.T) {
	for name, word := range map[string]string{
		"text":    `{"content":"a"}`,
		"thought": `{"reasoning":"a"}`,
		"input":   `{"tool_calls":[{"index":0,"id":"c1","function":{"name":"look","arguments":"a"}}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			w, do := streaming(t, agent.Agent{Name: "Asst"})
			do("say a R1 u1: hi", streams)
			for range 20 {
				do("tick 50s", `data data: {"choices":[{"index":0,"delta":`+word+`}]}\n\n`)
			}
			if out := strings.Join(w.Take(), "\n"); strings.Contains(out, "cancel ") {
				t.Errorf("the call was given up: %s", out)
			}
		})
	}
}

// TestModelCallHasATimeInAll checks that every call ends in time, and its turn with it, whatever
// the model sends.
func TestModelCallHasATimeInAll(t *testing.T) {
	for name, test := range map[string]struct {
		set  time.Duration
		most time.Duration
		said string
	}{
		"as usual": {0, 30 * time.Minute, "the model's answer took longer than 30m0s"},
		"set":      {5 * time.Minute, 5 * time.Minute, "the model's answer took longer than 5m0s"},
	} {
		t.Run(name, func(t *testing.T) {
			w, do := streaming(t, agent.Agent{Name: "Asst", ModelTimeout: test.set})
			do("say a R1 u1: hi", streams)
			word := `data data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n`
			for at := time.Duration(0); at < test.most-10*time.Second; at += 10 * time.Second {
				do(word, "tick 10s")
			}
			if out := strings.Join(w.Take(), "\n"); strings.Contains(out, `"done":true`) {
				t.Fatalf("the turn ended too early: %s", out)
			}
			do("tick 40s")
			if out := strings.Join(w.Take(), "\n"); !strings.Contains(out, test.said+`","done":true,"error":true`) || !strings.Contains(out, "cancel turn-1-0-0") {
				t.Errorf("got %s", out)
			}
		})
	}
}

// TestSilenceIsSettable checks that a silent model is waited for as long as its agent allows.
func TestSilenceIsSettable(t *testing.T) {
	w, do := streaming(t, agent.Agent{Name: "Asst", ModelIdleTimeout: 4 * time.Minute})
	do("say a R1 u1: hi", streams, "tick 3m50s")
	if out := strings.Join(w.Take(), "\n"); strings.Contains(out, "cancel ") {
		t.Fatalf("the call was given up too early: %s", out)
	}
	do("tick 40s")
	if out := strings.Join(w.Take(), "\n"); !strings.Contains(out, "cancel turn-1-0-0") {
		t.Errorf("the call goes on: %s", out)
	}
}
