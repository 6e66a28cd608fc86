package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file is about how a person's answer reaches the helper that asked. The answer is stored as a
// row first, and is sent until the helper has acknowledged it, like a cancellation. The page does
// not send it again, because it disables its buttons once they are pressed.

// storedAnswer returns the answer to a call that this helper has received from its parent, if any.
func storedAnswer(tx *durable.Tx, call string) (approved, ok bool) {
	for _, row := range tx.SQL(`SELECT approved FROM heard WHERE call = ?`, call) {
		return row.Bool(0), true
	}
	return false, false
}

// answer takes a person's answer to a call of a run. A duplicate changes nothing. An answer to a
// question that is not open is refused.
func (c helperCall) answer(r facet.AnswerRequest) (facet.AcceptResult, error) {
	if approved, ok := storedAnswer(c.tx, r.Call); ok {
		return facet.AcceptResult{Gone: approved != r.Approved}, nil
	}
	answer := protocol.ToolApproval{CallID: r.Call, Approved: r.Approved, Continue: true}
	if !c.object.answer(c.tx, "", approvalReply(answer)) && !c.object.runs.Answer(c.tx, "", r.Call, r.Approved) {
		return facet.AcceptResult{Gone: true}, nil
	}
	c.tx.SQL(`INSERT INTO heard (call, approved) VALUES (?, ?)`, r.Call, r.Approved)
	return facet.AcceptResult{}, nil
}
