package object

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
)

// This file checks that the answer of a person reaches the turn or the helper that has asked. It
// reads the table ask (call, state).

// AnswersAreTaken notes the answers that the root passes on to a helper.
func (r *Rules) AnswersAreTaken(e check.Event) {
	id, ok := answerTo(e.Event)
	if !ok || e.Slot != "" || e.Trap != nil {
		return
	}
	for _, c := range e.Commands {
		// The event may also resend answers that were given before.
		if call, ok := c.(durable.Call); ok && strings.HasPrefix(call.Call, "answer/") && bytes.Contains(call.Data, []byte(id)) {
			r.answered[id] = true
		}
	}
}

// AnswersHaveArrived checks that no helper waits for an answer that was given, where nothing is
// under way any more.
func (r *Rules) AnswersHaveArrived() {
	for _, slot := range r.World.Slots() {
		object := r.World.Object(slot)
		if slot == "" || !r.Made(object) {
			continue
		}
		for _, call := range r.OpenCalls(object) {
			if r.answered[call] {
				r.Fail("answer", "%q waits for an answer to %s, and a person has given it", slot, call)
			}
		}
	}
}

// ApprovedCallsHaveRun checks that in a world at rest a call that a person has approved has an
// outcome, or is kept for the next turn.
func (r *Rules) ApprovedCallsHaveRun() {
	for _, slot := range r.World.Slots() {
		object := r.World.Object(slot)
		if !r.Made(object) {
			continue
		}
		for _, row := range r.Rows(object, `SELECT part.value ->> 'toolCallId' FROM message, json_each(message.body, '$.parts') AS part
			WHERE json_valid(message.body) AND part.value ->> 'state' = 'approval-responded'
			AND part.value ->> 'toolCallId' NOT IN (SELECT call FROM ask)`) {
			r.Fail("answer", "%q has not run the approved call %s", slot, row.Text(0))
		}
	}
}

// QuestionsAreShown checks that in a world at rest the message of each question is stored.
func (r *Rules) QuestionsAreShown() {
	for _, slot := range r.World.Slots() {
		object := r.World.Object(slot)
		if !r.Made(object) {
			continue
		}
		for _, row := range r.Rows(object, `SELECT call, message FROM ask WHERE message NOT IN (SELECT id FROM message)`) {
			r.Fail("answer", "%q waits for an answer to %s, and its message %s is gone", slot, row.Text(0), row.Text(1))
		}
	}
}

// GoesOnWhenAllIsAnswered checks that an answer queues no turn while another question of the same
// message is open.
func (r *Rules) GoesOnWhenAllIsAnswered(e check.Event) {
	if e.Slot != "" || e.Trap != nil || !r.Mode.Questions || !r.Made(e.Object) {
		return
	}
	call, isAnswer := answerTo(e.Event)
	open := map[string]bool{}
	for _, row := range r.Rows(e.Object, `SELECT call, message, state FROM ask`) {
		r.questions[row.Text(0)] = row.Text(1)
		open[row.Text(1)] = open[row.Text(1)] || row.Text(2) == "open"
	}
	last := int64(0)
	for _, t := range e.Turns {
		last = max(last, t.Seq)
	}
	if isAnswer && last > r.lastTurn && open[r.questions[call]] {
		r.Fail("answer", "an answer to %s continues the turn, and other questions of the message are open", call)
	}
	r.lastTurn = last
}

// answerTo returns the call that an event brings an answer to.
func answerTo(e durable.Event) (call string, ok bool) {
	m, ok := e.(durable.SocketMessage)
	if !ok || !strings.Contains(m.Text, "cf_agent_tool_") {
		return "", false
	}
	var f struct{ ToolCallID string }
	err := json.Unmarshal([]byte(m.Text), &f)
	return f.ToolCallID, err == nil
}
