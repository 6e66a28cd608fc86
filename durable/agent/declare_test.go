package agent_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/run"
)

type city struct {
	Name string `json:"name"`
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
			chat.Class(agent.Agent{Name: "Root", Program: agent.NewProgram(func(*agent.Context, question) (string, error) { return "", nil })})
		},
		"an agent without a model": func() {
			defer func() { chat.DefaultProviders = providers }()
			chat.DefaultProviders = nil
			chat.Class(agent.Agent{Name: "Root"})
		},
		"a policy that there is not":     func() { chat.Class(agent.Agent{Name: "Root", DuringTurn: "later"}) },
		"a schema of a function":         func() { agent.Output[func()]() },
		"a description that is too long": func() { root(strings.Repeat("ü", 501)) },
		"too many suggestions":           func() { root("", make([]string, 9)...) },
		"a suggestion that is too long":  func() { root("", strings.Repeat("ü", 201)) },
		"a suggestion without words":     func() { root("", "Hello", " ") },
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

// root declares an agent that a page introduces.
func root(description string, suggestions ...string) durable.Class {
	return chat.Class(agent.Agent{Name: "Root", Title: "Title", Description: description, Suggestions: suggestions})
}

// TestWelcome checks that a class says what a page shows of its agent, up to the limits.
func TestWelcome(t *testing.T) {
	description, suggestions := strings.Repeat("ü", 500), slices.Repeat([]string{strings.Repeat("ü", 200)}, 8)
	got := root(description, suggestions...)
	if got.Title != "Title" || got.Description != description || !slices.Equal(got.Suggestions, suggestions) {
		t.Errorf("got %+v", got)
	}
}
