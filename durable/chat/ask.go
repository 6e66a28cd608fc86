package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file is about calls that wait for a person's approval, or for a tool in the
// browser. The turn that asked ends, so that nothing is held while it waits, and what
// is open stands in rows. When the last call of a message is answered, a turn of its
// own goes on: with a message of its own, because the one that asked has been sent,
// stored, and perhaps followed by others.

// The states of an ask.
const (
	askOpen     = "open"
	askAnswered = "answered"
	// askApproved calls are run by the next turn.
	askApproved = "approved"
)

// ask is a call that waits for somebody.
type ask struct {
	call, message string
	// run is the parent's run that waits with it, or "".
	run   string
	state string
	// goesOn says that an answer has asked the model to go on.
	goesOn bool
}

const askColumns = `call, message, run, state, goes_on`

func scanAsk(row durable.Row) ask {
	return ask{call: row.Text(0), message: row.Text(1), run: row.Text(2), state: row.Text(3), goesOn: row.Bool(4)}
}

func asks(tx *durable.Tx, where string, args ...any) []ask {
	var list []ask
	for _, row := range tx.SQL(`SELECT `+askColumns+` FROM ask WHERE `+where+` ORDER BY seq`, args...) {
		list = append(list, scanAsk(row))
	}
	return list
}

// pause ends the live turn whose calls wait for somebody.
func (h *Host) pause(tx *durable.Tx) {
	l := h.live
	k, _ := taskOf(tx, l.turn.Seq)
	for _, call := range l.fold.OpenCalls() {
		tx.SQL(`INSERT INTO ask (call, message, run, state) VALUES (?, ?, ?, ?) ON CONFLICT (call) DO NOTHING`, call, l.turn.Reply, k.run, askOpen)
	}
	h.afterStep(tx)
	h.emit(tx, l.ends("tool-calls")...)
	h.settle(tx, turn.Completed, "")
}

// useApproved runs the calls that were approved before the live turn began, and says
// whether there are any.
func (h *Host) useApproved(tx *durable.Tx) bool {
	l := h.live
	for _, a := range asks(tx, `turn = ?`, l.turn.Seq) {
		m, _ := load(tx, a.message)
		part, _ := protocol.Continue(m).Call(a.call)
		l.owed = append(l.owed, a)
		h.startTool(tx, turn.Call{ID: a.call, Name: part.ToolName, Input: part.Input})
	}
	if len(l.owed) == 0 {
		return false
	}
	h.collect(tx) // which may find that all have ended at once, and ask the model
	return true
}

// owes finds the ask that a call of an earlier message was.
func (l *live) owes(call string) (ask, bool) {
	for _, a := range l.owed {
		if a.call == call {
			return a, true
		}
	}
	return ask{}, false
}

// endOwed shows what became of a call that an earlier message had asked for.
func (h *Host) endOwed(tx *durable.Tx, a ask, c protocol.Chunk) {
	h.amend(tx, a, c)
	tx.SQL(`DELETE FROM ask WHERE call = ?`, a.call)
}

// withdraw forgets the asks of messages that are gone, and ends the runs that waited
// with them.
func (h *Host) withdraw(tx *durable.Tx) {
	for _, row := range tx.SQL(`DELETE FROM ask WHERE message NOT IN (SELECT id FROM message) AND turn = 0 RETURNING run`) {
		if k, ok := findTask(tx, row.Text(0)); ok && !k.ended {
			h.abortTask(tx, k, "what it asked was withdrawn")
		}
	}
}
