package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/agent"
)

// TestReturns checks that a tool gets the schema of its output, and that a type without a schema is
// refused.
func TestReturns(t *testing.T) {
	type degrees struct {
		Degrees int `json:"degrees"`
	}
	tool := agent.WithOutput[degrees](agent.NewClientTool[question]("weather", "Looks out of the window."))
	if got := string(tool.Output); !strings.Contains(got, `"degrees":{"type":"integer"}`) || !strings.Contains(got, `"required":["degrees"]`) {
		t.Errorf("got %s", got)
	}
	defer func() {
		if got := fmt.Sprint(recover()); !strings.Contains(got, "output of tool weather") {
			t.Errorf("recovered %s", got)
		}
	}()
	agent.WithOutput[chan int](tool)
}

// TestOptions checks what options of a tool refuse, and what they say of the tool.
func TestOptions(t *testing.T) {
	type other struct{ Name string }
	key := func(question) string { return "k" }
	tool := agent.NewTool("ask", "Asks.", func(*agent.Context, question) (string, error) { return "", nil })
	for want, make := range map[string]func() agent.Tool{
		"the option Once of tool ask takes *agent_test.other":              func() agent.Tool { return tool.With(agent.Once(func(other) string { return "" })) },
		"the option Once of tool look is for tools that run on the server": func() agent.Tool { return agent.NewClientTool[question]("look", "Looks.").With(agent.Once(key)) },
		"the option Undo of tool ask comes after Once": func() agent.Tool {
			return tool.With(agent.Undo(func(*agent.Context, question, string) error { return nil }))
		},
		"the option Across of tool ask comes after Once": func() agent.Tool { return tool.Across() },
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, want) {
					t.Errorf("recovered %s, want %s", got, want)
				}
			}()
			make()
		}()
	}
	for _, c := range []struct {
		tool agent.Tool
		want agent.Hints
	}{
		{tool, agent.Hints{Destructive: true}},
		{tool.ReadOnly(), agent.Hints{ReadOnly: true, Idempotent: true}},
		{tool.With(agent.Once(key)), agent.Hints{Idempotent: true, Destructive: true}},
	} {
		if got := c.tool.Hints(); got != c.want {
			t.Errorf("got %+v, want %+v", got, c.want)
		}
	}
}
