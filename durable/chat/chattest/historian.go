package chattest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/model"
)

var (
	// historian is a conversation whose model is sent 200 tokens of it, and answers with what it was
	// sent, see [recalling].
	historian = agent.Agent{Name: "Historian", Model: recalling{}, History: 200, Tools: fetches, Hooks: agent.Hooks{Compact: summarize}}
	// collector has the default history, and many steps.
	collector = agent.Agent{Name: "Collector", Model: recalling{}, MaxSteps: 100, Tools: fetches}
)

// fetches has one tool. It returns a list of as many texts of 1,000 bytes as its input says.
var fetches = []agent.Tool{{Name: "fetch", Run: func(_ *agent.Context, input json.RawMessage) (json.RawMessage, error) {
	var asked struct{ Size int }
	if err := json.Unmarshal(input, &asked); err != nil {
		return nil, err
	}
	list := []string{}
	for range asked.Size {
		list = append(list, strings.Repeat("<", 1000))
	}
	return json.RawMessage(`{"kind":"list","items":["` + strings.Join(list, `","`) + `"]}`), nil
}}}

// summarize counts what is left out, unless a person has asked it to fail.
func summarize(_ *agent.Conversation, l agent.LeftOut) ([]model.Message, error) {
	told := shown(l.Messages)
	switch {
	case strings.Contains(told, "secret"):
		return nil, errors.New("there are secrets in it")
	case strings.Contains(told, "talkative"):
		return []model.Message{{Role: model.User, Content: []model.Content{model.Text{Text: strings.Repeat("so much ", 100)}}}}, nil
	}
	text := fmt.Sprintf("(before step %d of %s: %d messages, earlier %v)", l.Step, l.Request, len(l.Messages), l.Earlier)
	return []model.Message{{Role: model.User, Content: []model.Content{model.Text{Text: text}}}}, nil
}

// recalling is a model that answers with what it was sent. The words fetch=N size=M in a question
// have it first call the tool fetch in N steps.
type recalling struct{}

func (recalling) Name() string { return "recall" }

func (recalling) Begin(tx *durable.Tx, id string, r model.Request) (model.Answer, error) {
	tx.Do(durable.StartTimer{Timer: id})
	question := ""
	for _, m := range r.Messages {
		if m.Role == model.User {
			question = m.Content[0].(model.Text).Text
		}
	}
	var steps, size, done int
	fmt.Sscanf(question, "fetch=%d size=%d", &steps, &size)
	if last := lastOf(r.Messages); last.Role == model.ToolRole {
		fmt.Sscanf(last.Content[0].(model.ToolResult).ID, "fetch-%d", &done)
	}
	if done < steps {
		call := model.ToolCall{ID: fmt.Sprintf("fetch-%d", done+1), Name: "fetch", Input: fmt.Appendf(nil, `{"size":%d}`, size)}
		return recalled{model.ToolCallStarted{ID: call.ID, Name: call.Name}, call, model.Finished{Reason: model.ToolCalls}}, nil
	}
	return recalled{model.TextDelta{Text: "I was told " + shown(r.Messages)}, model.Finished{Reason: model.Stop}}, nil
}

type recalled []model.Delta

func (r recalled) Take(*durable.Tx, durable.Event) ([]model.Delta, error) { return r, nil }

func (recalled) Cancel(*durable.Tx) {}

// shown returns messages in a short form.
func shown(messages []model.Message) string {
	var all []string
	for _, m := range messages {
		for _, c := range m.Content {
			switch c := c.(type) {
			case model.Text:
				all = append(all, c.Text[:min(len(c.Text), 24)])
			case model.ToolCall:
				all = append(all, c.ID+" "+string(c.Input))
			case model.ToolResult:
				all = append(all, fmt.Sprintf("%s: %d bytes", c.ID, len(c.Output)))
			}
		}
	}
	return strings.Join(all, " / ")
}
