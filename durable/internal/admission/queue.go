// Package admission decides which turn comes next, and which never comes.
package admission

import (
	"errors"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/loss"
	"github.com/tributary-agents/tributary/durable/internal/share"
	"github.com/tributary-agents/tributary/durable/turn"
)

// ChargeNextTurn charges the next turn for the loss, if the turn was due to begin in an event of
// its own when the instance was lost. quarantined says that this object lost it.
func ChargeNextTurn(tx *durable.Tx, quarantined bool, cause turn.Cause) {
	if !quarantined {
		return
	}
	due := durable.NextDueOf(tx, func(kind string) bool { return kind == DueTurn })
	if t, ok := turn.Next(tx); ok && due > 0 && due <= tx.Now {
		_ = turn.ChargeRetry(tx, &t, 0, cause, 0) // the error is checked when the turn begins
		if t.Spent.Retries >= loss.Most {
			_ = turn.GiveUp(tx, &t)
		}
	}
}

// isHeldBack says whether a turn that has crashed the instance as it began waits for the event that
// begins it next. If another event began it, that event would trap whenever it came, and the turn
// would not be charged.
func isHeldBack(tx *durable.Tx, t turn.Turn) bool {
	return t.Spent.Retries > 0 &&
		isBackingOff(t.Spent.Retries, durable.NextDueOf(tx, func(kind string) bool { return kind == DueTurn })-tx.Now)
}

// isBackingOff says whether the wait before the next retry is not over. A longer wait than the
// back-off means that the clock was set back.
func isBackingOff(retries int, wait int64) bool {
	return wait > 0 && wait <= durable.BackoffAfterCrash(retries)
}

// isDebounced says whether a turn waits until no more messages come. A longer wait than there is
// means that the clock was set back.
func isDebounced(t turn.Turn, now int64) bool {
	return t.QuietUntil > now && t.QuietUntil-now <= turn.DebounceDelay
}

// Enqueue is the only way to queue a turn, whether it comes from a browser, a submission, a notice,
// a parent's run, or the answers to the calls of a message. The turn gets a row and a place in the
// queue, and [Ready] returns it later. A turn whose instance was lost already has its row and is
// not enqueued again.
func Enqueue(tx *durable.Tx, t turn.Turn) turn.Turn { return turn.Accept(tx, t) }

// MakeTables makes the tables that a turn and its question need, and others beside them, in one call
// instead of one for each first row.
func MakeTables(tx *durable.Tx, beside ...string) {
	tx.Make(append(beside, "message", "turn", "schedule", "chunk")...)
}

// ErrFull is why nothing more can be queued, in all or for one person. The error is temporary.
var ErrFull = errors.New("too many requests are waiting already")

// full is [ErrFull], in the words of the share that has no room.
type full struct{ error }

// Is implements the interface of package errors.
func (full) Is(target error) bool { return target == ErrFull }

// Refusal says why the person with some claims can queue nothing more, or returns nil. The error is an
// [ErrFull].
func Refusal(tx *durable.Tx, claims string) error {
	if err := share.Turns.Refusal(claims, turn.WaitingBy(tx)); err != nil {
		return full{err}
	}
	return nil
}

// Dequeue takes a turn from the queue, because the turn begins or because it never will.
func Dequeue(tx *durable.Tx, t *turn.Turn, to turn.Status) {
	turn.Move(tx, t, to, "")
	if t.QuietUntil > 0 { // the turn was waiting until no more messages come
		tx.Unschedule(DueTurn, "")
	}
	if to.Final() {
		tx.SQL(`DELETE FROM narration WHERE turn = ?`, t.Seq)
	}
}

// Ready returns the next turn if it can begin now. A debounced turn is held by the schedule, and
// all turns behind it wait with it. A quarantined turn begins in an event of its own.
func Ready(tx *durable.Tx, quarantined bool) (turn.Turn, bool) {
	t, ok := turn.Next(tx)
	switch {
	case !ok:
	case isDebounced(t, tx.Now):
		tx.Schedule(DueTurn, "", t.QuietUntil)
	case isHeldBack(tx, t):
	case quarantined:
		tx.Schedule(DueTurn, "", tx.Now+durable.BackoffAfterCrash(t.Spent.Retries))
	default:
		return t, true
	}
	return turn.Turn{}, false
}
