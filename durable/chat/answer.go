package chat

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/internal/admission"
	"github.com/tributary-agents/tributary/durable/internal/approval"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/internal/claims"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/internal/reply"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// callAnswer is an answer to a call: the chunk that holds it, and whether the model goes on.
type callAnswer struct {
	chunk  protocol.Chunk
	goesOn bool
}

func resultReply(f protocol.ToolResult) callAnswer {
	if f.Failure != "" {
		return callAnswer{protocol.Chunk{Type: protocol.ChunkToolOutputError, ToolCallID: f.CallID, ErrorText: f.Failure}, f.Continue}
	}
	return callAnswer{protocol.Chunk{Type: protocol.ChunkToolOutput, ToolCallID: f.CallID, Output: f.Output}, f.Continue}
}

// result takes what a tool in the browser has returned. The result of any other tool is refused: it
// comes from the server, and a browser could use it to stand for a call that was never approved and
// never made. The tools of a browser are those of one person, and a turn goes on with what they return: a
// result of other claims is refused too. A client shows a result as soon as it sends it. So a client whose
// result is refused is sent the stored message.
func (o *Object) result(tx *durable.Tx, e durable.SocketMessage, f protocol.ToolResult) {
	conn := e.Conn
	if m, tool := o.serverToolOf(tx, f.CallID); tool != "" {
		audience.Send(tx, protocol.MessageUpdated(m), conn)
		audience.Send(tx, protocol.Error(fmt.Sprintf("the tool %.80q runs on the server, which takes no result for it", tool)), conn)
		tx.Log(durable.Warn, "a result for a tool of the server was refused", "conn", string(conn), "call", f.CallID)
		return
	}
	if m, waits := o.waitingFor(tx, f.CallID); waits && !claims.Equal(o.claimsOfCall(tx, f.CallID), o.granted(e.Claims, agent.TurnInfo{Conn: conn})) {
		audience.Send(tx, protocol.MessageUpdated(m), conn)
		audience.Send(tx, protocol.Error("the call is made for somebody else, whose browser alone can return its result"), conn)
		return
	}
	o.answer(tx, conn, resultReply(f))
}

// waitingFor returns the message of a call that waits for an answer, and says whether there is one.
func (o *Object) waitingFor(tx *durable.Tx, call string) (m protocol.Message, waits bool) {
	if _, waits = o.loop.WaitsForAnswer(call); waits {
		return o.loop.Draft().Message(), true
	}
	p, waits := approval.FindOpen(tx, call)
	if waits {
		m, _ = message.Load(tx, p.Message)
	}
	return m, waits
}

// serverToolOf returns the name of the tool of an open call, and the message that made the call.
// The name is "" if the tool runs in the browser. The call belongs to the active turn, or is a
// pending call.
func (o *Object) serverToolOf(tx *durable.Tx, call string) (protocol.Message, string) {
	if o.loop.IsActive() {
		draft := o.loop.Draft()
		if name, found := o.serverToolIn(tx, draft.Fold, call); found {
			return draft.Message(), name
		}
	}
	if p, found := approval.Find(tx, call); found {
		m, _ := message.Load(tx, p.Message)
		name, _ := o.serverToolIn(tx, protocol.Continue(m), call)
		return m, name
	}
	return protocol.Message{}, ""
}

// serverToolIn does the same for one message, and says whether the message has the call. A browser
// may answer a call of a tool that it no longer offers. If the agent has a tool of the same name,
// the agent's tool counts.
func (o *Object) serverToolIn(tx *durable.Tx, fold *protocol.Fold, call string) (name string, found bool) {
	part, found := fold.Call(call)
	if !found || !part.Open() {
		return "", found
	}
	asked := part.State == protocol.ApprovalRequested || part.State == protocol.ApprovalResponded
	i := slices.IndexFunc(o.agent.Tools, func(t agent.Tool) bool { return t.Name == part.ToolName && (t.Enabled == nil || t.Enabled(o.vars)) })
	remote := slices.ContainsFunc(o.serverTools(tx), func(t agent.Tool) bool { return t.Name == part.ToolName })
	if asked || remote || i >= 0 && !o.agent.Tools[i].Client {
		return part.ToolName, true
	}
	return "", true
}

// answer takes the first answer to a call, and says whether it took it. It ignores later answers,
// from other tabs, and answers to unknown calls.
func (o *Object) answer(tx *durable.Tx, conn durable.ConnID, r callAnswer) bool {
	if o.answerActive(tx, r) {
		return true
	}
	p, found := approval.FindOpen(tx, r.chunk.ToolCallID)
	if !found || !o.amendPendingCall(tx, p, o.checkLateAnswer(tx, p, r.chunk), nil) {
		return false
	}
	state := approval.Answered
	if r.chunk.Type == protocol.ChunkToolApproved {
		state = approval.Approved
	}
	approval.Answer(tx, p, state, r.goesOn || p.Run != "")
	o.continueIfAnswered(tx, conn, p)
	return true
}

// answerActive takes an answer to a call of the active turn while other calls of the turn are still
// running.
func (o *Object) answerActive(tx *durable.Tx, r callAnswer) bool {
	o.loop.RetryQuarantined(tx)
	id := r.chunk.ToolCallID
	part, ok := o.loop.WaitsForAnswer(id)
	if !ok || !answers(part, r.chunk) {
		return false
	}
	until := o.actForTurn()
	c := o.checkAnswer(tx, o.turnInfo, part, r.chunk)
	until()
	o.loop.Answer(tx, c)
	o.showDraft(tx)
	o.loop.RunAnswered(tx, id)
	return true
}

