package chat

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/admission"
	"github.com/tributary-agents/tributary/durable/internal/approval"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/internal/mcpserver"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/internal/question"
	"github.com/tributary-agents/tributary/durable/internal/supervisor"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is about questions that code puts to a person. A question is a part of its own in a
// message, and its id is that part's toolCallId. An answer names it, so a second answer can never be
// taken for the answer to the next question.

// The texts of questions that end without an answer.
const (
	withdrawnText = "the question was withdrawn"
	expiredText   = "nobody has answered in time"
	deniedText    = "denied"
)

// Ask implements [author.Object].
func (h host) Ask(tx *durable.Tx, key flow.Key, q author.Question) {
	o := h.o
	switch {
	case o.mcpServer != nil && mcpserver.Owns(key.Routine):
		o.mcpServer.Ask(tx, key, q)
		return
	case q.Client != "":
		flow.Complete(tx, key, nil, "no program has made the call that could be asked")
		return
	}
	claims := o.loop.Turn().Claims
	id, expires := question.NewID(tx), tx.Now+q.Expires
	input, err := withTimes(q.Input, tx.Now, expires)
	if err == nil {
		err = question.Refusal(tx, claims)
	}
	if err == nil {
		err = o.loop.Ask(tx, id, q.Call, input, q.Form)
	}
	if err != nil {
		flow.Complete(tx, key, nil, err.Error())
		return
	}
	question.Ask(tx, question.Question{ID: id, Key: key, Message: o.loop.Turn().Reply, Form: q.Form, Schema: q.Schema, Scopes: q.Scopes, Claims: claims})
	tx.Schedule(question.DueQuestion, id, expires)
	o.tails.QuestionsChanged(tx)
}

// withTimes adds to what a question shows when it was asked, and until when it can be answered.
func withTimes(input json.RawMessage, asked, expires int64) (json.RawMessage, error) {
	var shown map[string]json.RawMessage
	if err := json.Unmarshal(input, &shown); err != nil {
		return nil, err
	}
	shown["asked"], shown["expires"] = limit.MustMarshal(asked), limit.MustMarshal(expires)
	return limit.Marshal(shown)
}

// Withdraw implements [author.Object].
func (h host) Withdraw(tx *durable.Tx, key flow.Key) {
	if h.o.mcpServer != nil && mcpserver.Owns(key.Routine) {
		h.o.mcpServer.Withdraw(tx, key)
		return
	}
	for _, q := range question.OfRoutine(tx, key.Routine) {
		if q.Key == key {
			h.o.closeQuestion(tx, q, "", 0, failed(q, withdrawnText))
		}
	}
}

// withdrawOf ends the questions of a routine that never goes on, and its waits for servers.
func (o *Object) withdrawOf(tx *durable.Tx, routine string) {
	if o.servers != nil {
		o.servers.Withdraw(tx, routine)
	}
	for _, q := range question.OfRoutine(tx, routine) {
		o.closeQuestion(tx, q, "", 0, failed(q, withdrawnText))
	}
}

func failed(q question.Question, why string) protocol.Chunk {
	return protocol.Chunk{Type: protocol.ChunkToolOutputError, ToolCallID: q.ID, ErrorText: why}
}

// closeQuestion ends a question of this object, and its part.
func (o *Object) closeQuestion(tx *durable.Tx, q question.Question, by string, sent int64, chunks ...protocol.Chunk) {
	question.Close(tx, q.ID, by, sent)
	o.amendQuestion(tx, q, chunks)
	o.tails.QuestionsChanged(tx)
}

// amendQuestion shows what has come of a question, in the active turn's message or in a stored one.
func (o *Object) amendQuestion(tx *durable.Tx, q question.Question, chunks []protocol.Chunk) {
	if o.loop.Shows(q.Message) {
		for _, c := range chunks {
			o.loop.Answer(tx, c)
		}
		o.showDraft(tx)
		return
	}
	o.storeChange(tx)
	m, ok := message.Load(tx, q.Message)
	if !ok {
		return
	}
	fold := protocol.Continue(m)
	if part, ok := fold.Call(q.ID); !ok || !part.Open() {
		return
	}
	for _, c := range chunks {
		fold.Apply(c)
	}
	o.showStored(tx, message.Amend(tx, fold.Message()))
	if at := strings.LastIndexByte(q.ID, '/'); q.Approves() && at > 0 {
		parent, _ := approval.Find(tx, q.ID[:at])
		o.appendToTaskLog(tx, parent.Run, chunks...)
	}
}

