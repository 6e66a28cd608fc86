package agent_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// streaming returns a world whose root is the agent and whose model is called over HTTP, with more variables, and a
// function that performs an action of a script in the world.
func streaming(t *testing.T, a agent.Agent, vars ...string) (*durabletest.World, func(actions ...string)) {
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
	do("var MODEL_PROVIDER=openai", "var MODEL_NAME=m", "var MODEL_BASE_URL=http://model.test/v1")
	do(vars...)
	do("connect a")
	return w, do
}

const streams = "respond 200 content-type=text/event-stream"

// signs are what servers send that are alive.
var signs = map[string]string{
	"text":                 `data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n`,
	"a thought":            `data: {"choices":[{"index":0,"delta":{"reasoning":"a"}}]}\n\n`,
	"input":                `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"look","arguments":"a"}}]}}]}\n\n`,
	"comments":             `: keep-alive\n\n`,
	"empty comments":       `:\n`,
	"empty lines":          `\n\n`,
	"empty events":         `data:\n\n`,
	"named events":         `event: ping\ndata: {}\n\n`,
	"empty chunks":         `data: {"choices":[]}\n\n`,
	"empty deltas":         `data: {"choices":[{"index":0,"delta":{"content":""}}]}\n\n`,
	"an empty input":       `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":""}}]}}]}\n\n`,
	"progress of a queue":  `data: {"choices":[{"delta":{"content":null}}],"prompt_progress":{"total":9,"processed":3}}\n\n`,
	"details of a thought": `data: {"choices":[{"index":0,"delta":{"reasoning_details":[{"type":"reasoning.encrypted","data":"eA=="}]}}]}\n\n`,
	"blocks of a thought":  `data: {"choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Hm"}]}]}}]}\n\n`,
	"half an event":        `data: {"choices":[],"x":"`,
}

// TestModelThatIsAliveIsNotGivenUp checks that a call is not ended while its server sends anything. The server is silent
// before its first word in one half of the cases, and behind a word in the other.
func TestModelThatIsAliveIsNotGivenUp(t *testing.T) {
	for name, sign := range signs {
		for _, first := range []string{"", `data data: {"choices":[{"index":0,"delta":{"content":"Well"}}]}\n\n`} {
			t.Run(name, func(t *testing.T) {
				w, do := streaming(t, agent.Agent{Name: "Asst"})
				do("say a R1 u1: hi", streams)
				if first != "" {
					do(first)
				}
				for range 20 {
					do("tick 50s", "data "+sign)
				}
				if out := strings.Join(w.Take(), "\n"); strings.Contains(out, "cancel ") {
					t.Errorf("the call was given up: %s", out)
				}
				do("tick 61s")
				if out := strings.Join(w.Take(), "\n"); !strings.Contains(out, "cancel turn-1-0-0") {
					t.Errorf("the call goes on although nothing comes any more: %s", out)
				}
			})
		}
	}
}

// TestFirstByteHasABoundOfItsOwn checks how long the first byte of an answer may take, before and behind the head of
// the response.
func TestFirstByteHasABoundOfItsOwn(t *testing.T) {
	for name, test := range map[string]struct {
		a    agent.Agent
		vars []string
		most time.Duration
	}{
		"as usual":                 {agent.Agent{}, nil, 2 * time.Minute},
		"set by the agent":         {agent.Agent{ModelFirstByteTimeout: 5 * time.Minute}, nil, 5 * time.Minute},
		"a longer silence":         {agent.Agent{ModelIdleTimeout: 4 * time.Minute}, nil, 4 * time.Minute},
		"a shorter silence":        {agent.Agent{ModelIdleTimeout: 10 * time.Second}, nil, 2 * time.Minute},
		"set by the deployment":    {agent.Agent{}, []string{"var MODEL_FIRST_BYTE_TIMEOUT=7"}, 7 * time.Second},
		"set by both":              {agent.Agent{ModelFirstByteTimeout: 50 * time.Second}, []string{"var MODEL_FIRST_BYTE_TIMEOUT=7"}, 50 * time.Second},
		"the deployment's silence": {agent.Agent{}, []string{"var MODEL_IDLE_TIMEOUT=300"}, 5 * time.Minute},
		"a call that is shorter":   {agent.Agent{ModelTimeout: 20 * time.Second}, nil, 20 * time.Second},
	} {
		for _, head := range []string{"", streams} {
			t.Run(name, func(t *testing.T) {
				test.a.Name = "Asst"
				w, do := streaming(t, test.a, test.vars...)
				do("say a R1 u1: hi")
				if head != "" {
					do(head)
				}
				do("tick " + (test.most - time.Second).String())
				if out := strings.Join(w.Take(), "\n"); strings.Contains(out, "cancel ") {
					t.Fatalf("the call was given up too early: %s", out)
				}
				do("tick 1s")
				if out := strings.Join(w.Take(), "\n"); !strings.Contains(out, "cancel turn-1-0-0") {
					t.Errorf("the call goes on: %s", out)
				}
			})
		}
	}
}

// TestTimeoutsOfADeployment checks the variables for the silence within an answer and for the whole call.
func TestTimeoutsOfADeployment(t *testing.T) {
	w, do := streaming(t, agent.Agent{Name: "Asst"}, "var MODEL_IDLE_TIMEOUT=5", "var MODEL_TIMEOUT=12")
	do("say a R1 u1: hi", streams, `data : a\n\n`, "tick 4s", `data : a\n\n`, "tick 4s", `data : a\n\n`)
	if out := strings.Join(w.Take(), "\n"); strings.Contains(out, "cancel ") {
		t.Fatalf("the call was given up too early: %s", out)
	}
	do("tick 4s")
	if out := strings.Join(w.Take(), "\n"); !strings.Contains(out, "the model's answer took longer than 12s") {
		t.Errorf("the call goes on: %s", out)
	}
	do("say a R2 u2: hi", streams, `data : a\n\n`, "tick 5s")
	if out := strings.Join(w.Take(), "\n"); !strings.Contains(out, "cancel turn-2-0-0") {
		t.Errorf("the silent call goes on: %s", out)
	}
}

// TestBadTimeoutIsSaid checks that a person is told which variable cannot be used.
func TestBadTimeoutIsSaid(t *testing.T) {
	w, do := streaming(t, agent.Agent{Name: "Asst"}, "var MODEL_IDLE_TIMEOUT=1m")
	do("say a R1 u1: hi")
	if out := strings.Join(w.Take(), "\n"); !strings.Contains(out, `MODEL_IDLE_TIMEOUT is \"1m\"; set it to a whole number of seconds from 1 to 86400`) {
		t.Errorf("got %s", out)
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
			do("tick 10s")
			if out := strings.Join(w.Take(), "\n"); !strings.Contains(out, test.said+`","done":true,"error":true`) || !strings.Contains(out, "cancel turn-1-0-0") {
				t.Errorf("got %s", out)
			}
		})
	}
}
