package chat

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// reply is what somebody has answered to a call: the chunk that says so, and whether
// the model shall go on.
type reply struct {
	chunk  protocol.Chunk
	goesOn bool
}

func resultReply(f protocol.ToolResult) reply {
	if f.Failure != "" {
		return reply{protocol.Chunk{Type: protocol.ChunkToolOutputError, ToolCallID: f.CallID, ErrorText: f.Failure}, f.Continue}
	}
	return reply{protocol.Chunk{Type: protocol.ChunkToolOutput, ToolCallID: f.CallID, Output: f.Output}, f.Continue}
}

func approvalReply(f protocol.ToolApproval) reply {
	if !f.Approved {
		return reply{protocol.Chunk{Type: protocol.ChunkToolDenied, ToolCallID: f.CallID}, f.Continue}
	}
	return reply{protocol.Chunk{Type: protocol.ChunkToolApproved, ToolCallID: f.CallID, ApprovalID: f.CallID, Approved: &f.Approved}, f.Continue}
}

// result takes what a tool in the browser has returned. The result of any other tool is the
// server's to give: taken from a browser, it would stand for a call that nobody has approved, and
// that was never made. A client shows a result as soon as it sends it, so whoever sent one that is
// refused is sent the message as it is.
func (h *Host) result(tx *durable.Tx, conn durable.ConnID, f protocol.ToolResult) {
	if m, tool := h.serverToolOf(tx, f.CallID); tool != "" {
		send(tx, protocol.MessageUpdated(m), conn)
		send(tx, protocol.Complaint(fmt.Sprintf("the tool %.80q runs on the server, which takes no result for it", tool)), conn)
		tx.Log(durable.Warn, "a result for a tool of the server was refused", "conn", string(conn), "call", f.CallID)
		return
	}
	h.answer(tx, conn, resultReply(f))
}

// serverToolOf names the tool of an open call that does not run in the browser, and returns the
// message that made the call; or it returns "". The call is one of the turn that speaks, or one
// that waits for somebody.
func (h *Host) serverToolOf(tx *durable.Tx, call string) (protocol.Message, string) {
	if l := h.live; l != nil {
		if name, found := h.serverToolIn(l.fold, call); found {
			return l.message(), name
		}
	}
	for _, a := range asks(tx, `call = ?`, call) {
		m, _ := load(tx, a.message)
		name, _ := h.serverToolIn(protocol.Continue(m), call)
		return m, name
	}
	return protocol.Message{}, ""
}

// serverToolIn is the same for a message, and says whether the call is one of it. A browser that
// offers a tool no more may still answer a call of it; a tool of the agent's own goes before one of
// that name.
func (h *Host) serverToolIn(fold *protocol.Fold, call string) (name string, found bool) {
	part, found := fold.Call(call)
	if !found || !part.Open() {
		return "", found
	}
	asked := part.State == protocol.ApprovalRequested || part.State == protocol.ApprovalResponded
	i := slices.IndexFunc(h.agent.Tools, func(t Tool) bool { return t.Name == part.ToolName && (t.When == nil || t.When(h.vars)) })
	if asked || i >= 0 && !h.agent.Tools[i].Client {
		return part.ToolName, true
	}
	return "", true
}

// answer takes the first answer to a call. Later ones, from other tabs, and those to
// calls that nobody knows are passed over. It says whether the answer was taken.
func (h *Host) answer(tx *durable.Tx, conn durable.ConnID, r reply) bool {
	if h.answerLive(tx, r) {
		return true
	}
	open := asks(tx, `call = ? AND state = ?`, r.chunk.ToolCallID, askOpen)
	if len(open) == 0 || !h.amend(tx, open[0], h.judgedFor(tx, open[0], r.chunk)) {
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
	h.goOnApart(tx)
	l := h.live
	if l == nil || len(l.running) == 0 {
		return false
	}
	id := r.chunk.ToolCallID
	part, ok := l.fold.Call(id)
	if !ok || !part.Open() || l.isRunning(id) || !fits(part, r.chunk) {
		return false
	}
	h.emit(tx, l.bounded(h.judged(tx, h.turnInfo, part, r.chunk)))
	send(tx, protocol.MessageUpdated(l.message()), h.roster.all()...)
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

// judged is what becomes of an answer that brings what a tool in the browser has
// returned.
func (h *Host) judged(tx *durable.Tx, in turnInfo, part protocol.Part, c protocol.Chunk) protocol.Chunk {
	var err error
	switch c.Type {
	case protocol.ChunkToolOutput:
	case protocol.ChunkToolOutputError:
		err = errors.New(c.ErrorText)
	default:
		return c
	}
	call := turn.Call{ID: part.ToolCallID, Name: part.ToolName, Input: part.Input}
	output, err := h.judge(tx, in, call, c.Output, err)
	return ended(c.ToolCallID, output, err)
}

// ended is the chunk that ends a call.
func ended(call string, output json.RawMessage, err error) protocol.Chunk {
	if err != nil {
		return protocol.Chunk{Type: protocol.ChunkToolOutputError, ToolCallID: call, ErrorText: wordsOf(err, "the tool failed")}
	}
	return protocol.Chunk{Type: protocol.ChunkToolOutput, ToolCallID: call, Output: output}
}

// wordsOf is what is told of a call's error, or the words in place of an empty one.
func wordsOf(err error, otherwise string) string {
	return cmp.Or(protocol.CutOffQuoted(err.Error(), limit.ToolError), otherwise)
}

// judgedFor is [Host.judged] for a call of a turn that is over.
func (h *Host) judgedFor(tx *durable.Tx, a ask, c protocol.Chunk) protocol.Chunk {
	m, _ := load(tx, a.message)
	part, ok := protocol.Continue(m).Call(a.call)
	if !ok || !part.Open() {
		return c
	}
	return h.judged(tx, func(*durable.Tx) TurnInfo { return TurnInfo{Run: a.run} }, part, c)
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
	m = amendMessage(tx, fold.Message())
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
		h.admit(tx, t)
	}
	h.advance(tx)
}
