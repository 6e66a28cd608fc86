package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/internal/loop"
	"github.com/tributary-agents/tributary/durable/internal/supervisor"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/schedule"
)

// This file is about the schedules of helpers, which have no alarm. Every answer of a helper tells
// its parent when the helper has to be woken next. The parent puts that time into its own schedule,
// and so on up to the root and its alarm. In between, nothing is kept in memory.

// nextWakeNeeded is when the parent has to wake this helper: for its schedules, for those of its
// own helpers, and for work that may still create schedules.
func (o *Object) nextWakeNeeded(tx *durable.Tx) int64 {
	at := durable.NextDueOf(tx, isScheduleKind)
	if look := o.nextCheck(tx); look > 0 && (at == 0 || look < at) {
		return look
	}
	return at
}

// isScheduleKind says whether an entry belongs to schedules and not to active work.
func isScheduleKind(kind string) bool { return kind == dueCallback || kind == supervisor.DueWake }

func isWorkKind(kind string) bool { return !isScheduleKind(kind) }

// nextCheck is when the parent has to check on this helper because of work that the parent does not
// follow: a person's own turn, active or queued, or a frame on its way to a helper below. After a
// loss of memory, only the check resumes that work and announces the schedules that it makes.
// nextCheck is 0 if there is no such work, or if the work waits only for a person.
func (o *Object) nextCheck(tx *durable.Tx) int64 {
	soon := tx.Now + loop.WatchdogDelay
	if o.runs.AwaitsHelpers(tx) {
		return soon
	}
	if !o.busy(tx) {
		return 0
	}
	if !o.loop.IsActive() {
		return soon
	}
	if _, followed := task.OfTurn(tx, o.loop.Turn().Seq); followed || len(o.waitsBelow(tx)) > 0 {
		return 0
	}
	return max(soon, o.loop.SleepsUntil(tx))
}

// wake handles a wake in the helper.
func (c helperCall) wake(facet.Empty) (facet.WakeResult, error) {
	c.object.handleDue(c.tx)
	c.object.drainAgenda(c.tx) // the answer includes what callbacks have requested
	return facet.WakeResult{At: c.object.tails.AnnounceWake(c.tx)}, nil
}

// forgetSchedules cancels the schedules that a cancelled run may have left, because nobody needs
// their work any more.
func (o *Object) forgetSchedules(tx *durable.Tx) {
	schedule.CancelAll(tx)
	o.followSchedules(tx)
}
