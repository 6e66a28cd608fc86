package supervisor

import (
	"slices"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/run"
)

// The error messages for a tab whose answer had no effect. AnswerLateText is also that of a question
// of this object.
const (
	AnswerLateText        = "the answer came too late: the question is no longer open"
	answerUndeliveredText = "the helper could not be told the answer; the question is still open"
)

// Answer hands a person's answer to the helper whose run waits for it, or has waited for it, and
// says whether there is such a run. An answer that no run waits for is ignored. If the answer names
// its run, that run is meant, also if it is at work.
func (s *Supervisor) Answer(tx *durable.Tx, a run.Answer) bool {
	r, ok := s.AskedBy(tx, a.Call, a.Run)
	if !ok {
		return false
	}
	a.Run = r.ID
	if run.KeepAnswer(tx, &a) {
		s.sendAnswer(tx, r, a)
		s.ArmReconcile(tx)
	}
	return true
}

// AskedBy returns the run that waits for the answer to a call, or has waited for it: a run that is
// being sent another answer may not count as waiting. If id is not "", the run has that id.
func (s *Supervisor) AskedBy(tx *durable.Tx, call, id string) (run.Run, bool) {
	for _, r := range run.Active(tx) {
		if r.ID == id || id == "" && slices.Contains(r.WaitsFor, call) {
			return r, true
		}
	}
	return run.Run{}, false
}

func (s *Supervisor) sendAnswer(tx *durable.Tx, r run.Run, a run.Answer) {
	request := facet.AnswerRequest{Call: a.Call, Approved: a.Approved, Output: a.Output, Reason: a.Reason, By: a.By, Claims: a.Claims}
	if a.Output != nil {
		request.N = a.Seq
	}
	tx.Do(durable.Call{
		Call: facet.CallAnswer + strconv.FormatInt(a.Seq, 10), To: facet.Of(r), Data: facet.Answer.Request(request),
	})
}

func owedAnswerOf(a run.Answer) owed { return owed{owedAnswer, strconv.FormatInt(a.Seq, 10)} }

// sendAnswers resends every answer that was not acknowledged.
func (s *Supervisor) sendAnswers(tx *durable.Tx, again func(kind, id string) bool) {
	for _, a := range run.UnacknowledgedAnswers(tx) {
		if r, ok := run.Find(tx, a.Run); ok && again(owedAnswer, owedAnswerOf(a).id) {
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
		s.dropAnswer(tx, AnswerDropped{Answer: a, Why: AnswerLateText, Over: true, OverAt: result.OverAt, By: result.By})
	case failure == "" && result.Refused != "":
		s.dropAnswer(tx, AnswerDropped{Answer: a, Why: result.Refused})
	case failure == "":
		run.ForgetAnswer(tx, a.Seq)
		s.report(tx, AnswerTaken{a})
	default:
		tx.Log(durable.Warn, "a helper could not be told an answer", "run", a.Run, "error", failure)
		if run.AnswerFailed(tx, &a); a.Attempts >= maxSendAttempts {
			s.dropAnswer(tx, AnswerDropped{Answer: a, Why: answerUndeliveredText})
		}
	}
	if r, ok := run.Find(tx, a.Run); ok {
		s.resumeDormant(tx, r)
	}
	s.ArmReconcile(tx)
}

// dropAnswer forgets an answer that had no effect, and tells the tab that it came from.
func (s *Supervisor) dropAnswer(tx *durable.Tx, f AnswerDropped) {
	run.ForgetAnswer(tx, f.Answer.Seq)
	s.report(tx, f)
}
