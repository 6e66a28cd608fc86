package chat

import (
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/turn"
)

// enqueue is the only way to queue a turn, whether it comes from a browser, a submission, a notice,
// a parent's run, or the last answer to the calls that a turn waited for. The turn gets a row and a
// place in the queue, and [Object.startNext] starts it later. A turn whose instance was lost
// already has its row and is not enqueued again.
func enqueue(tx *durable.Tx, t turn.Turn) turn.Turn { return turn.Accept(tx, t) }

// dequeue takes a turn from the queue, because the turn begins or because it never will. This makes
// room in the queue.
func (o *Object) dequeue(tx *durable.Tx, t *turn.Turn, to turn.Status) {
	turn.Move(tx, t, to, "")
	if t.QuietUntil > 0 { // the turn was waiting until no more messages come
		tx.Unschedule(dueTurn, "")
	}
	if to.Final() {
		tx.SQL(`DELETE FROM narration WHERE turn = ?`, t.Seq)
	}
	o.agenda.room = true
}

// busy says whether a turn is active or queued.
func (o *Object) busy(tx *durable.Tx) bool { return o.loop.IsActive() || turn.Waiting(tx) > 0 }

// errFull is why nothing more can be queued. The error is temporary.
var errFull = fmt.Errorf("%d requests are waiting already", turn.MaxQueued)

// refusalReason says why no message is accepted, or returns nil.
func (o *Object) refusalReason(tx *durable.Tx) error {
	switch {
	case o.agent.Program != nil:
		return errors.New(o.agent.Class + " is a program and takes no messages")
	case o.clearing:
		return errors.New("the conversation is being cleared")
	case turn.Waiting(tx) >= turn.MaxQueued:
		return errFull
	}
	return nil
}

// startNext starts the next turn, if none is active. A debounced turn is held by the schedule, and
// all turns behind it wait with it. While everything is being cleared, nothing starts, because it
// would only be stopped.
func (o *Object) startNext(tx *durable.Tx) {
	if o.loop.IsActive() || o.clearing {
		return
	}
	t, ok := turn.Next(tx)
	switch {
	case !ok:
	case t.QuietUntil > tx.Now && t.QuietUntil-tx.Now <= debounceDelay: // a longer wait means that the clock was set back
		tx.Schedule(dueTurn, "", t.QuietUntil)
	case isHeldBack(tx, t):
	case o.quarantined:
		tx.Schedule(dueTurn, "", tx.Now+durable.BackoffAfterCrash(t.Spent.Retries))
	default:
		o.startTurn(tx, t, o.audience.All()...)
	}
}

// drainAgenda does at the end of an event what code within the event could only request: a turn
// cannot begin or end in the middle of another turn's hook or tool.
func (o *Object) drainAgenda(tx *durable.Tx) {
	for o.agenda.resume || o.agenda.next || o.agenda.room || len(o.agenda.cancel) > 0 {
		switch {
		case o.agenda.resume:
			o.agenda.resume = false
			o.loop.ResumeTools(tx)
		case len(o.agenda.cancel) > 0:
			seq := o.agenda.cancel[0]
			o.agenda.cancel = o.agenda.cancel[1:]
			if t, ok := turn.BySeq(tx, seq); ok {
				o.abort(tx, t)
			}
		case o.agenda.room:
			o.agenda.room = false
			o.postDeferredNotices(tx)
		default:
			o.agenda.next = false
			o.startNext(tx)
			if !o.busy(tx) {
				o.releaseWaiting(tx)
			}
		}
	}
}
