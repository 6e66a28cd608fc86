package sim

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// This file holds that nobody is told in vain that an answer came too late.

// relayedAnswer is an answer that is handed to a helper.
type relayedAnswer struct {
	conn     durable.ConnID
	call     string
	approved bool
}

// relayedAnswers are those answers, by the call that hands them over, and the questions that were
// answered on the pages of helpers.
type relayedAnswers struct {
	relayed map[string]relayedAnswer
	onPages map[string]bool
}

// complaintsAreTrue is that a person is told so only if the helper has not done as the person said,
// or if it was said on the helper's own page as well. Of several answers that come before the helper
// has taken one, the first counts.
func complaintsAreTrue(s *Sim, h durabletest.HandledEvent) {
	if h.Slot != "" || h.Trap != nil {
		return
	}
	switch e := h.Event.(type) {
	case durable.SocketMessage:
		s.relays(h, e)
	case durable.CallAnswered:
		a, known := s.checks.relayed[e.Call]
		told := slices.ContainsFunc(s.checks.sent, func(f sent) bool { return f.frame.Type == "tributary_error" && slices.Contains(f.to, a.conn) })
		if known && told && !s.checks.onPages[a.call] && s.obeyed(a) {
			s.fail("answer", "%s is told that the answer to %s had no effect, and it had", a.conn, a.call)
		}
	}
}

// relays notes an answer that arrives.
func (s *Sim) relays(h durabletest.HandledEvent, m durable.SocketMessage) {
	if !strings.Contains(m.Text, "cf_agent_tool_approval") {
		return
	}
	var f struct {
		ToolCallID string
		Approved   bool
	}
	if json.Unmarshal([]byte(m.Text), &f) != nil {
		return
	}
	if s.checks.met[m.Conn] != "" {
		s.checks.onPages[f.ToolCallID] = true
	}
	for _, c := range h.Commands {
		if call, ok := c.(durable.Call); ok && strings.HasPrefix(call.Call, "answer/") && s.checks.relayed[call.Call].call == "" {
			s.checks.relayed[call.Call] = relayedAnswer{m.Conn, f.ToolCallID, f.Approved}
		}
	}
}

// obeyed says whether a helper shows that it has done as a person said.
func (s *Sim) obeyed(a relayedAnswer) bool {
	for _, slot := range s.world.Slots() {
		object := s.world.Object(slot)
		if slot == "" || !s.made(object) {
			continue
		}
		for _, row := range s.rows(object, `SELECT part.value ->> 'state' FROM message, json_each(message.body, '$.parts') AS part
			WHERE json_valid(message.body) AND part.value ->> 'toolCallId' = ?`, a.call) {
			state := row.Text(0)
			return a.approved && (state == "approval-responded" || state == "output-available") || !a.approved && state == "output-denied"
		}
	}
	return false
}