// answerRefused is why an answer to a question has no effect. If the question is over, it says since
// when, and by whose answer.
type answerRefused struct {
	why    string
	over   bool
	overAt int64
	by     string
}

func (r *answerRefused) Error() string { return r.why }

func lateAnswer(at int64, by string) error {
	return &answerRefused{why: supervisor.AnswerLateText, over: true, overAt: at, by: by}
}

// subjectOf returns who has sent an event, as far as its claims say it, or "".
func subjectOf(claims string) string { return claimsOf(claims).Subject }

// answerOf returns the answer in a frame.
func answerOf(f protocol.Frame) (call string, a question.Answer) {
	switch f := f.(type) {
	case protocol.ToolApproval:
		a = question.Answer{Denied: !f.Approved}
		if call = f.CallID; a.Denied {
			a.Reason = protocol.CutOff(f.Reason, limit.ReportWords)
		}
	case protocol.ToolResult:
		call, a.Value = f.CallID, f.Output
		if f.Failure != "" {
			a = question.Answer{Denied: true, Reason: f.Failure}
		}
		if f.Failure == protocol.DeniedByUser {
			a.Reason = ""
		}
	}
	return call, a
}

// answerQuestion takes a browser's answer if it names a question, and says whether it does. A client
// shows a result as soon as it sends it. So a client whose answer is refused is sent the stored
// message, and why it was refused.
func (o *Object) answerQuestion(tx *durable.Tx, e durable.SocketMessage, f protocol.Frame) bool {
	conn := e.Conn
	id, a := answerOf(f)
	a.By = subjectOf(e.Claims)
	q, known := question.Find(tx, id)
	var err error
	switch {
	case known:
		claims := o.granted(e.Claims, agent.TurnInfo{Conn: conn})
		if err = lacksToAnswer(q, claims); err == nil {
			err = o.takeAnswer(tx, conn, q, a, claims, 0)
		}
	case question.IsID(id) && !o.waitsForCall(tx, id):
		err = lateAnswer(0, "")
	default:
		return false
	}
	if err != nil {
		o.refuseAnswer(tx, conn, q, id, err)
	}
	return true
}

// waitsForCall says whether a call is one of a model whose provider has chosen an id that looks like
// that of a question.
func (o *Object) waitsForCall(tx *durable.Tx, id string) bool {
	_, pending := approval.Find(tx, id)
	_, active := o.loop.WaitsForAnswer(id)
	return pending || active
}

func (o *Object) refuseAnswer(tx *durable.Tx, conn durable.ConnID, q question.Question, id string, err error) {
	if o.loop.Shows(q.Message) {
		audience.Send(tx, protocol.MessageUpdated(o.loop.Draft().Message()), conn)
	} else if m, ok := message.Load(tx, q.Message); ok {
		audience.Send(tx, protocol.MessageUpdated(m), conn)
	}
	refused := protocol.AnswerRefused{Call: id, Reason: err.Error()}
	var r *answerRefused
	if errors.As(err, &r) {
		refused.Over, refused.OverAt, refused.By = r.over, r.overAt, r.by
	}
	audience.Send(tx, refused.Encode(), conn)
}

// lacksToAnswer returns the error of a person whose claims lack a scope for the answer to an open
// question, or nil.
func lacksToAnswer(q question.Question, claims string) error {
	missing := claimsOf(claims).Missing(q.Scopes)
	if !q.Open() || len(missing) == 0 {
		return nil
	}
	_, err := author.Bind.Answered(author.Outcome{Past: approval.Past{Call: q.ID}, Missing: missing})
	return err
}

