package chat

import (
	"errors"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file is about an object that was opened because an event of its own has trapped. What
// goes on in it may be what has trapped, as a tool that panics each time it goes on over its
// journal. Were that tried where the object is opened, it could never be. So the attempt is
// counted there and made in an event of its own, and after too many the turn has failed.

// apart is what goes on in an event of its own.
type apart struct {
	// open are calls of tools that go on.
	open []turn.Call
	// over says why nothing goes on, or is nil.
	over error
}

// keepApart charges the live turn for the loss, and has it go on in an event of its own: the
// calls of its tools that are open, its program, or its model call.
func (h *Host) keepApart(tx *durable.Tx, open []turn.Call, cause turn.Cause) {
	l := h.live
	if l.step == 0 {
		l.owed = asks(tx, `turn = ?`, l.turn.Seq)
	}
	waits := h.agent.Program != nil || len(open) > 0 || len(l.owed) > 0
	if len(open) > 0 {
		l.step-- // the step is not over before its tools are
	}
	if !waits {
		h.interrupted(tx)
		if at := durable.NextDueOf(tx, func(kind string) bool { return kind == dueRetry }); at > tx.Now {
			return // it was not what has trapped, and goes on when it is due
		}
		tx.Unschedule(dueRetry, l.key())
	}
	l.apart = &apart{open: open}
	if !waits || cause != turn.InstanceLost {
		l.apart.over = turn.Again(tx, &l.turn, l.next, cause, 0)
	}
	if waits && errors.Is(l.apart.over, turn.ErrSilence) { // code may wait for as long as it likes
		l.apart.over = nil
	}
	tx.Schedule(dueGoOn, l.key(), tx.Now+againApart(l.turn.Spent.Stuck))
}

// againApart is how long an attempt waits after so many that took the instance along, in
// milliseconds. The first does not: most often it was something else that has trapped.
func againApart(stuck int) int64 {
	if stuck <= 1 {
		return 0
	}
	return backoffOf(stuck - 2)
}

// goOnApart goes on with the live turn where it was kept apart.
func (h *Host) goOnApart(tx *durable.Tx) {
	l := h.live
	if l == nil || l.apart == nil {
		return
	}
	tx.Unschedule(dueGoOn, l.key())
	open, over := l.apart.open, l.apart.over
	if over != nil {
		h.settle(tx, turn.Failed, over.Error())
		return
	}
	l.apart, l.owed = nil, nil
	switch {
	case h.agent.Program != nil:
		h.runProgram(tx)
	case l.step == 0 && h.useApproved(tx):
	case len(open) > 0:
		h.useTools(tx, open)
	default:
		h.ask(tx)
	}
}

// chargeNext charges the turn that was to begin in an event of its own, where that was due
// when the instance was lost.
func (h *Host) chargeNext(tx *durable.Tx, cause turn.Cause) {
	due := durable.NextDueOf(tx, func(kind string) bool { return kind == dueTurn })
	if t, ok := turn.Next(tx); ok && h.apart && due > 0 && due <= tx.Now {
		_ = turn.Again(tx, &t, t.First, cause, 0) // what it says is looked at when the turn begins
	}
}

// poisonous says whether going on with a turn has taken the instance with it as often as that
// is tried.
func poisonous(t turn.Turn) bool {
	return t.Spent.Stuck >= turn.Limits.Stuck || t.Spent.MemoryDeaths >= turn.Limits.MemoryDeaths
}

// forgetApart forgets what of the live turn was kept apart and will not go on.
func (h *Host) forgetApart(tx *durable.Tx) {
	l := h.live
	if l.apart == nil {
		return
	}
	if h.agent.Program != nil {
		flow.Forget(tx, l.routineOf(turn.Call{}))
	}
	for _, call := range l.apart.open {
		flow.Forget(tx, l.routineOf(call))
	}
	for _, a := range l.owed {
		flow.Forget(tx, l.routineOf(turn.Call{ID: a.call}))
	}
	l.apart = nil
}
