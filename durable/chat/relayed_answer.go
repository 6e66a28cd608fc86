package chat

import (
	"slices"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is about how a person's answer reaches the helper that asked. The answer is stored as a
// row first, and is sent until the helper has acknowledged it, like a cancellation. The page does
// not send it again, because it disables its buttons once they are pressed.

// The error messages for a tab whose answer had no effect.
const (
	answerLateText        = "the answer came too late: the question is no longer open"
	answerUndeliveredText = "the helper could not be told the answer; the question is still open"
)

// answerRun hands a person's answer to the helper whose run waits for it, or has waited for it, and
// says whether there is such a run. An answer that no run waits for is ignored.
func (o *Object) answerRun(tx *durable.Tx, conn durable.ConnID, f protocol.ToolApproval) bool {
	for _, r := range run.Active(tx) {
		if !slices.Contains(r.WaitsFor, f.CallID) { // a run that is being sent another answer may not count as waiting
			continue
		}
		a := run.Answer{Run: r.ID, Call: f.CallID, Approved: f.Approved, Conn: conn}
		if run.KeepAnswer(tx, &a) {
			o.sendAnswer(tx, r, a)
			o.armReconcile(tx)
		}
		return true
	}
	return false
}

func (o *Object) sendAnswer(tx *durable.Tx, r run.Run, a run.Answer) {
	tx.Do(durable.Call{
		Call: facet.CallAnswer + strconv.FormatInt(a.Seq, 10), To: facet.Of(r), Data: facet.Answer.Request(facet.AnswerRequest{Call: a.Call, Approved: a.Approved}),
	})
}

// sendAnswers resends every answer that was not acknowledged.
func (o *Object) sendAnswers(tx *durable.Tx) {
	for _, a := range run.UnacknowledgedAnswers(tx) {
		if r, ok := run.Find(tx, a.Run); ok {
			o.sendAnswer(tx, r, a)
		}
	}
}

// answerReturned handles a helper's response to an answer. If the helper cannot be reached, the
// answer is sent again, and dropped after too many attempts.
func (o *Object) answerReturned(tx *durable.Tx, seq string, data []byte, failure string) {
	n, _ := strconv.ParseInt(seq, 10, 64)
	a, ok := run.FindAnswer(tx, n)
	if !ok {
		return
	}
	result, err := facet.Answer.Result(data)
	if failure == "" && err != nil {
		failure = err.Error()
	}
	switch {
	case failure == "" && result.Gone:
		o.dropAnswer(tx, a, answerLateText)
	case failure == "":
		run.ForgetAnswer(tx, a.Seq)
	default:
		tx.Log(durable.Warn, "a helper could not be told an answer", "run", a.Run, "error", failure)
		if run.AnswerFailed(tx, &a); a.Attempts >= maxSendAttempts {
			o.dropAnswer(tx, a, answerUndeliveredText)
		}
	}
	if r, ok := run.Find(tx, a.Run); ok {
		o.resumeDormant(tx, r)
	}
	o.armReconcile(tx)
}

// dropAnswer forgets an answer that had no effect, and tells the tab that it came from.
func (o *Object) dropAnswer(tx *durable.Tx, a run.Answer, why string) {
	run.ForgetAnswer(tx, a.Seq)
	if o.audience.Has(a.Conn) {
		audience.Send(tx, protocol.Error(why), a.Conn)
	}
}

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
	if !c.object.answer(c.tx, "", approvalReply(answer)) && !c.object.answerRun(c.tx, "", answer) {
		return facet.AcceptResult{Gone: true}, nil
	}
	c.tx.SQL(`INSERT INTO heard (call, approved) VALUES (?, ?)`, r.Call, r.Approved)
	return facet.AcceptResult{}, nil
}
