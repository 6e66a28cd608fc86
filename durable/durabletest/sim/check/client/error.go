package client

import (
	"encoding/json"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
)

// relayedAnswer is the answer of a person that is passed on to a helper.
type relayedAnswer struct {
	conn     durable.ConnID
	call     string
	approved bool
}

// ErrorsAreTrue checks that a person is told that an answer came too late only if the helper has
// not done as the person said, or if the question was answered on the helper's own page as well. Of
// several answers that come before the helper has taken one, the first counts.
func (r *Rules) ErrorsAreTrue(e check.Event) {
	if e.Slot != "" || e.Trap != nil {
		return
	}
	switch event := e.Event.(type) {
	case durable.SocketMessage:
		r.keepRelayed(e, event)
	case durable.CallAnswered:
		a, known := r.relayed[event.Call]
		if known && isSent(e, a.conn, "tributary_error") && !r.onPages[a.call] && r.isObeyed(a) {
			r.Fail("answer", "%s is told that the answer to %s had no effect, and it had", a.conn, a.call)
		}
	}
}

// keepRelayed notes an answer that arrives.
func (r *Rules) keepRelayed(e check.Event, m durable.SocketMessage) {
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
	if !r.onRoot(m.Conn) {
		r.onPages[f.ToolCallID] = true
	}
	for _, c := range e.Commands {
		if call, ok := c.(durable.Call); ok && strings.HasPrefix(call.Call, "answer/") && r.relayed[call.Call].call == "" {
			r.relayed[call.Call] = relayedAnswer{m.Conn, f.ToolCallID, f.Approved}
		}
	}
}

// isObeyed says whether a helper has stored that it does as a person said.
func (r *Rules) isObeyed(a relayedAnswer) bool {
	for _, slot := range r.World.Slots() {
		object := r.World.Object(slot)
		if slot == "" || !r.Made(object) {
			continue
		}
		for _, row := range r.Rows(object, `SELECT part.value ->> 'state' FROM message, json_each(message.body, '$.parts') AS part
			WHERE json_valid(message.body) AND part.value ->> 'toolCallId' = ?`, a.call) {
			state := row.Text(0)
			return a.approved && (state == "approval-responded" || state == "output-available") || !a.approved && state == "output-denied"
		}
	}
	return false
}
