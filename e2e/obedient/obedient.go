// Package obedient has a model for tests: it makes the calls that it is told to make.
package obedient

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/model"
)

// Model is a model that makes all the tool calls which the last message lists as JSON, and then repeats
// what it was told of their ends. The message [Tools] it answers with the names of its tools, one a line.
// Anything else it repeats.
type Model struct{}

// Tools asks for the names of the tools of which the model was told.
const Tools = "tools?"

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

// Name returns "obedient".
func (Model) Name() string { return "obedient" }

// Begin implements [model.Model].
func (Model) Begin(tx *durable.Tx, id string, r model.Request) (model.Answer, error) {
	tx.Do(durable.StartTimer{Timer: id})
	asked, results := last(r)
	var calls []wanted
	if len(results) > 0 || json.Unmarshal([]byte(asked), &calls) != nil {
		text := strings.Join(append(results, asked)[:max(1, len(results))], "\n")
		if asked == Tools {
			text = names(r.Tools)
		}
		return &obeying{id, []model.Delta{model.TextDelta{Text: text[len(r.Said):]}, model.Finished{Reason: model.Stop}}}, nil
	}
	var deltas []model.Delta
	for _, c := range calls {
		made := model.ToolCall{ID: "call_" + tx.NewID(), Name: c.Tool, Input: c.Input}
		deltas = append(deltas, model.ToolCallStarted{ID: made.ID, Name: made.Name}, made)
	}
	return &obeying{id, append(deltas, model.Finished{Reason: model.ToolCalls})}, nil
}

// last returns the last message of the user, and the results behind it.
func last(r model.Request) (asked string, results []string) {
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
	return asked, results
}

func names(tools []model.Tool) string {
	var list []string
	for _, t := range tools {
		list = append(list, t.Name)
	}
	slices.Sort(list)
	return strings.Join(list, "\n")
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
