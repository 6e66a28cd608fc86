package chat

import (
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/turn"
)

// admit is the one way in for a turn, whoever wants it: a browser, a submission, a
// notice, a parent's run, or the last answer to calls that were waited for. From here on
// the turn is a row and has a place in the queue; [Host.advance] lets it speak when it is
// its turn. One whose instance was lost has its row already and is taken up, not admitted
// again.
func (h *Host) admit(tx *durable.Tx, t turn.Turn) turn.Turn { return turn.Accept(tx, t) }

// leave takes a turn from the queue: it begins, or it never will. There is room for another
// then.
func (h *Host) leave(tx *durable.Tx, t *turn.Turn, to turn.Status) {
	turn.Move(tx, t, to, "")
	if t.QuietUntil > 0 { // it was to begin when it is quiet
		tx.Unschedule(dueTurn, "")
	}
	if to.Final() {
		tx.SQL(`DELETE FROM narration WHERE turn = ?`, t.Seq)
	}
	h.roomy = true
}

// busy says whether a turn speaks or waits.
func (h *Host) busy(tx *durable.Tx) bool { return h.live != nil || turn.Waiting(tx) > 0 }

// errFull is why nothing more can be queued. There will be room again.
var errFull = fmt.Errorf("%d requests are waiting already", turn.MaxQueued)

// closed says why no message is taken, or is nil.
func (h *Host) closed(tx *durable.Tx) error {
	switch {
	case h.agent.Program != nil:
		return errors.New(h.agent.Class + " is a program and takes no messages")
	case h.clearing:
		return errors.New("the conversation is being cleared")
	case turn.Waiting(tx) >= turn.MaxQueued:
		return errFull
	}
	return nil
}

// advance lets the next turn speak, if none does. One that has to wait until it is quiet
// is held by the schedule, and all behind it wait with it. While everything is being wiped,
// nothing begins that would only be stopped.
func (h *Host) advance(tx *durable.Tx) {
	if h.live != nil || h.clearing {
		return
	}
	t, ok := turn.Next(tx)
	switch {
	case !ok:
	case t.QuietUntil > tx.Now && t.QuietUntil-tx.Now <= quiet: // if it is more, the clock was set back
		tx.Schedule(dueTurn, "", t.QuietUntil)
	case h.apart:
		tx.Schedule(dueTurn, "", tx.Now+againApart(t.Spent.Stuck))
	default:
		h.begin(tx, t, h.roster.all()...)
	}
}

// unwind does at the end of an event what code within it could only ask for: a turn cannot
// begin or end in the middle of another one's hook or tool.
func (h *Host) unwind(tx *durable.Tx) {
	for h.delivered || h.moved || h.roomy || len(h.cancelled) > 0 {
		switch {
		case h.delivered:
			h.delivered = false
			h.resumeTools(tx)
		case len(h.cancelled) > 0:
			seq := h.cancelled[0]
			h.cancelled = h.cancelled[1:]
			if t, ok := turn.Numbered(tx, seq); ok {
				h.abort(tx, t)
			}
		case h.roomy:
			h.roomy = false
			h.tellUntold(tx)
		default:
			h.moved = false
			h.advance(tx)
			if !h.busy(tx) {
				h.releaseParked(tx)
			}
		}
	}
}
