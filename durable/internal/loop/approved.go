package loop

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/approval"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/internal/reply"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// pauseTurn ends the active turn because its calls wait for a person or a browser.
func (l *Loop) pauseTurn(tx *durable.Tx) {
	a := l.active
	k, _ := task.OfTurn(tx, a.turn.Seq)
	for _, call := range a.openCalls() {
		approval.Ask(tx, approval.Call{ID: call, Message: a.turn.Reply, Run: k.Run, Claims: a.turn.Claims, History: string(a.turn.NextHistory())})
	}
	l.config.AfterStep(tx, nil)
	l.emit(tx, reply.EndChunks("tool-calls", a.spent())...)
	l.endTurn(tx, turn.Completed, "")
}

// runApproved runs the calls that were approved before the active turn began. It says whether there
// were any.
func (l *Loop) runApproved(tx *durable.Tx) bool {
	a := l.active
	for _, p := range approval.OfTurn(tx, a.turn.Seq) {
		m, _ := message.Load(tx, p.Message)
		part, _ := protocol.Continue(m).Call(p.ID)
		a.approvedCalls = append(a.approvedCalls, p)
		l.startTool(tx, turn.Call{ID: p.ID, Name: part.ToolName, Input: part.Input})
	}
	if len(a.approvedCalls) == 0 {
		return false
	}
	l.collectResults(tx) // all may have ended at once; then the model is asked
	return true
}

// approvedCall finds an approved call of an earlier message.
func (a *activeTurn) approvedCall(call string) (approval.Call, bool) {
	if i := a.approvedAt(call); i >= 0 {
		return a.approvedCalls[i], true
	}
	return approval.Call{}, false
}

func (a *activeTurn) approvedAt(call string) int {
	return slices.IndexFunc(a.approvedCalls, func(p approval.Call) bool { return p.ID == call })
}

// waitFurther ends the active turn, which was queued to go on with code that had asked a person, or with
// approved calls of which the code has asked one since, if calls of each message that it has taken calls
// of wait for a person. It says whether it did so. A turn that answers a message goes on, and so does one
// that was queued because a message has no open call left: if both were queued, the second one has no
// calls, and goes on.
func (l *Loop) waitFurther(tx *durable.Tx, calls []approval.Call) bool {
	a := l.active
	goesOn := len(a.turn.Origin) > 0 || !slices.ContainsFunc(calls, func(p approval.Call) bool { return p.Routine != "" })
	for _, p := range calls {
		if !approval.IsUnfinished(tx, p.Message) {
			approval.DeleteAnswered(tx, p.Message)
			goesOn = true
		}
	}
	if goesOn {
		return false
	}
	l.emit(tx, reply.EndChunks("tool-calls", a.spent())...)
	l.endTurn(tx, turn.Completed, "")
	return true
}

// endApprovedCall ends a call that an earlier message has made, and shows its files.
func (l *Loop) endApprovedCall(tx *durable.Tx, p approval.Call, c protocol.Chunk, files []protocol.Chunk) {
	l.report(tx, Amended{p, c, files})
	approval.Delete(tx, p.ID)
}
