package supervisor

import (
	"fmt"
	"slices"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/attempt"
	"github.com/tributary-agents/tributary/durable/internal/claims"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
)

const (
	// defaultTimeout is how long a detached run may take in all. defaultIdleTimeout is how long it
	// may produce nothing. Both apply if the spec sets no other.
	defaultTimeout     = 24 * time.Hour
	defaultIdleTimeout = time.Hour
	// listening is how long the stream of a run is read before its silence counts, in milliseconds. It
	// is longer than a sleep that is not announced.
	listening = 120_000
)

// deliveryBackoff is how long a delivery waits after each of its failures, in milliseconds. After
// another failure it is a dead letter.
var deliveryBackoff = durable.Backoff{5_000, 15_000, 30_000, 120_000}

// Detach turns a run of a turn into a run of the root.
func Detach(r *run.Run) {
	r.Turn, r.ToolCall = 0, ""
	if r.Timeout <= 0 {
		r.Timeout = defaultTimeout.Milliseconds()
	}
	if r.IdleTimeout <= 0 {
		r.IdleTimeout = defaultIdleTimeout.Milliseconds()
	}
}

// detachRefusal says why a detached run cannot begin, or returns "".
func (s *Supervisor) detachRefusal(r run.Run) string {
	names := r.Announce.Names()
	switch {
	case s.config.Helper && r.Restart.Of != "":
		return "only the root can restart runs, and " + s.config.Class + " is a helper"
	case r.Handler != "" && r.Origin == nil && !s.config.HasHandler(r.Handler):
		return fmt.Sprintf("%s has no handler named %.80q", s.config.Class, r.Handler)
	case len(names) > limit.Milestones:
		return fmt.Sprintf("%d milestones to tell of, at most %d", len(names), limit.Milestones)
	case slices.ContainsFunc(names, func(name string) bool { return CheckMilestone(name) != nil }):
		return "one of the milestones to tell of has a name that none can have"
	}
	return ""
}

// armIdleTimeout schedules the idle timeout of a detached run.
func (s *Supervisor) armIdleTimeout(tx *durable.Tx, r run.Run) {
	if r.Detached() && !r.Status.Final() {
		tx.Schedule(dueIdleTimeout, r.ID, max(r.LastActivity, r.BegunAt)+r.IdleTimeout)
	}
}

// idleTimeoutPassed fails a run that has produced nothing for too long. A run may be silent while
// it is queued, or sleeps as announced. While it waits for a person, or is paused, no timeout is
// scheduled: that may take for ever. A run that nobody has listened to is not silent: its sleep may
// end in this event, or this object was opened again after the timeout.
func (s *Supervisor) idleTimeoutPassed(tx *durable.Tx, id string) {
	r, ok := run.Find(tx, id)
	f := s.tailReaders[id]
	patience := min(r.IdleTimeout, listening)
	switch {
	case !ok || r.Status.Final() || r.Status == run.Waiting || r.Status == run.Paused:
	case r.Slot == 0, s.isDormant(tx, r):
		tx.Schedule(dueIdleTimeout, id, tx.Now+r.IdleTimeout)
	case tx.Now-max(r.LastActivity, r.BegunAt) < r.IdleTimeout:
		s.armIdleTimeout(tx, r)
	case f == nil && r.Status == run.Running:
		tx.Schedule(dueIdleTimeout, id, tx.Now+patience)
	case f != nil && tx.Now-f.since < patience:
		tx.Schedule(dueIdleTimeout, id, f.since+patience)
	default:
		s.Stop(tx, r, run.TimedOut, fmt.Sprintf("nothing was heard of the run for %s", time.Duration(r.IdleTimeout)*time.Millisecond))
	}
}

// enqueueDelivery puts the end of a detached run into the outbox. The handler is called in an event
// of its own.
func (s *Supervisor) enqueueDelivery(tx *durable.Tx, r run.Run) {
	tx.Unschedule(dueIdleTimeout, r.ID)
	if r.Handler == "" {
		return
	}
	if r.Origin != nil {
		run.EnqueueForOrigin(tx, r)
		s.notifyOrigin(tx, &r, false)
		return
	}
	run.EnqueueDelivery(tx, r, "")
	tx.Schedule(DueDelivery, r.ID, tx.Now)
}

// attemptDelivery makes the attempt for which a delivery was claimed, or claims the delivery.
func (s *Supervisor) attemptDelivery(tx *durable.Tx, id string) {
	d, ok := run.FindDelivery(tx, id)
	switch {
	case !ok || d.State == run.Dead:
	case d.State == attempt.Claimed:
		s.callHandler(tx, d)
	default:
		d.Claim()
		run.KeepAttempts(tx, d)
		tx.Schedule(DueDelivery, id, tx.Now)
	}
}

func (s *Supervisor) callHandler(tx *durable.Tx, d run.Delivery) {
	r, ok := run.Find(tx, d.Run)
	if !ok || !r.Status.Final() { // another run has had its id since
		run.Delivered(tx, d)
		return
	}
	defer s.attempted(tx, r.ID)
	if err := s.config.Deliver(tx, d.Handler, d.For(r)); err != nil {
		s.deliveryFailed(tx, d, err.Error())
		return
	}
	s.delivered(tx, &r, &d)
}

// deliveryFailed retries a delivery later, or keeps it in the outbox as a dead letter.
func (s *Supervisor) deliveryFailed(tx *durable.Tx, d run.Delivery, why string) {
	again := d.Fail(why, len(deliveryBackoff)+1)
	run.KeepAttempts(tx, d)
	logUndelivered(tx, &d)
	if again {
		tx.Schedule(DueDelivery, d.Run, tx.Now+deliveryBackoff.Wait(d.Attempts))
	}
}

func logUndelivered(tx *durable.Tx, d *run.Delivery) {
	tx.Log(durable.Error, "the end of a detached run could not be handed over", "run", d.Run, "handler", d.Handler,
		"attempt", fmt.Sprint(d.Attempts), "error", d.Failure)
}

// FailClaimed charges the claimed deliveries for the loss of the instance, which this object has
// caused: most likely by a handler. It says whether there were any.
func (s *Supervisor) FailClaimed(tx *durable.Tx, why string) bool {
	claimed := run.Deliveries(tx, attempt.Claimed)
	for _, d := range claimed {
		s.deliveryFailed(tx, d, why)
	}
	return len(claimed) > 0
}

// RetryDelivery delivers the dead letter of a run again, and says whether there is one. by are the claims of
// the code that wants it. The handler works for them, with the scopes that the run has as well.
func (s *Supervisor) RetryDelivery(tx *durable.Tx, id, by string) bool {
	d, ok := run.FindDelivery(tx, id)
	if !ok || d.State != run.Dead {
		return false
	}
	r, _ := run.Find(tx, id)
	d.Attempts, d.Claims = 0, claims.Meet(by, r.Claims)
	if r.Origin != nil {
		d.State = attempt.Waiting
		run.KeepAttempts(tx, d)
		s.notifyOriginAgain(tx, &r)
		return true
	}
	d.Claim()
	run.KeepAttempts(tx, d)
	tx.Schedule(DueDelivery, id, tx.Now)
	return true
}