// takeAnswer takes the answer to a question of this object's code, or hands it to the helper below
// that has asked. by are the claims of the person. sent is the number that the parent has given to the answer, or 0. An answer that
// does not fit the question is an error, and nothing changes.
func (o *Object) takeAnswer(tx *durable.Tx, conn durable.ConnID, q question.Question, a question.Answer, by string, sent int64) error {
	if !q.Open() {
		return lateAnswer(q.OverAt, q.By)
	}
	if err := fits(q, &a); err != nil {
		return err
	}
	if q.Run != "" {
		return o.handDown(tx, conn, q, a, by)
	}
	if o.loop.RetryQuarantined(tx); !o.isOpen(tx, q.ID) { // the retry has ended the turn
		return lateAnswer(tx.Now, "")
	}
	if q.Approves() {
		a.Reason = o.reasonFor(o.claimsOfCode(tx, q.Key.Routine), by, q.Scopes, a.Reason)
	}
	a.At = tx.Now
	o.closeQuestion(tx, q, a.By, sent, chunksOf(q, a)...)
	o.answered(tx, conn, q, a)
	return nil
}

// isOpen says whether a question waits for an answer.
func (o *Object) isOpen(tx *durable.Tx, id string) bool {
	q, ok := question.Find(tx, id)
	return ok && q.Open()
}

// fits says what is wrong with an answer. A question for yes or no can also be answered by a value.
func fits(q question.Question, a *question.Answer) error {
	if len(a.Reason) > limit.QuestionReason {
		return fmt.Errorf("the reason has %d bytes, at most %d", len(a.Reason), limit.QuestionReason)
	}
	if !q.Form && !a.Denied && a.Value == nil {
		a.Value = json.RawMessage("true")
	}
	if a.Denied {
		a.Value = nil
		return nil
	}
	if a.Value == nil {
		return errors.New("the question asks for a value, and not for yes or no")
	}
	if q.Approves() {
		if string(a.Value) != "true" {
			return errors.New("the question asks whether the call may run, and takes no result for it")
		}
		return nil
	}
	if len(a.Value) > limit.QuestionAnswer {
		return fmt.Errorf("the answer has %d bytes, at most %d", len(a.Value), limit.QuestionAnswer)
	}
	if err := protocol.Check(a.Value); err != nil {
		return fmt.Errorf("the answer is no JSON that can be shown: %w", err)
	}
	if err := run.FitAnswer(q.Schema, a.Value); err != nil {
		return err
	}
	if !q.Form && string(a.Value) == "false" {
		a.Denied, a.Value = true, nil
	}
	return nil
}

// chunksOf returns the chunks that end a question's part.
func chunksOf(q question.Question, a question.Answer) []protocol.Chunk {
	yes := true
	switch {
	case a.Denied && q.Approves():
		return []protocol.Chunk{{Type: protocol.ChunkToolDenied, ToolCallID: q.ID, Reason: a.Reason, Automatic: a.Expired}}
	case q.Approves():
		return []protocol.Chunk{{Type: protocol.ChunkToolApproved, ToolCallID: q.ID, ApprovalID: q.ID, Approved: &yes}}
	case a.Denied && !q.Form:
		return []protocol.Chunk{{Type: protocol.ChunkToolDenied, ToolCallID: q.ID}}
	case a.Denied && a.Reason != "":
		return []protocol.Chunk{failed(q, a.Reason)}
	case a.Denied:
		return []protocol.Chunk{failed(q, deniedText)}
	}
	output := protocol.Chunk{Type: protocol.ChunkToolOutput, ToolCallID: q.ID, Output: a.Value}
	if q.Form {
		return []protocol.Chunk{output}
	}
	return []protocol.Chunk{{Type: protocol.ChunkToolApproved, ToolCallID: q.ID, ApprovalID: q.ID, Approved: &yes}, output}
}

// answered gives code the answer to its question.
func (o *Object) answered(tx *durable.Tx, conn durable.ConnID, q question.Question, a question.Answer) {
	if flow.Complete(tx, q.Key, limit.MustMarshal(a), "") {
		o.resumeRoutine(tx, conn, q.Key.Routine)
	}
}

// resumeRoutine has code go on that awaited something: in the active turn, or in a turn of its own if it was
// put away.
func (o *Object) resumeRoutine(tx *durable.Tx, conn durable.ConnID, routine string) {
	switch {
	case o.loop.Runs(routine), o.mcpServer != nil && o.mcpServer.Completed(routine):
		o.agenda.resume = true
	case approval.Resume(tx, routine):
		begun, _ := approval.OfRoutine(tx, routine)
		admission.Enqueue(tx, goingOn(tx, conn, begun))
		o.agenda.next = true
	}
}