// answers says whether a chunk is an answer that the part waits for.
func answers(part protocol.Part, c protocol.Chunk) bool {
	isAnswer := c.Type == protocol.ChunkToolApproved || c.Type == protocol.ChunkToolDenied
	return !isAnswer || part.State == protocol.ApprovalRequested
}

// checkAnswer checks an answer, and returns the chunk to store. Only the result of a tool in the
// browser is checked.
func (o *Object) checkAnswer(tx *durable.Tx, in turnInfo, part protocol.Part, c protocol.Chunk) protocol.Chunk {
	var err error
	switch c.Type {
	case protocol.ChunkToolOutput:
	case protocol.ChunkToolOutputError:
		err = errors.New(c.ErrorText)
	default:
		return c
	}
	call := turn.Call{ID: part.ToolCallID, Name: part.ToolName, Input: part.Input}
	output, err := o.checkResult(tx, in, call, c.Output, err)
	return reply.OutputChunk(c.ToolCallID, output, err)
}

// checkLateAnswer is [Object.checkAnswer] for a call of a turn that is over.
func (o *Object) checkLateAnswer(tx *durable.Tx, p approval.Call, c protocol.Chunk) protocol.Chunk {
	m, _ := message.Load(tx, p.Message)
	part, ok := protocol.Continue(m).Call(p.ID)
	if !ok || !part.Open() {
		return c
	}
	defer o.actFor(p.Claims)()
	return o.checkAnswer(tx, func(*durable.Tx) agent.TurnInfo { return agent.TurnInfo{Run: p.Run, Claims: claimsOf(p.Claims)} }, part, c)
}

// amendPendingCall applies a chunk, and those of files, to the stored message of a pending call and shows
// the message. It appends the chunks to the log of the waiting run.
func (o *Object) amendPendingCall(tx *durable.Tx, p approval.Call, c protocol.Chunk, files []protocol.Chunk) bool {
	o.storeChange(tx)
	m, ok := message.Load(tx, p.Message)
	if !ok {
		return false
	}
	fold := protocol.Continue(m)
	if part, ok := fold.Call(p.ID); !ok || !part.Open() || !answers(part, c) {
		return false
	}
	chunks := append([]protocol.Chunk{c}, files...)
	if c.Type == protocol.ChunkToolOutputError || c.Type == protocol.ChunkToolOutput {
		chunks = append(endsOfCode(fold, p.ID), chunks...)
	}
	for i := range chunks {
		fold.Apply(chunks[i])
	}
	o.showStored(tx, message.Amend(tx, fold.Message()))
	o.appendToTaskLog(tx, p.Run, chunks...)
	return true
}

// endsOfCode returns the chunks that end the open calls of the code of a call. The code itself is over.
func endsOfCode(fold *protocol.Fold, call string) (ends []protocol.Chunk) {
	for _, id := range fold.Calls() {
		if part, ok := fold.Call(id); ok && part.Open() && strings.HasPrefix(id, call+"/") {
			ends = append(ends, protocol.Chunk{Type: protocol.ChunkToolOutputError, ToolCallID: id, ErrorText: "its code is over"})
		}
	}
	return ends
}

// continueIfAnswered queues the turn that continues after a message, once all calls of the message
// are answered. It works for the claims of the turn that made the calls, and is told what that turn was
// told, and what the calls have returned.
func (o *Object) continueIfAnswered(tx *durable.Tx, conn durable.ConnID, answered approval.Call) {
	id := answered.Message
	if approval.HasOpen(tx, id) {
		return
	}
	continues, run := false, ""
	for _, p := range approval.OfMessage(tx, id) {
		continues, run = continues || p.Continues, p.Run
	}
	approval.DeleteAnswered(tx, id)
	if !continues {
		return
	}
	t := goingOn(tx, conn, answered)
	if run != "" {
		o.continueTask(tx, run, t)
	} else {
		admission.Enqueue(tx, t)
	}
	o.startNext(tx)
}

// goingOn returns the turn that goes on after an answer to a call, without a place in the queue.
func goingOn(tx *durable.Tx, conn durable.ConnID, p approval.Call) turn.Turn {
	t := turn.Turn{Request: tx.NewID(), Conn: conn, Reply: tx.NewID(), Place: message.TakePlaces(tx, 1), Claims: p.Claims, History: turn.History(p.History)}
	if t.History == "" { // the call has waited since an earlier release
		made := message.Known(tx, []protocol.Listed{{ID: p.Message}})[p.Message]
		t.History = turn.Turn{Place: made.Place}.NextHistory()
	}
	t.History = turn.HistoryBeside(tx, t.History)
	return t
}

// The rest of this file is about tool calls that wait for a person's approval, or for a tool in the browser.
// The turn that made them ends, so that nothing is held while they wait. The open calls are rows.
// When the last call of a message is answered, another turn continues. It has a message of its own,
// because the first turn's message has been sent and stored, and others may have followed it.

// endApprovedCall shows the result of a call that an earlier message has made.
func (o *Object) endApprovedCall(tx *durable.Tx, p approval.Call, c protocol.Chunk) {
	o.amendPendingCall(tx, p, c, nil)
	approval.Delete(tx, p.ID)
}

// dropPendingCalls deletes the pending calls of messages that are gone, and ends the runs that
// waited for them.
func (o *Object) dropPendingCalls(tx *durable.Tx) {
	runs, routines := approval.DeleteLost(tx)
	o.dropLostQuestions(tx, routines)
	for _, run := range runs {
		if k, ok := task.Find(tx, run); ok && !k.Ended {
			o.abortTask(tx, k, "what it asked was withdrawn")
		}
	}
}
