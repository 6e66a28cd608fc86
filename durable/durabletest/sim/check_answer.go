package sim

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// This file holds that whatever a person has answered is known to the turn or helper that has
// asked. Checks know the table ask (call, state).

// answersAreTaken notes what people have answered that an object has taken: the root's own call
// is no longer open then, and a helper is told.
func answersAreTaken(s *Sim, h durabletest.HandledEvent) {
	id, ok := answerTo(h.Event)
	if !ok || h.Slot != "" || h.Trap != nil {
		return
	}
	for _, c := range h.Commands {
		// The event may also resend answers that were given before.
		if call, ok := c.(durable.Call); ok && strings.HasPrefix(call.Call, "answer/") && bytes.Contains(call.Data, []byte(id)) {
			s.checks.promised[id] = true
		}
	}
}

// answersAreKnown is that nobody waits for what was answered, where nothing is under way any
// more.
func (s *Sim) answersAreKnown() {
	for _, slot := range s.world.Slots() {
		object := s.world.Object(slot)
		if slot == "" || !s.made(object) {
			continue
		}
		for _, call := range s.openAsks(object) {
			if s.checks.promised[call] {
				s.fail("answer", "%q waits for an answer to %s, which a person has given", slot, call)
			}
		}
	}
}

// approvedCallsHaveRun is that a call which a person has approved has an outcome where nothing is
// under way any more, or is kept to be run by the next turn.
func approvedCallsHaveRun(s *Sim) {
	for _, slot := range s.world.Slots() {
		object := s.world.Object(slot)
		if !s.made(object) {
			continue
		}
		for _, row := range s.rows(object, `SELECT part.value ->> 'toolCallId' FROM message, json_each(message.body, '$.parts') AS part
			WHERE json_valid(message.body) AND part.value ->> 'state' = 'approval-responded'
			AND part.value ->> 'toolCallId' NOT IN (SELECT call FROM ask)`) {
			s.fail("answer", "%q was allowed to run %s, and does not", slot, row.Text(0))
		}
	}
}

// questionsAreShown is that nobody is asked anything by a message that is gone.
func questionsAreShown(s *Sim) {
	for _, slot := range s.world.Slots() {
		object := s.world.Object(slot)
		if !s.made(object) {
			continue
		}
		for _, row := range s.rows(object, `SELECT call, message FROM ask WHERE message NOT IN (SELECT id FROM message)`) {
			s.fail("answer", "%q waits for an answer to %s, and its message %s is gone", slot, row.Text(0), row.Text(1))
		}
	}
}

// openAsks returns the calls of an object that nobody has answered.
func (s *Sim) openAsks(object string) []string {
	var open []string
	if !s.made(object) {
		return nil
	}
	for _, row := range s.rows(object, `SELECT call FROM ask WHERE state = 'open' ORDER BY seq`) {
		open = append(open, row.Text(0))
	}
	return open
}

// goesOnWhenAllIsAnswered is that no turn is queued by an answer while people still have to give
// another one to the same message of the root.
func goesOnWhenAllIsAnswered(s *Sim, h durabletest.HandledEvent) {
	if h.Slot != "" || h.Trap != nil || !s.asking || !s.made(h.Object) {
		return
	}
	a := &s.checks.openQuestions
	call, isAnswer := answerTo(h.Event)
	open := map[string]bool{}
	for _, row := range s.rows(h.Object, `SELECT call, message, state FROM ask`) {
		a.messages[row.Text(0)] = row.Text(1)
		open[row.Text(1)] = open[row.Text(1)] || row.Text(2) == "open"
	}
	last := int64(0)
	for _, t := range s.checks.turns {
		last = max(last, t.seq)
	}
	if isAnswer && last > a.lastTurn && open[a.messages[call]] {
		s.fail("answer", "an answer to %s has a turn go on, and others to the same message are missing", call)
	}
	a.lastTurn = last
}

// openQuestions is what is known of the questions of the root: their messages, and the last turn.
type openQuestions struct {
	messages map[string]string
	lastTurn int64
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
