package chat

import (
	"cmp"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
)

// This file is how a run ends at its parent: by itself, or because it is stopped.

// endRun makes a run final and hands its result to whoever awaits it.
func (h *Host) endRun(tx *durable.Tx, r run.Run, o outcome) {
	delete(h.followed, r.ID)
	tx.Unschedule(dueFollow, r.ID)
	status, result := run.Status(o.Status), run.Result{Summary: o.Summary, Output: o.Output, Failure: o.Failure, Reason: o.Reason}
	switch {
	case status == run.Completed:
		status, result = run.Judge(r, result)
	case !status.Final():
		status = run.Aborted
	}
	if status == run.Aborted { // by whoever drills in, or by itself
		result.Failure, result.Reason = cmp.Or(o.Failure, "the run was stopped"), cmp.Or(o.Reason, run.Cancelled)
	}
	h.spend(tx, &r, o.Usage)
	status, result = bounded(status, result)
	if run.Move(tx, &r, status, result) {
		h.ended(tx, r)
	}
}

// ended shows a run's end, tells who awaits it, and lets the next one in.
func (h *Host) ended(tx *durable.Tx, r run.Run) {
	h.keepTime(tx, r)
	h.showEvent(tx, r, r.Next+1, terminal(r))
	h.deliver(tx, r)
	h.noMoreMilestones(tx, r)
	h.owe(tx, r)
	h.tellEnd(tx, r)
	if next, ok := run.NextQueued(tx, h.agent.Runs); ok {
		h.dispatch(tx, next)
	}
	for _, old := range run.Expired(tx, h.agent.Keep) {
		if tx.Scheduled(dueWaken, old.ID) {
			tx.Log(durable.Warn, "a helper is forgotten, and its schedules with it", "run", old.ID, "class", old.Class)
		}
		h.wipe(tx, *old)
	}
	h.watchRuns(tx)
}

// wipe forgets a final run, its log and its helper.
func (h *Host) wipe(tx *durable.Tx, r run.Run) {
	stream.Delete(tx, logOf(r))
	h.refuseDrills(tx, r)
	h.sleepOn(tx, r.ID)
	if n := run.Delete(tx, r); n > 0 {
		h.wipeSlot(tx, n)
	}
}

// deliver journals a run's result for the routines that await it.
func (h *Host) deliver(tx *durable.Tx, r run.Run) {
	data := encode(outcomeOf(r))
	for _, w := range run.TakeWaiters(tx, r) {
		h.delivered = flow.Complete(tx, flow.Key(w), data, "") || h.delivered
	}
}

// stopRun cancels a run: its row first, then its helper.
func (h *Host) stopRun(tx *durable.Tx, r run.Run, reason run.Reason, words string) {
	delete(h.followed, r.ID)
	tx.Unschedule(dueFollow, r.ID)
	if !run.Cancel(tx, &r, reason, cutOff(words, maxSummary)) {
		return
	}
	h.sleepOn(tx, r.ID)
	tx.Do(durable.CancelStream{Stream: tailOf + r.ID})
	if r.CancelDue {
		h.tellCancelled(tx, r)
	}
	h.ended(tx, r)
}

func (h *Host) tellCancelled(tx *durable.Tx, r run.Run) {
	tx.Do(durable.Call{Call: callCancel + r.ID, To: facetOf(r), Data: cancelRun.Request(cancelRequest{Run: r.ID, Reason: r.Failure})})
}

// maxTold is how often a helper is told in vain that its run is cancelled.
const maxTold = 10

// cancelAnswered deals with a helper's answer to a cancellation. One that cannot be
// reached is told again, and wiped at last, which ends whatever may be at work there.
func (h *Host) cancelAnswered(tx *durable.Tx, r run.Run, c cancelResult, answered bool) {
	if answered && r.Slot > 0 {
		h.wakenLater(tx, r.ID, c.Waken)
	}
	if !r.CancelDue {
		return
	}
	h.spend(tx, &r, c.Usage)
	run.Dispatched(tx, &r)
	switch {
	case answered && !c.Telling:
		run.Told(tx, r.ID)
	case !answered && r.Attempt >= maxTold:
		h.wipeSlot(tx, r.Slot)
		run.Release(tx, &r)
	}
	h.watchRuns(tx)
}
