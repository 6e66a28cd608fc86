package chat

import (
	"fmt"
	"slices"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is about detached runs. They belong to the root and not to a turn. Their end goes to a
// handler of the agent, through the outbox.

const (
	// defaultTimeout is how long a detached run may take in all. defaultIdleTimeout is how long it
	// may produce nothing. Both apply if the spec sets no other.
	defaultTimeout     = 24 * time.Hour
	defaultIdleTimeout = time.Hour
)

// detached says whether the active turn of a helper works on a detached run.
func (o *Object) detached(tx *durable.Tx) bool {
	if !o.agent.Helper {
		return false
	}
	k, _ := taskOf(tx, o.active.turn.Seq)
	return k.request.Detached
}

// detach turns a run of a turn into a run of the root.
func detach(r *run.Run) {
	r.Turn, r.ToolCall = 0, ""
	if r.Timeout <= 0 {
		r.Timeout = defaultTimeout.Milliseconds()
	}
	if r.IdleTimeout <= 0 {
		r.IdleTimeout = defaultIdleTimeout.Milliseconds()
	}
}

// detachRefusal says why a detached run cannot begin, or returns "".
func (o *Object) detachRefusal(r run.Run) string {
	names := r.Announce.Names()
	switch {
	case o.agent.Helper:
		return "only the root can have detached runs, and " + o.agent.Class + " is a helper"
	case o.agent.Handlers[r.Handler] == nil:
		return fmt.Sprintf("%s has no handler named %.80q", o.agent.Class, r.Handler)
	case len(names) > MaxMilestones:
		return fmt.Sprintf("%d milestones to tell of, at most %d", len(names), MaxMilestones)
	case slices.ContainsFunc(names, func(name string) bool { return checkName(name) != nil }):
		return "one of the milestones to tell of has a name that none can have"
	}
	return ""
}

// armIdleTimeout schedules the idle timeout of a detached run.
func (o *Object) armIdleTimeout(tx *durable.Tx, r run.Run) {
	if r.Handler != "" && !r.Status.Final() {
		tx.Schedule(dueIdleTimeout, r.ID, max(r.LastActivity, r.BegunAt)+r.IdleTimeout)
	}
}

// idleTimeoutPassed fails a run that has produced nothing for too long. A run may be silent while
// it is queued, or sleeps as announced. While it waits for a person, no timeout is scheduled: that
// may take for ever.
func (o *Object) idleTimeoutPassed(tx *durable.Tx, id string) {
	r, ok := run.Find(tx, id)
	switch {
	case !ok || r.Status.Final() || r.Status == run.Waiting:
	case r.Slot == 0, o.isDormant(tx, r):
		tx.Schedule(dueIdleTimeout, id, tx.Now+r.IdleTimeout)
	case tx.Now-max(r.LastActivity, r.BegunAt) < r.IdleTimeout:
		o.armIdleTimeout(tx, r)
	default:
		o.stopRun(tx, r, run.TimedOut, fmt.Sprintf("nothing was heard of the run for %s", time.Duration(r.IdleTimeout)*time.Millisecond))
	}
}

// enqueueDelivery puts the end of a detached run into the outbox. The handler is called in an event
// of its own.
func (o *Object) enqueueDelivery(tx *durable.Tx, r run.Run) {
	tx.Unschedule(dueIdleTimeout, r.ID)
	if r.Handler == "" {
		return
	}
	run.EnqueueDelivery(tx, r)
	tx.Schedule(dueDelivery, r.ID, tx.Now)
}

// attemptDelivery makes the attempt for which a delivery was claimed, or claims the delivery.
func (o *Object) attemptDelivery(tx *durable.Tx, id string) {
	d, ok := run.FindDelivery(tx, id)
	switch {
	case !ok || d.State == run.Dead:
	case d.State == run.Claimed:
		o.callHandler(tx, d)
	default:
		run.ClaimDelivery(tx, &d)
		tx.Schedule(dueDelivery, id, tx.Now)
	}
}

func (o *Object) callHandler(tx *durable.Tx, d run.Delivery) {
	r, ok := run.Find(tx, d.Run)
	if !ok || !r.Status.Final() { // another run has had its id since
		run.Delivered(tx, d)
		return
	}
	err := fmt.Errorf("there is no handler named %.80q", d.Handler)
	if handler := o.agent.Handlers[d.Handler]; handler != nil {
		err = handler(o.conversation(tx), infoOf(r))
	}
	if err != nil {
		o.deliveryFailed(tx, d, err.Error())
		return
	}
	run.Delivered(tx, d)
	if d.Last {
		o.wipeRun(tx, r)
	}
}

// deliveryFailed retries a delivery later, or keeps it in the outbox as a dead letter.
func (o *Object) deliveryFailed(tx *durable.Tx, d run.Delivery, why string) {
	wait := run.DeliveryFailed(tx, &d, protocol.CutOff(why, maxWords))
	tx.Log(durable.Error, "the end of a detached run could not be handed over", "run", d.Run, "handler", d.Handler,
		"attempt", fmt.Sprint(d.Attempts), "error", why)
	if wait > 0 {
		tx.Schedule(dueDelivery, d.Run, tx.Now+wait)
	}
}

// failClaimedDeliveries charges the claimed deliveries if the instance was lost by a fault of this
// object: most likely a handler caused it. It says whether there were any.
func (o *Object) failClaimedDeliveries(tx *durable.Tx, lost durable.Loss) bool {
	if lost == durable.LostQuietly {
		return false
	}
	claimed := run.Deliveries(tx, run.Claimed)
	for _, d := range claimed {
		o.deliveryFailed(tx, d, "the instance was lost: "+string(lost))
	}
	return len(claimed) > 0
}

// DeadLetter is the end of a detached run whose handler has failed at every attempt.
type DeadLetter struct {
	Run      RunInfo `json:"run"`
	Handler  string  `json:"handler"`
	Attempts int     `json:"attempts"`
	Failure  string  `json:"error"`
}

// DeadLetters lists the dead letters.
func (c *Conversation) DeadLetters() []DeadLetter {
	list := []DeadLetter{} // never null
	for _, d := range run.Deliveries(c.tx, run.Dead) {
		if r, ok := run.Find(c.tx, d.Run); ok {
			list = append(list, DeadLetter{infoOf(r), d.Handler, d.Attempts, d.Failure})
		}
	}
	return list
}

// RetryDeadLetter delivers a dead letter again, as if the run had just ended.
func (c *Conversation) RetryDeadLetter(id string) error {
	d, ok := run.FindDelivery(c.tx, id)
	if !ok || d.State != run.Dead {
		return fmt.Errorf("run %.80q has no dead letter", id)
	}
	run.RetryDelivery(c.tx, &d)
	c.tx.Schedule(dueDelivery, id, c.tx.Now)
	return nil
}