// expireQuestion ends a question that nobody has answered in time.
func (o *Object) expireQuestion(tx *durable.Tx, id string) {
	q, ok := question.Find(tx, id)
	if !ok || !q.Open() {
		return
	}
	a, chunks := question.Answer{At: tx.Now, Expired: true}, []protocol.Chunk{failed(q, expiredText)}
	if q.Approves() {
		a.Denied, a.Reason = true, o.expiredWords(tx, q)
		chunks = chunksOf(q, a)
	}
	o.closeQuestion(tx, q, "", 0, chunks...)
	o.answered(tx, "", q, a)
}

// The rest of this file is about questions of helpers.

// handDown hands an answer to the helper that has asked, or to one on the way to it.
func (o *Object) handDown(tx *durable.Tx, conn durable.ConnID, q question.Question, a question.Answer, claims string) error {
	if before, ok := run.AnswerTo(tx, q.Run, q.ID); ok {
		return lateAnswer(0, before.By)
	}
	answer := run.Answer{Run: q.Run, Call: q.ID, Approved: !a.Denied, Conn: conn, Output: a.Value, Reason: a.Reason, By: a.By, Claims: claims}
	if a.Denied {
		answer.Output = json.RawMessage("null")
	}
	if !o.runs.Answer(tx, answer) {
		return lateAnswer(0, "")
	}
	return nil
}

// answerQuestion takes a person's answer to a question from the parent. An answer that has come
// before changes nothing.
func (c helperCall) answerQuestion(q question.Question, r facet.AnswerRequest) facet.AcceptResult {
	if !q.Open() && q.Sent > 0 && q.Sent == r.N {
		return facet.AcceptResult{}
	}
	a := question.Answer{Value: r.Output, Denied: !r.Approved, Reason: r.Reason, By: r.By}
	if err := lacksToAnswer(q, r.Claims); err != nil {
		return facet.AcceptResult{Refused: err.Error()}
	}
	err := c.object.takeAnswer(c.tx, "", q, a, r.Claims, r.N)
	var refused *answerRefused
	switch {
	case err == nil:
		return facet.AcceptResult{}
	case errors.As(err, &refused):
		return facet.AcceptResult{Gone: true, OverAt: refused.overAt, By: refused.by}
	}
	return facet.AcceptResult{Refused: err.Error()}
}

// noteAnswered notes that a helper's question is over.
func (o *Object) noteAnswered(tx *durable.Tx, id, by string) {
	if q, ok := question.Find(tx, id); ok && q.Open() && q.Run != "" {
		question.Close(tx, id, by, 0)
		o.tails.QuestionsChanged(tx)
	}
}

// answerDropped tells the tab that has answered a helper why its answer had no effect.
func (o *Object) answerDropped(tx *durable.Tx, f supervisor.AnswerDropped) {
	a := f.Answer
	switch {
	case !o.audience.Has(a.Conn):
	case question.IsID(a.Call):
		refused := protocol.AnswerRefused{Call: a.Call, Reason: f.Why, Over: f.Over, OverAt: f.OverAt, By: f.By}
		audience.Send(tx, refused.Encode(), a.Conn)
	default:
		audience.Send(tx, protocol.Error(f.Why), a.Conn)
	}
}

// forgetBegun deletes the code that was put away.
func (o *Object) forgetBegun(tx *durable.Tx) {
	for _, p := range approval.Begun(tx) {
		flow.Forget(tx, p.Routine)
	}
	question.DeleteAll(tx)
}

// dropLostQuestions ends the code whose calls or questions stood in messages that are gone.
func (o *Object) dropLostQuestions(tx *durable.Tx, routines []string) {
	for _, routine := range routines {
		flow.Forget(tx, routine)
		o.withdrawOf(tx, routine)
	}
	for _, q := range question.Own(tx) {
		if _, ok := message.Load(tx, q.Message); ok || o.loop.Shows(q.Message) {
			continue
		}
		if p, ok := approval.OfRoutine(tx, q.Key.Routine); ok {
			flow.Forget(tx, p.Routine)
			o.withdrawOf(tx, p.Routine)
			o.endApprovedCall(tx, p, protocol.Chunk{Type: protocol.ChunkToolOutputError, ToolCallID: p.ID, ErrorText: "what it asked was withdrawn"})
		}
	}
}
