package supervisor

import (
	"slices"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/run"
)

// The error messages for a tab whose answer had no effect.
const (
	answerLateText        = "the answer came too late: the question is no longer open"
	answerUndeliveredText = "the helper could not be told the answer; the question is still open"
)

// Answer hands a person's answer to the helper whose run waits for it, or has waited for it, and
// says whether there is such a run. An answer that no run waits for is ignored.
func (s *Supervisor) Answer(tx *durable.Tx, conn durable.ConnID, call string, approved bool) bool {
	for _, r := range run.Active(tx) {
		if !slices.Contains(r.WaitsFor, call) { // a run that is being sent another answer may not count as waiting
			continue
		}
		a := run.Answer{Run: r.ID, Call: call, Approved: approved, Conn: conn}
		if run.KeepAnswer(tx, &a) {
			s.sendAnswer(tx, r, a)
			s.ArmReconcile(tx)
		}
		return true
	}
	return false
}

func (s *Supervisor) sendAnswer(tx *durable.Tx, r run.Run, a run.Answer) {
	tx.Do(durable.Call{
		Call: facet.CallAnswer + strconv.FormatInt(a.Seq, 10), To: facet.Of(r), Data: facet.Answer.Request(facet.AnswerRequest{Call: a.Call, Approved: a.Approved}),
	})
}

// sendAnswers resends every answer that was not acknowledged.
func (s *Supervisor) sendAnswers(tx *durable.Tx) {
	for _, a := range run.UnacknowledgedAnswers(tx) {
		if r, ok := run.Find(tx, a.Run); ok {
			s.sendAnswer(tx, r, a)
		}
	}
}

// answerReturned handles a helper's response to an answer. If the helper cannot be reached, the
// answer is sent again, and dropped after too many attempts.
func (s *Supervisor) answerReturned(tx *durable.Tx, seq string, data []byte, failure string) {
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
		s.dropAnswer(tx, a, answerLateText)
	case failure == "":
		run.ForgetAnswer(tx, a.Seq)
	default:
		tx.Log(durable.Warn, "a helper could not be told an answer", "run", a.Run, "error", failure)
		if run.AnswerFailed(tx, &a); a.Attempts >= maxSendAttempts {
			s.dropAnswer(tx, a, answerUndeliveredText)
		}
	}
	if r, ok := run.Find(tx, a.Run); ok {
		s.resumeDormant(tx, r)
	}
	s.ArmReconcile(tx)
}

// dropAnswer forgets an answer that had no effect, and tells the tab that it came from.
func (s *Supervisor) dropAnswer(tx *durable.Tx, a run.Answer, why string) {
	run.ForgetAnswer(tx, a.Seq)
	s.report(tx, AnswerDropped{a.Conn, why})
}
