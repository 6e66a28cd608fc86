package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/approval"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/internal/reply"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file is about tool calls that wait for a person's approval, or for a tool in the browser.
// The turn that made them ends, so that nothing is held while they wait. The open calls are rows.
// When the last call of a message is answered, another turn continues. It has a message of its own,
// because the first turn's message has been sent and stored, and others may have followed it.

// pauseTurn ends the active turn because its calls wait for a person or a browser.
func (o *Object) pauseTurn(tx *durable.Tx) {
	a := o.active
	k, _ := task.OfTurn(tx, a.turn.Seq)
	for _, call := range a.draft.Fold.OpenCalls() {
		approval.Ask(tx, approval.Call{ID: call, Message: a.turn.Reply, Run: k.Run})
	}
	o.afterStep(tx)
	o.emit(tx, reply.EndChunks("tool-calls", a.spent())...)
	o.endTurn(tx, turn.Completed, "")
}

// runApproved runs the calls that were approved before the active turn began. It says whether there
// were any.
func (o *Object) runApproved(tx *durable.Tx) bool {
	a := o.active
	for _, p := range approval.OfTurn(tx, a.turn.Seq) {
		m, _ := message.Load(tx, p.Message)
		part, _ := protocol.Continue(m).Call(p.ID)
		a.approvedCalls = append(a.approvedCalls, p)
		o.startTool(tx, turn.Call{ID: p.ID, Name: part.ToolName, Input: part.Input})
	}
	if len(a.approvedCalls) == 0 {
		return false
	}
	o.collectResults(tx) // all may have ended at once; then the model is asked
	return true
}

// approvedCall finds an approved call of an earlier message.
func (a *activeTurn) approvedCall(call string) (approval.Call, bool) {
	for _, p := range a.approvedCalls {
		if p.ID == call {
			return p, true
		}
	}
	return approval.Call{}, false
}

// endApprovedCall shows the result of a call that an earlier message has made.
func (o *Object) endApprovedCall(tx *durable.Tx, p approval.Call, c protocol.Chunk) {
	o.amendPendingCall(tx, p, c)
	approval.Delete(tx, p.ID)
}

// dropPendingCalls deletes the pending calls of messages that are gone, and ends the runs that
// waited for them.
func (o *Object) dropPendingCalls(tx *durable.Tx) {
	for _, run := range approval.DeleteLost(tx) {
		if k, ok := task.Find(tx, run); ok && !k.Ended {
			o.abortTask(tx, k, "what it asked was withdrawn")
		}
	}
}
