package chat

import (
	"slices"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is how a person's answer reaches the helper that asked. It is a row first, and the
// helper is told until it has acknowledged that, as with a cancellation: a page disables its
// buttons when they were pressed.

// The complaints that a tab is sent if an answer had no effect.
const (
	goneText   = "the answer came too late: the question is no longer open"
	untoldText = "the helper could not be told the answer; the question is still open"
)

// answerRun hands a person's answer to the helper whose run waits for it, or has waited, and says
// whether there is one. Answers that nobody waits for are passed over.
func (h *Host) answerRun(tx *durable.Tx, conn durable.ConnID, f protocol.ToolApproval) bool {
	for _, r := range run.Active(tx) {
		if !slices.Contains(r.WaitsFor, f.CallID) { // while it is told another answer, it may not be waiting
			continue
		}
		a := run.Answer{Run: r.ID, Call: f.CallID, Approved: f.Approved, Conn: conn}
		if run.KeepAnswer(tx, &a) {
			h.tellAnswer(tx, r, a)
			h.watchRuns(tx)
		}
		return true
	}
	return false
}

func (h *Host) tellAnswer(tx *durable.Tx, r run.Run, a run.Answer) {
	tx.Do(durable.Call{
		Call: callAnswer + strconv.FormatInt(a.Seq, 10), To: facetOf(r), Data: answerCall.Request(answerRequest{Call: a.Call, Approved: a.Approved}),
	})
}

// tellAnswers tells every answer again that was not acknowledged.
func (h *Host) tellAnswers(tx *durable.Tx) {
	for _, a := range run.ToAnswer(tx) {
		if r, ok := run.Find(tx, a.Run); ok {
			h.tellAnswer(tx, r, a)
		}
	}
}

// answerTold deals with what a helper says to an answer. One that the helper cannot be told is
// told again, and given up at last.
func (h *Host) answerTold(tx *durable.Tx, seq string, data []byte, failure string) {
	n, _ := strconv.ParseInt(seq, 10, 64)
	a, ok := run.FindAnswer(tx, n)
	if !ok {
		return
	}
	result, err := answerCall.Result(data)
	if failure == "" && err != nil {
		failure = err.Error()
	}
	switch {
	case failure == "" && result.Gone:
		h.answerLost(tx, a, goneText)
	case failure == "":
		run.Answered(tx, a.Seq)
	default:
		tx.Log(durable.Warn, "a helper could not be told an answer", "run", a.Run, "error", failure)
		if run.AnswerFailed(tx, &a); a.Attempts >= maxTold {
			h.answerLost(tx, a, untoldText)
		}
	}
	if r, ok := run.Find(tx, a.Run); ok {
		h.followPaused(tx, r)
	}
	h.watchRuns(tx)
}

// answerLost forgets an answer that came to nothing, and tells the tab that it came from.
func (h *Host) answerLost(tx *durable.Tx, a run.Answer, why string) {
	run.Answered(tx, a.Seq)
	if h.roster.has(a.Conn) {
		send(tx, protocol.Complaint(why), a.Conn)
	}
}

// heard returns the answer to a call that this helper has had from its parent, if there is one.
func heard(tx *durable.Tx, call string) (approved, ok bool) {
	for _, row := range tx.SQL(`SELECT approved FROM heard WHERE call = ?`, call) {
		return row.Bool(0), true
	}
	return false, false
}

// answer takes a person's answer to a call of a run. One that comes twice changes nothing, and
// one to a question that is not open is refused.
func (s serving) answer(r answerRequest) (takenResult, error) {
	if approved, ok := heard(s.tx, r.Call); ok {
		return takenResult{Gone: approved != r.Approved}, nil
	}
	answer := protocol.ToolApproval{CallID: r.Call, Approved: r.Approved, Continue: true}
	if !s.host.answer(s.tx, "", approvalReply(answer)) && !s.host.answerRun(s.tx, "", answer) {
		return takenResult{Gone: true}, nil
	}
	s.tx.SQL(`INSERT INTO heard (call, approved) VALUES (?, ?)`, r.Call, r.Approved)
	return takenResult{}, nil
}
