package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/approval"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file is about tool calls that wait for a person's approval, or for a tool in the browser.
// The turn that made them ends, so that nothing is held while they wait. The open calls are rows.
// When the last call of a message is answered, another turn continues. It has a message of its own,
// because the first turn's message has been sent and stored, and others may have followed it.

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
