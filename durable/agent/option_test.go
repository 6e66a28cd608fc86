package agent_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/run"
)

type city struct {
	Name string `json:"name"`
}

// TestOptions checks what each option changes in a run.
func TestOptions(t *testing.T) {
	two := 2
	given := chat.Spec{Class: "C", Input: json.RawMessage(`{"q":1}`), Preview: json.RawMessage(`{"q":1}`)}
	for _, test := range []struct {
		name   string
		option agent.Option
		want   func(s *chat.Spec)
	}{
		{"id", agent.RunID("mine"), func(s *chat.Spec) { s.ID = "mine" }},
		{"order", agent.Order(2), func(s *chat.Spec) { s.Order = &two }},
		{"preview", agent.Preview("words"), func(s *chat.Spec) { s.Preview = json.RawMessage(`"words"`) }},
		{"no preview", agent.Preview(nil), func(s *chat.Spec) { s.Preview = nil }},
		{"display", agent.Display("Title", ""), func(s *chat.Spec) { s.Display = json.RawMessage(`{"name":"Title"}`) }},
		{"timeout", agent.Timeout(time.Minute), func(s *chat.Spec) { s.Timeout = time.Minute }},
		{"delivery", agent.HideChunks(), func(s *chat.Spec) { s.Visibility = run.Terminal }},
		{"detached", agent.Detached("tell"), func(s *chat.Spec) { s.Detached = "tell" }},
		{"silence", agent.IdleTimeout(time.Minute), func(s *chat.Spec) { s.IdleTimeout = time.Minute }},
		{"stop with turn", agent.StopWithTurn(), func(s *chat.Spec) { s.StopWithTurn = true }},
		{"narrate", agent.Narrate("a", "b"), func(s *chat.Spec) { s.Announce.Narrate = []string{"a", "b"} }},
		{"react", agent.React("c"), func(s *chat.Spec) { s.Announce.React = []string{"c"} }},
		{"no queue", agent.NoQueue(), func(s *chat.Spec) { s.NoQueue = true }},
		{"output", agent.Output[city](), func(s *chat.Spec) {
			s.Output = json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false}`)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, want := given, given
			test.option(&got)
			test.want(&want)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

// TestAnswersAsValues checks that an answer that does not fit is an error that says why, for Go
// code as for a model.
func TestAnswersAsValues(t *testing.T) {
	helper := agent.Agent{Name: "Helper", Helper: true, Program: agent.NewProgram(func(_ *agent.Context, in question) (map[string]any, error) {
		return map[string]any{"name": in.Query, "beyond": in.Query == "Bern"}, nil
	})}
	type told struct {
		As    agent.Result
		Error *agent.RunError
	}
	tool := agent.NewTool("research", "", func(c *agent.Context, in question) (t told, err error) {
		type place struct {
			Name   string `json:"name"`
			Beyond bool   `json:"beyond"`
		}
		t.As = agent.RunAgent(c, helper, in, agent.Output[place]())
		if _, err := agent.RunAgentAs[city](c, helper, in); err != nil {
			t.Error = err.(*agent.RunError)
		}
		return t, nil
	})
	var got told
	ask("Research Bern", &got, agent.Agent{Name: "Assistant", Tools: []agent.Tool{tool}}, helper)
	if !got.As.OK || string(got.As.Output) != `{"beyond":true,"name":"Bern"}` || got.As.Summary != "" {
		t.Errorf("as a result: %+v", got.As)
	}
	if r := got.Error; r == nil || r.Result.Reason != run.InvalidOutput || !r.Result.Retryable {
		t.Errorf("as a value: %+v", r)
	}
}

// TestDeclarations checks that wrong declarations are reported when the program starts.
func TestDeclarations(t *testing.T) {
	for name, declare := range map[string]func(){
		"a tool of an agent that is no helper": func() { agent.AgentTool[question](agent.Agent{Name: "Root"}, "root", "") },
		"a program that is no helper": func() {
			agent.Agent{Name: "Root", Program: agent.NewProgram(func(*agent.Context, question) (string, error) { return "", nil })}.Class()
		},
		"an agent without a model": func() {
			defer func() { agent.DefaultProviders = providers }()
			agent.DefaultProviders = nil
			agent.Agent{Name: "Root"}.Class()
		},
		"a schema of a function": func() { agent.Output[func()]() },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("nobody minds")
				}
			}()
			declare()
		})
	}
}
