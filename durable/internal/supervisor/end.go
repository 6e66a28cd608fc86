package supervisor

import (
	"cmp"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
)

// This file is about how a run ends at its parent: by itself, or because it is stopped.

// endRun makes a run final and hands its result to the code that awaits it. idle says whether the
// helper is idle.
func (s *Supervisor) endRun(tx *durable.Tx, r run.Run, end facet.Outcome, idle bool) {
	delete(s.tailReaders, r.ID)
	tx.Unschedule(dueTail, r.ID)
	status, result := resultOf(end)
	if status == run.Completed {
		whole, _ := run.Find(tx, r.ID) // r may lack the schema
		status, result = run.Finish(whole, result)
	}
	s.addRunUsage(tx, &r, end.Usage)
	status, result = boundResult(status, result)
	if run.Move(tx, &r, status, result) {
		s.runEnded(tx, r)
		s.NoteIdle(tx, r, idle)
	}
}

// resultOf returns the status and the result with which a run ends, by the words of its helper.
func resultOf(end facet.Outcome) (run.Status, run.Result) {
	status, result := run.Status(end.Status), run.Result{Summary: end.Summary, Output: end.Output, Failure: end.Failure, Reason: end.Reason}
	if !status.Final() {
		status = run.Aborted
	}
	if status == run.Aborted { // the run was stopped in the drilled-in view, or stopped itself
		result.Failure, result.Reason = cmp.Or(end.Failure, "the run was stopped"), cmp.Or(end.Reason, run.Cancelled)
	}
	return status, result
}

// runEnded shows a run's end, completes the awaits of the run, and starts the next queued run.
func (s *Supervisor) runEnded(tx *durable.Tx, r run.Run) {
	s.armDeadline(tx, r)
	s.endSignals(tx, r)
	s.completeWaiters(tx, r)
	s.failMilestoneWaiters(tx, r)
	s.enqueueDelivery(tx, r)
	s.report(tx, Ended{r})
	if next, ok := run.NextQueued(tx, s.config.Runs); ok {
		s.dispatch(tx, next)
	}
	if s.mayForget(tx) {
		s.forgetOld(tx)
	}
	s.ArmReconcile(tx)
}

// Wipe forgets a final run, its log and its helper.
func (s *Supervisor) Wipe(tx *durable.Tx, r run.Run) {
	stream.Delete(tx, r.Log())
	s.report(tx, Unreachable{r})
	s.cancelWake(tx, r.ID)
	if r.Origin != nil {
		s.endNotice(tx, r.ID)
	}
	if n := run.Delete(tx, r); n > 0 {
		s.wipeSlot(tx, n)
	}
}

// completeWaiters journals a run's result for the routines that await it.
func (s *Supervisor) completeWaiters(tx *durable.Tx, r run.Run) {
	data := limit.MustMarshal(r.Outcome())
	for _, w := range run.TakeWaiters(tx, r) {
		if flow.Complete(tx, flow.Key(w), data, "") {
			s.report(tx, Awaited{})
		}
	}
}

// Stop cancels a run. The row is written before the helper is told.
func (s *Supervisor) Stop(tx *durable.Tx, r run.Run, reason run.Reason, words string) {
	if r.Hosted != nil {
		s.recall(tx, &r, protocol.CutOff(words, limit.Summary))
		return
	}
	delete(s.tailReaders, r.ID)
	tx.Unschedule(dueTail, r.ID)
	if !run.Cancel(tx, &r, reason, protocol.CutOff(words, limit.Summary)) {
		return
	}
	s.cancelWake(tx, r.ID)
	tx.Do(durable.CancelStream{Stream: facet.TailPrefix + r.ID})
	if r.CancelDue {
		s.sendCancel(tx, r)
	}
	s.runEnded(tx, r)
}

func (s *Supervisor) sendCancel(tx *durable.Tx, r run.Run) {
	tx.Do(durable.Call{Call: facet.CallCancel + r.ID, To: facet.Of(r), Data: facet.Cancel.Request(facet.CancelRequest{Run: r.ID, Reason: r.Failure, Generation: r.Generation})})
}

// sendCancels resends every cancellation that was not acknowledged.
func (s *Supervisor) sendCancels(tx *durable.Tx, again func(kind, id string) bool) {
	for _, r := range run.UnacknowledgedCancels(tx) {
		if again(owedCancel, r.ID) {
			s.sendCancel(tx, r)
		}
	}
}

// maxSendAttempts is how often a helper is sent a cancellation or an answer that it does not
// acknowledge.
const maxSendAttempts = 10

// cancelReturned handles a helper's answer to a cancellation. A helper that cannot be reached is
// sent the cancellation again. After too many attempts it is wiped, which ends all work there.
func (s *Supervisor) cancelReturned(tx *durable.Tx, r run.Run, c facet.CancelResult, answered bool) {
	if answered && r.Slot > 0 {
		s.ScheduleWake(tx, r.ID, c.Waken)
	}
	if !r.CancelDue {
		return
	}
	s.addRunUsage(tx, &r, c.Usage)
	s.noteReceived(tx, &r, c.Received)
	run.Dispatched(tx, &r)
	switch {
	case answered && c.Gone: // its successor in the slot has to know, because the request that starts the run may come late
		s.wipeSlot(tx, r.Slot)
		s.sendCancel(tx, r)
	case answered && !c.Telling:
		run.CancelAcknowledged(tx, r.ID)
		r.CancelDue = false
		s.NoteIdle(tx, r, c.Idle)
	case !answered && r.Attempt >= maxSendAttempts:
		s.releaseSlot(tx, &r)
	}
	s.ArmReconcile(tx)
}
