package chattest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/model"
)

// hooked is a conversation with hooks of every kind, which react to words in their input.
var hooked = agent.Agent{
	Name: "Hooked", Instructions: "Be brief.", MaxSteps: 3,
	Tools: []agent.Tool{
		{Name: "echo", Schema: words, Run: func(_ *agent.Context, input json.RawMessage) (json.RawMessage, error) {
			if bytes.Contains(input, []byte("broken")) {
				return nil, errors.New("it is broken")
			}
			return input, nil
		}},
		{Name: "knock", Schema: words, Approval: always, Run: func(_ *agent.Context, input json.RawMessage) (json.RawMessage, error) {
			return input, nil
		}},
		{Name: "browse", Schema: words, Client: true},
	},
	Hooks: agent.Hooks{BeforeStep: beforeStep, BeforeCall: beforeCall, AfterCall: afterCall, AfterStep: afterStep, OnError: onError, Repair: repair},
}

var words = json.RawMessage(`{"type":"object","properties":{"words":{"type":"string"}},"required":["words"]}`)

func beforeStep(_ *agent.Conversation, s *agent.StepRequest) error {
	s.System += fmt.Sprintf(" This is step %d of %s.", s.Step, s.TurnInfo.Request)
	for _, c := range lastOf(s.Messages).Content {
		if t, ok := c.(model.Text); ok && bytes.Contains([]byte(t.Text), []byte("politics")) {
			return errors.New("politics are not talked about here")
		}
	}
	return nil
}

func beforeCall(_ *agent.Conversation, call *agent.ToolCall) error {
	switch {
	case bytes.Contains(call.Input, []byte("forbidden")):
		return errors.New("this is forbidden")
	case bytes.Contains(call.Input, []byte("garbled")):
		call.Input = json.RawMessage(`{"words":`)
	default:
		call.Input = bytes.ReplaceAll(call.Input, []byte("colour"), []byte("color"))
	}
	return nil
}

func afterCall(_ *agent.Conversation, call *agent.ToolCall) error {
	switch {
	case bytes.Contains(call.Output, []byte("fails afterwards")):
		return errors.New("no opinion")
	case bytes.Contains(call.Output, []byte("secret")):
		call.Output = json.RawMessage(`"(something secret)"`)
	case call.Failure != "":
		call.Failure += ", sadly"
	}
	return nil
}

func afterStep(c *agent.Conversation, s agent.StepResult) error {
	var ended []string
	for _, call := range s.Calls {
		ended = append(ended, call.Name+" "+string(call.Output)+call.Failure)
	}
	if err := c.SetState(map[string]any{"step": s.Step, "finish": s.Finish, "ended": ended}); err != nil {
		return err
	}
	return errors.New("noted, and complained about")
}

func onError(_ *agent.Conversation, e agent.TurnError) string {
	if bytes.Contains([]byte(e.Words), []byte("politics")) {
		return ""
	}
	return "Sorry: " + e.Words
}

func repair(_ *agent.Conversation, call agent.ToolCall) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"never_answered":%q}`, call.Name))
}
