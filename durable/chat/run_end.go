package chat

import (
	"cmp"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
)

// This file is about how a run ends at its parent: by itself, or because it is stopped.

// endRun makes a run final and hands its result to the code that awaits it.
func (o *Object) endRun(tx *durable.Tx, r run.Run, end outcome) {
	delete(o.tailReaders, r.ID)
	tx.Unschedule(dueTail, r.ID)
	status, result := run.Status(end.Status), run.Result{Summary: end.Summary, Output: end.Output, Failure: end.Failure, Reason: end.Reason}
	switch {
	case status == run.Completed:
		whole, _ := run.Find(tx, r.ID) // r may lack the schema
		status, result = run.Finish(whole, result)
	case !status.Final():
		status = run.Aborted
	}
	if status == run.Aborted { // the run was stopped in the drilled-in view, or stopped itself
		result.Failure, result.Reason = cmp.Or(end.Failure, "the run was stopped"), cmp.Or(end.Reason, run.Cancelled)
	}
	o.addRunUsage(tx, &r, end.Usage)
	status, result = boundResult(status, result)
	if run.Move(tx, &r, status, result) {
		o.runEnded(tx, r)
	}
}

// runEnded shows a run's end, completes the awaits of the run, and starts the next queued run.
func (o *Object) runEnded(tx *durable.Tx, r run.Run) {
	o.armDeadline(tx, r)
	o.sendRunEvent(tx, r, r.Next+1, terminal(r))
	o.completeWaiters(tx, r)
	o.failMilestoneWaiters(tx, r)
	o.enqueueDelivery(tx, r)
	o.callAfterRun(tx, r)
	if next, ok := run.NextQueued(tx, o.agent.Runs); ok {
		o.dispatch(tx, next)
	}
	for _, old := range run.Expired(tx, o.agent.Keep) {
		if tx.Scheduled(dueWake, old.ID) {
			tx.Log(durable.Warn, "a helper is forgotten, and its schedules with it", "run", old.ID, "class", old.Class)
		}
		o.wipeRun(tx, *old)
	}
	o.armReconcile(tx)
}

// wipeRun forgets a final run, its log and its helper.
func (o *Object) wipeRun(tx *durable.Tx, r run.Run) {
	stream.Delete(tx, logOf(r))
	o.closeDrillIns(tx, r)
	o.cancelWake(tx, r.ID)
	if n := run.Delete(tx, r); n > 0 {
		o.wipeSlot(tx, n)
	}
}

// completeWaiters journals a run's result for the routines that await it.
func (o *Object) completeWaiters(tx *durable.Tx, r run.Run) {
	data := encode(outcomeOf(r))
	for _, w := range run.TakeWaiters(tx, r) {
		o.agenda.resume = flow.Complete(tx, flow.Key(w), data, "") || o.agenda.resume
	}
}

// stopRun cancels a run. The row is written before the helper is told.
func (o *Object) stopRun(tx *durable.Tx, r run.Run, reason run.Reason, words string) {
	delete(o.tailReaders, r.ID)
	tx.Unschedule(dueTail, r.ID)
	if !run.Cancel(tx, &r, reason, protocol.CutOff(words, maxSummary)) {
		return
	}
	o.cancelWake(tx, r.ID)
	tx.Do(durable.CancelStream{Stream: tailPrefix + r.ID})
	if r.CancelDue {
		o.sendCancel(tx, r)
	}
	o.runEnded(tx, r)
}

func (o *Object) sendCancel(tx *durable.Tx, r run.Run) {
	tx.Do(durable.Call{Call: callCancel + r.ID, To: facetOf(r), Data: cancelRun.Request(cancelRequest{Run: r.ID, Reason: r.Failure, Generation: r.Generation})})
}

// sendCancels resends every cancellation that was not acknowledged.
func (o *Object) sendCancels(tx *durable.Tx) {
	for _, r := range run.UnacknowledgedCancels(tx) {
		o.sendCancel(tx, r)
	}
}

// maxSendAttempts is how often a helper is sent a cancellation or an answer that it does not
// acknowledge.
const maxSendAttempts = 10

// cancelReturned handles a helper's answer to a cancellation. A helper that cannot be reached is
// sent the cancellation again. After too many attempts it is wiped, which ends all work there.
func (o *Object) cancelReturned(tx *durable.Tx, r run.Run, c cancelResult, answered bool) {
	if answered && r.Slot > 0 {
		o.scheduleWake(tx, r.ID, c.Waken)
	}
	if !r.CancelDue {
		return
	}
	o.addRunUsage(tx, &r, c.Usage)
	run.Dispatched(tx, &r)
	switch {
	case answered && c.Gone: // its successor in the slot has to know, because the call that starts the run may come late
		o.wipeSlot(tx, r.Slot)
		o.sendCancel(tx, r)
	case answered && !c.Telling:
		run.CancelAcknowledged(tx, r.ID)
	case !answered && r.Attempt >= maxSendAttempts:
		o.releaseSlot(tx, &r)
	}
	o.armReconcile(tx)
}
