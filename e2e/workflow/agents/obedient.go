package agents

import (
	"encoding/json"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/model"
)

// obedient is a model that makes all the tool calls which the last message lists as JSON, and then
// repeats what it was told of their ends. Anything else it repeats.
type obedient struct{}

// wanted is a call in a message.
type wanted struct {
	Tool  string          `json:"tool"`
	Input json.RawMessage `json:"input"`
}

// obeying is an answer of the model, which comes at once.
type obeying struct {
	id     string
	deltas []model.Delta
}

func (obedient) Name() string { return "obedient" }

func (obedient) Begin(tx *durable.Tx, id string, r model.Request) (model.Answer, error) {
	tx.Do(durable.StartTimer{Timer: id})
	var asked string
	var results []string
	for _, m := range r.Messages {
		for _, c := range m.Content {
			switch c := c.(type) {
			case model.Text:
				if m.Role == model.User {
					asked, results = c.Text, nil
				}
			case model.ToolResult:
				results = append(results, string(c.Output))
			}
		}
	}
	var calls []wanted
	if len(results) > 0 || json.Unmarshal([]byte(asked), &calls) != nil {
		text := strings.Join(append(results, asked)[:max(1, len(results))], "\n")
		return &obeying{id, []model.Delta{model.TextDelta{Text: text[len(r.Said):]}, model.Finished{Reason: model.Stop}}}, nil
	}
	var deltas []model.Delta
	for _, c := range calls {
		made := model.ToolCall{ID: "call_" + tx.NewID(), Name: c.Tool, Input: c.Input}
		deltas = append(deltas, model.ToolCallStarted{ID: made.ID, Name: made.Name}, made)
	}
	return &obeying{id, append(deltas, model.Finished{Reason: model.ToolCalls})}, nil
}

func (o *obeying) Take(_ *durable.Tx, event durable.Event) ([]model.Delta, error) {
	deltas := o.deltas
	if _, fired := event.(durable.TimerFired); !fired {
		return nil, nil
	}
	o.deltas = nil
	return deltas, nil
}

func (o *obeying) Cancel(tx *durable.Tx) { tx.Do(durable.StopTimer{Timer: o.id}) }
