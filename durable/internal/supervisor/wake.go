package supervisor

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/run"
)

// ScheduleWake schedules the next wake of a helper. The helper may have received something since it
// announced the time. Then it is woken no later than agreed, because its other streams and calls
// may carry older times.
func (s *Supervisor) ScheduleWake(tx *durable.Tx, run string, at int64) {
	switch {
	case at == facet.WakeUnstated:
	case !tx.Scheduled(DueWake, run):
		if at > 0 {
			tx.Schedule(DueWake, run, at)
		}
	case wakeRequired(tx, run) && (at == 0 || tx.ScheduledBefore(DueWake, run, at)):
	case at > 0:
		tx.Schedule(DueWake, run, at)
	default:
		tx.Unschedule(DueWake, run)
	}
}

// RequireWakeSoon has a helper woken soon, because it is not known what the helper has received. An
// earlier wake that is already scheduled stays.
func (s *Supervisor) RequireWakeSoon(tx *durable.Tx, r run.Run) {
	s.RequireWake(tx, r, tx.Now+checkDelay)
}

// RequireWake has a helper woken at the given time at the latest, whatever the helper announces
// before.
func (s *Supervisor) RequireWake(tx *durable.Tx, r run.Run, at int64) {
	tx.SQL(`INSERT OR IGNORE INTO unwoken (run, failures) VALUES (?, 0)`, r.ID)
	s.ScheduleWake(tx, r.ID, at)
}

// wakeRequired says whether a helper has to answer a wake before its announcements count.
func wakeRequired(tx *durable.Tx, run string) bool {
	return len(tx.SQL(`SELECT 1 FROM unwoken WHERE run = ?`, run)) > 0
}

// ResetWakes notes that the announcements of a helper count again: it has received everything that it
// was sent.
func (s *Supervisor) ResetWakes(tx *durable.Tx, run string) {
	tx.SQL(`DELETE FROM unwoken WHERE run = ?`, run)
}

// wakeHelper wakes a helper. The wake stays scheduled until the helper has answered.
func (s *Supervisor) wakeHelper(tx *durable.Tx, id string) {
	r, ok := run.Find(tx, id)
	if !ok || r.Slot == 0 {
		return
	}
	wait := int64(checkDelay)
	if s.waking[id] { // the last call has hung
		wait = whileSlow.Wait(countRepetition(tx, owed{owedWake, id}, whileSlow))
	}
	tx.Schedule(DueWake, id, tx.Now+wait)
	s.callWake(tx, r)
}

func (s *Supervisor) callWake(tx *durable.Tx, r run.Run) {
	if s.waking == nil {
		s.waking = map[string]bool{}
	}
	s.waking[r.ID] = true
	tx.Do(durable.Call{Call: facet.CallWake + r.ID, To: facet.Of(r), Data: facet.Wake.Request(facet.Empty{})})
}

// wakeAnswered handles a helper's answer to a wake.
func (s *Supervisor) wakeAnswered(tx *durable.Tx, r run.Run, data []byte, failure string) {
	acknowledged(tx, owed{owedWake, r.ID}) // a failure is counted by itself
	w, err := facet.Wake.Result(data)
	if failure == "" && err != nil {
		failure = err.Error()
	}
	if failure != "" {
		s.wakeFailed(tx, r, failure)
		return
	}
	for _, req := range w.Host {
		s.hostRequested(tx, &r, req)
	}
	s.ResetWakes(tx, r.ID)
	s.ScheduleWake(tx, r.ID, w.At)
	s.NoteIdle(tx, r, w.Idle)
	if w.GoesOn || s.hasExpired(tx, r) {
		s.resumeDormant(tx, r)
	}
}

// hasExpired says whether a run waits for a person, and the time for an answer is over. Its helper
// has then answered by itself when it was woken, and the run goes on.
func (s *Supervisor) hasExpired(tx *durable.Tx, r run.Run) bool {
	return slices.ContainsFunc(run.PendingOf(tx, r), func(q run.Pending) bool { return q.Expires > 0 && q.Expires <= tx.Now })
}

// wakeBackoff is how long to wait after each failure to wake a helper, in milliseconds. After the
// last failure the helper is not woken until it is sent something.
var wakeBackoff = durable.Backoff{5_000, 15_000, 30_000, 120_000, 600_000, 3_600_000, 3_600_000, 3_600_000, 3_600_000, 3_600_000}

func (s *Supervisor) wakeFailed(tx *durable.Tx, r run.Run, why string) {
	failures := int(tx.SQL(`INSERT INTO unwoken (run, failures) VALUES (?, 1)
		ON CONFLICT (run) DO UPDATE SET failures = failures + 1 RETURNING failures`, r.ID)[0].Int(0))
	if failures > len(wakeBackoff) {
		tx.Log(durable.Error, "a helper's schedules are given up: it cannot be woken", "run", r.ID, "error", why)
		s.cancelWake(tx, r.ID)
		return
	}
	tx.Log(durable.Warn, "a helper could not be woken", "run", r.ID, "error", why)
	tx.Schedule(DueWake, r.ID, tx.Now+wakeBackoff.Wait(failures))
}

// cancelWake cancels the next wake of a helper.
func (s *Supervisor) cancelWake(tx *durable.Tx, run string) {
	tx.SQL(`DELETE FROM unwoken WHERE run = ?`, run)
	acknowledged(tx, owed{owedWake, run})
	s.ScheduleWake(tx, run, 0)
}
