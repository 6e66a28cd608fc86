package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/run"
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
func isScheduleKind(kind string) bool { return kind == dueCallback || kind == dueWake }

func isWorkKind(kind string) bool { return !isScheduleKind(kind) }

// nextCheck is when the parent has to check on this helper because of work that the parent does not
// follow: a person's own turn, active or queued, or a frame on its way to a helper below. After a
// loss of memory, only the check resumes that work and announces the schedules that it makes.
// nextCheck is 0 if there is no such work, or if the work waits only for a person.
func (o *Object) nextCheck(tx *durable.Tx) int64 {
	soon := tx.Now + watchdogDelay
	if len(o.unacknowledged) > 0 || len(run.UnacknowledgedAnswers(tx)) > 0 {
		return soon
	}
	if !o.busy(tx) {
		return 0
	}
	if o.active == nil {
		return soon
	}
	if _, followed := taskOf(tx, o.active.turn.Seq); followed || len(o.waitsBelow(tx)) > 0 {
		return 0
	}
	return max(soon, o.sleepsUntil(tx))
}

// announceWake returns [Object.nextWakeNeeded] for an answer to the parent, and stores it as
// announced.
func (o *Object) announceWake(tx *durable.Tx) int64 {
	at := o.nextWakeNeeded(tx)
	o.setNextWake(tx, at)
	return at
}

// wake handles a wake in the helper.
func (c helperCall) wake(facet.Empty) (facet.WakeResult, error) {
	c.object.handleDue(c.tx)
	c.object.drainAgenda(c.tx) // the answer includes what callbacks have requested
	return facet.WakeResult{At: c.object.announceWake(c.tx)}, nil
}

// forgetSchedules cancels the schedules that a cancelled run may have left, because nobody needs
// their work any more.
func (o *Object) forgetSchedules(tx *durable.Tx) {
	schedule.CancelAll(tx)
	o.followSchedules(tx)
}

// scheduleWake schedules the next wake of a helper. The helper may have received something since it
// announced the time. Then it is woken no later than agreed, because its other streams and calls
// may carry older times.
func (o *Object) scheduleWake(tx *durable.Tx, run string, at int64) {
	switch {
	case at == facet.WakeUnstated:
	case !tx.Scheduled(dueWake, run):
		if at > 0 {
			tx.Schedule(dueWake, run, at)
		}
	case wakeRequired(tx, run) && (at == 0 || tx.ScheduledBefore(dueWake, run, at)):
	case at > 0:
		tx.Schedule(dueWake, run, at)
	default:
		tx.Unschedule(dueWake, run)
	}
}

// requireWakeSoon has a helper woken soon, because it is not known what the helper has received. An
// earlier wake that is already scheduled stays.
func (o *Object) requireWakeSoon(tx *durable.Tx, r run.Run) {
	o.requireWake(tx, r, tx.Now+watchdogDelay)
}

// requireWake has a helper woken at the given time at the latest, whatever the helper announces
// before.
func (o *Object) requireWake(tx *durable.Tx, r run.Run, at int64) {
	tx.SQL(`INSERT OR IGNORE INTO unwoken (run, failures) VALUES (?, 0)`, r.ID)
	o.scheduleWake(tx, r.ID, at)
}

// wakeRequired says whether a helper has to answer a wake before its announcements count.
func wakeRequired(tx *durable.Tx, run string) bool {
	return len(tx.SQL(`SELECT 1 FROM unwoken WHERE run = ?`, run)) > 0
}

// wakeHelper wakes a helper. The wake stays scheduled until the helper has answered.
func (o *Object) wakeHelper(tx *durable.Tx, id string) {
	r, ok := run.Find(tx, id)
	if !ok || r.Slot == 0 {
		return
	}
	tx.Schedule(dueWake, id, tx.Now+watchdogDelay)
	tx.Do(durable.Call{Call: facet.CallWake + id, To: facet.Of(r), Data: facet.Wake.Request(facet.Empty{})})
}

// wakeAnswered handles a helper's answer to a wake.
func (o *Object) wakeAnswered(tx *durable.Tx, r run.Run, data []byte, failure string) {
	w, err := facet.Wake.Result(data)
	if failure == "" && err != nil {
		failure = err.Error()
	}
	if failure != "" {
		o.wakeFailed(tx, r, failure)
		return
	}
	tx.SQL(`DELETE FROM unwoken WHERE run = ?`, r.ID)
	o.scheduleWake(tx, r.ID, w.At)
}

// wakeBackoff is how long to wait after each failure to wake a helper, in milliseconds. After the
// last failure the helper is not woken until it is sent something.
var wakeBackoff = []int64{5_000, 15_000, 30_000, 120_000, 600_000, 3_600_000, 3_600_000, 3_600_000, 3_600_000, 3_600_000}

func (o *Object) wakeFailed(tx *durable.Tx, r run.Run, why string) {
	failures := tx.SQL(`INSERT INTO unwoken (run, failures) VALUES (?, 1)
		ON CONFLICT (run) DO UPDATE SET failures = failures + 1 RETURNING failures`, r.ID)[0].Int(0)
	if int(failures) > len(wakeBackoff) {
		tx.Log(durable.Error, "a helper's schedules are given up: it cannot be woken", "run", r.ID, "error", why)
		o.cancelWake(tx, r.ID)
		return
	}
	tx.Log(durable.Warn, "a helper could not be woken", "run", r.ID, "error", why)
	tx.Schedule(dueWake, r.ID, tx.Now+wakeBackoff[failures-1])
}

// cancelWake cancels the next wake of a helper.
func (o *Object) cancelWake(tx *durable.Tx, run string) {
	tx.SQL(`DELETE FROM unwoken WHERE run = ?`, run)
	o.scheduleWake(tx, run, 0)
}
