package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file is about tool calls that wait for a person's approval, or for a tool in the browser.
// The turn that made them ends, so that nothing is held while they wait. The open calls are rows.
// When the last call of a message is answered, another turn continues. It has a message of its own,
// because the first turn's message has been sent and stored, and others may have followed it.

// The states of a pending call.
const (
	pendingOpen     = "open"
	pendingAnswered = "answered"
	// pendingApproved calls are run by the next turn.
	pendingApproved = "approved"
)

// pendingCall is a tool call that waits for a person, or for a tool in the browser.
type pendingCall struct {
	call, message string
	// run is the parent's run that waits for the call, or "".
	run   string
	state string
	// goesOn says that an answer has asked the model to continue.
	goesOn bool
}

const pendingCallColumns = `call, message, run, state, goes_on`

func scanPendingCall(row durable.Row) pendingCall {
	return pendingCall{call: row.Text(0), message: row.Text(1), run: row.Text(2), state: row.Text(3), goesOn: row.Bool(4)}
}

func pendingCalls(tx *durable.Tx, where string, args ...any) []pendingCall {
	var list []pendingCall
	for _, row := range tx.SQL(`SELECT `+pendingCallColumns+` FROM ask WHERE `+where+` ORDER BY seq`, args...) {
		list = append(list, scanPendingCall(row))
	}
	return list
}

// pauseTurn ends the active turn because its calls wait for a person or a browser.
func (o *Object) pauseTurn(tx *durable.Tx) {
	a := o.active
	k, _ := taskOf(tx, a.turn.Seq)
	for _, call := range a.fold.OpenCalls() {
		tx.SQL(`INSERT INTO ask (call, message, run, state) VALUES (?, ?, ?, ?) ON CONFLICT (call) DO NOTHING`, call, a.turn.Reply, k.run, pendingOpen)
	}
	o.afterStep(tx)
	o.emit(tx, a.endChunks("tool-calls")...)
	o.endTurn(tx, turn.Completed, "")
}

// runApproved runs the calls that were approved before the active turn began. It says whether there
// were any.
func (o *Object) runApproved(tx *durable.Tx) bool {
	a := o.active
	for _, p := range pendingCalls(tx, `turn = ?`, a.turn.Seq) {
		m, _ := loadMessage(tx, p.message)
		part, _ := protocol.Continue(m).Call(p.call)
		a.approvedCalls = append(a.approvedCalls, p)
		o.startTool(tx, turn.Call{ID: p.call, Name: part.ToolName, Input: part.Input})
	}
	if len(a.approvedCalls) == 0 {
		return false
	}
	o.collectResults(tx) // all may have ended at once; then the model is asked
	return true
}

// approvedCall finds an approved call of an earlier message.
func (a *activeTurn) approvedCall(call string) (pendingCall, bool) {
	for _, p := range a.approvedCalls {
		if p.call == call {
			return p, true
		}
	}
	return pendingCall{}, false
}

// endApprovedCall shows the result of a call that an earlier message has made.
func (o *Object) endApprovedCall(tx *durable.Tx, p pendingCall, c protocol.Chunk) {
	o.amendPendingCall(tx, p, c)
	tx.SQL(`DELETE FROM ask WHERE call = ?`, p.call)
}

// dropPendingCalls deletes the pending calls of messages that are gone, and ends the runs that
// waited for them.
func (o *Object) dropPendingCalls(tx *durable.Tx) {
	for _, row := range tx.SQL(`DELETE FROM ask WHERE message NOT IN (SELECT id FROM message) AND turn = 0 RETURNING run`) {
		if k, ok := findTask(tx, row.Text(0)); ok && !k.ended {
			o.abortTask(tx, k, "what it asked was withdrawn")
		}
	}
}
