package office

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
)

// This file is about the questions of clerks. It reads the table question (id, run) of the root.

// QuestionsAreNoted notes which run asks which question, and which answers the root has received.
func (r *Rules) QuestionsAreNoted(e check.Event) {
	if e.Slot != "" || e.Trap != nil || !r.Mode.Office || !r.Made(e.Object) {
		return
	}
	if written := r.Storage(e.Object).Written("question"); written != r.questionsWritten {
		r.questionsWritten = written
		for _, row := range r.Rows(e.Object, `SELECT id, run FROM question WHERE run <> ''`) {
			if id, run := row.Text(0), row.Text(1); !slices.Contains(r.questions[run], id) {
				r.questions[run] = append(r.questions[run], id)
			}
		}
	}
	m, ok := e.Event.(durable.SocketMessage)
	if !ok || !strings.Contains(m.Text, `"cf_agent_tool_`) {
		return
	}
	var f struct {
		ToolCallID string
		Approved   *bool
		Output     json.RawMessage
	}
	if json.Unmarshal([]byte(m.Text), &f) != nil {
		return
	}
	r.answers[f.ToolCallID] = append(r.answers[f.ToolCallID], answerIn(f.Approved, f.Output))
}

// answerIn returns a person's answer in a word.
func answerIn(approved *bool, output json.RawMessage) string {
	var word string
	switch {
	case approved != nil && *approved, string(output) == "true":
		return "yes"
	case approved != nil, string(output) == "false":
		return "no"
	case json.Unmarshal(output, &word) == nil:
		return word
	}
	return "denied"
}

// wasAnswered says whether a person has given an answer to one of the questions of a run.
func (r *Rules) wasAnswered(run, answer string) bool {
	return slices.ContainsFunc(r.questions[run], func(id string) bool { return slices.Contains(r.answers[id], answer) })
}
