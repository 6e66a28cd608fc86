package agent_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/model"
)

// Hooks see and change what goes to the model and what comes back from tools. The error of a Before
// hook is a refusal.
func ExampleHooks() {
	echo := func(_ *agent.Context, in question) (string, error) { return in.Query + ", key 1234", nil }
	assistant := agent.Agent{
		Name:         "Assistant",
		Instructions: "Be brief.",
		Tools:        []agent.Tool{agent.NewTool("echo", "Repeats something.", echo)},
		Hooks: agent.Hooks{
			BeforeStep: func(_ *agent.Conversation, s *agent.StepRequest) error {
				s.System += fmt.Sprintf(" This is step %d.", s.Step)
				fmt.Println(s.System)
				return nil
			},
			BeforeCall: func(_ *agent.Conversation, call *agent.ToolCall) error {
				if bytes.Contains(call.Input, []byte("politics")) {
					return errors.New("this is not talked about here")
				}
				call.Input = bytes.ReplaceAll(call.Input, []byte("colour"), []byte("color"))
				return nil
			},
			AfterCall: func(_ *agent.Conversation, call *agent.ToolCall) error {
				call.Output = bytes.ReplaceAll(call.Output, []byte("1234"), []byte("…"))
				return nil
			},
		},
	}
	var output string
	ask("Echo a colour", &output, assistant)
	fmt.Println(output)
	// Output:
	// Be brief. This is step 0.
	// Be brief. This is step 1.
	// a color, key …
}

// Compact is given the messages that no longer fit into [agent.Agent.History], and returns a summary
// that stands in their place from then on.
func ExampleHooks_compact() {
	assistant := agent.Agent{
		Name:    "Assistant",
		History: 150,
		Hooks: agent.Hooks{
			Compact: func(_ *agent.Conversation, l agent.LeftOut) ([]model.Message, error) {
				summary := fmt.Sprintf("%d messages were left out.", len(l.Messages))
				return []model.Message{{Role: model.User, Content: []model.Content{model.Text{Text: summary}}}}, nil
			},
			BeforeStep: func(_ *agent.Conversation, s *agent.StepRequest) error {
				fmt.Println(s.Messages[0].Content[0])
				return nil
			},
		},
	}
	long := strings.Repeat("x", 300)
	play([]agent.Agent{assistant}, "connect tab", "say tab R1 u1: Hello", "run", "say tab R2 u1: Hello | $R1 | u2: "+long, "run")
	// Output:
	// {Hello}
	// {2 messages were left out.}
}

// AfterStep sees each answer of the model, and OnError chooses the words for a turn that fails.
func ExampleHooks_onError() {
	assistant := agent.Agent{
		Name:  "Assistant",
		Model: answer("The tide is high."),
		Hooks: agent.Hooks{
			AfterStep: func(c *agent.Conversation, s agent.StepResult) error {
				return c.SetState(map[string]any{"finish": s.Finish, "said": s.Text})
			},
			BeforeStep: func(_ *agent.Conversation, s *agent.StepRequest) error {
				if len(s.Messages) > 1 {
					return errors.New("one question a day")
				}
				return nil
			},
			OnError: func(_ *agent.Conversation, e agent.TurnError) string { return "Sorry: " + e.Words },
		},
	}
	lines := play([]agent.Agent{assistant}, "connect tab", "say tab R1 u1: Hello", "run", "say tab R2 u1: Hello | $R1 | u2: Again", "run")
	for _, frame := range frames(lines, "cf_agent_state", "cf_agent_use_chat_response") {
		var f struct {
			State json.RawMessage
			Body  string
			Error bool
		}
		must(json.Unmarshal([]byte(frame), &f))
		if f.State != nil || f.Error {
			fmt.Println(string(f.State) + f.Body)
		}
	}
	// Output:
	// {"finish":"stop","said":"The tide is high."}
	// Sorry: one question a day
}

// Repair gives the model a result for a call that has none. Here the person goes on instead of
// letting the browser answer.
func ExampleHooks_repair() {
	assistant := agent.Agent{
		Name:  "Assistant",
		Tools: []agent.Tool{agent.NewClientTool[question]("locate", "Asks the browser where something is.")},
		Hooks: agent.Hooks{
			Repair: func(_ *agent.Conversation, call agent.ToolCall) json.RawMessage {
				return json.RawMessage(`"The person did not let ` + call.Name + ` run."`)
			},
			BeforeStep: func(_ *agent.Conversation, s *agent.StepRequest) error {
				for _, m := range s.Messages {
					if result, ok := m.Content[0].(model.ToolResult); ok {
						fmt.Println(result.OutputText())
					}
				}
				return nil
			},
		},
	}
	play([]agent.Agent{assistant}, "connect tab", "say tab R1 u1: Locate Bern", "run", "say tab R2 u1: Locate Bern | $R1 | u2: Hello", "run")
	// Output: The person did not let locate run.
}
