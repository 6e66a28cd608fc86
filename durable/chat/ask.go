package chat

import (
	"fmt"

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
	h.emit(tx, l.ends("tool-calls")...)
	h.settle(tx, turn.Completed, "")
}

// reply is what somebody has answered to a call: the chunk that says so, and whether
// the model shall go on.
type reply struct {
	chunk  protocol.Chunk
	goesOn bool
}

func resultReply(f protocol.ToolResult) reply {
	failure := f.Failure
	if failure == "" && len(f.Output) > MaxOutput {
		failure = fmt.Sprintf("the tool returned %d bytes, at most %d", len(f.Output), MaxOutput)
	}
	if failure != "" {
		return reply{protocol.Chunk{Type: protocol.ChunkToolOutputError, ToolCallID: f.CallID, ErrorText: failure}, f.Continue}
	}
	return reply{protocol.Chunk{Type: protocol.ChunkToolOutput, ToolCallID: f.CallID, Output: f.Output}, f.Continue}
}

func approvalReply(f protocol.ToolApproval) reply {
	if !f.Approved {
		return reply{protocol.Chunk{Type: protocol.ChunkToolDenied, ToolCallID: f.CallID}, f.Continue}
	}
	return reply{protocol.Chunk{Type: protocol.ChunkToolApproved, ToolCallID: f.CallID, ApprovalID: f.CallID, Approved: &f.Approved}, f.Continue}
}

// answer takes the first answer to a call. Later ones, from other tabs, and those to
// calls that nobody knows are passed over. It says whether the answer was taken.
func (h *Host) answer(tx *durable.Tx, conn durable.ConnID, r reply) bool {
	if h.answerLive(tx, r) {
		return true
	}
	open := asks(tx, `call = ? AND state = ?`, r.chunk.ToolCallID, askOpen)
	if len(open) == 0 || !h.amend(tx, open[0], r.chunk) {
		return false
	}
	a, state := open[0], askAnswered
	if r.chunk.Type == protocol.ChunkToolApproved {
		state = askApproved
	}
	tx.SQL(`UPDATE ask SET state = ?, goes_on = ? WHERE call = ?`, state, r.goesOn || a.run != "", a.call)
	h.goOn(tx, conn, a.message)
	return true
}

// answerLive takes an answer to a call of the turn that speaks, whose other calls
// are still under way.
func (h *Host) answerLive(tx *durable.Tx, r reply) bool {
	l := h.live
	if l == nil || len(l.running) == 0 {
		return false
	}
	id := r.chunk.ToolCallID
	part, ok := l.fold.Call(id)
	if !ok || !part.Open() || l.isRunning(id) || !fits(part, r.chunk) {
		return false
	}
	h.emit(tx, r.chunk)
	send(tx, protocol.MessageUpdated(l.fold.Message()), h.roster.all()...)
	for _, call := range l.wanted {
		if call.ID == id {
			h.useTools(tx, []turn.Call{call})
		}
	}
	return true
}

// fits says whether an answer is one to what a part waits for.
func fits(part protocol.Part, c protocol.Chunk) bool {
	isAnswer := c.Type == protocol.ChunkToolApproved || c.Type == protocol.ChunkToolDenied
	return !isAnswer || part.State == protocol.ApprovalRequested
}

// amend applies a chunk to the stored message that an ask is about, shows it, and
// puts it into the log of the run that waits.
func (h *Host) amend(tx *durable.Tx, a ask, c protocol.Chunk) bool {
	m, ok := load(tx, a.message)
	if !ok {
		return false
	}
	fold := protocol.Continue(m)
	if part, ok := fold.Call(a.call); !ok || !part.Open() || !fits(part, c) {
		return false
	}
	fold.Apply(c)
	if fold.Bytes() > MaxAnswer+MaxOutput {
		return false
	}
	m = fold.Message()
	amendMessage(tx, m)
	send(tx, protocol.MessageUpdated(m), h.roster.all()...)
	h.logForRun(tx, a.run, c)
	return true
}

// goOn queues the turn that goes on behind a message, once all of its calls are
// answered.
func (h *Host) goOn(tx *durable.Tx, conn durable.ConnID, message string) {
	if len(asks(tx, `message = ? AND state = ?`, message, askOpen)) > 0 {
		return
	}
	goesOn, run := false, ""
	for _, a := range asks(tx, `message = ?`, message) {
		goesOn, run = goesOn || a.goesOn, a.run
	}
	tx.SQL(`DELETE FROM ask WHERE message = ? AND state = ?`, message, askAnswered)
	if !goesOn {
		return
	}
	t := turn.Turn{Request: tx.NewID(), Conn: conn, Reply: tx.NewID(), Place: places(tx, 1)}
	if run != "" {
		h.continueTask(tx, run, t)
	} else {
		turn.Accept(tx, t)
	}
	h.advance(tx)
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
	if len(l.owed) > 0 {
		h.collect(tx)
	}
	return len(l.owed) > 0
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
