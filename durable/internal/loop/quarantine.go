package loop

import (
	"errors"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/approval"
	"github.com/tributary-agents/tributary/durable/internal/loss"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file is about an object that was opened after a crash in one of its own events. The cause
// may have been the turn's work, for example a tool that panics whenever it is replayed over its
// journal. If that work were retried while the object is opened, the object could never be opened.
// So opening only counts the attempt. The retry is an event of its own, and after too many attempts
// the turn fails.

// quarantine is the work of a turn that is retried in an event of its own.
type quarantine struct {
	// calls are the tool calls to resume.
	calls []turn.Call
	// err says why the work is not retried, or is nil.
	err error
}

// quarantineTurn charges the active turn for the loss, and retries its work in an event of its own:
// the open calls of its tools, its program, or its model call.
func (l *Loop) quarantineTurn(tx *durable.Tx, open []turn.Call, lost Lost) {
	a, cause := l.active, lost.Cause
	spent := RetriesSpent(a.turn)
	if a.step == 0 {
		a.approvedCalls = approval.OfTurn(tx, a.turn.Seq)
	}
	waits := a.code != nil || len(open) > 0 || len(a.approvedCalls) > 0
	if len(open) > 0 {
		a.step-- // the step is not over before its tools are
	}
	if l.isQuarantined(tx, cause) { // the clients were told when the wait began
		a.quarantine, a.recovering = &quarantine{calls: open}, !waits
		if spent { // it was given up when the wait began
			a.quarantine.err = turn.ErrLost
		}
		return
	}
	if !waits {
		l.showInterrupted(tx)
		if at := durable.NextDueOf(tx, func(kind string) bool { return kind == dueRetry }); at > tx.Now {
			return // the retry was scheduled before the crash and did not cause it
		}
		tx.Unschedule(dueRetry, a.key())
	}
	a.quarantine = &quarantine{calls: open}
	if !waits || cause != turn.InstanceLost {
		a.quarantine.err = turn.ChargeRetry(tx, &a.turn, a.draft.Next, cause, 0)
	}
	if waits && errors.Is(a.quarantine.err, turn.ErrNoProgress) { // the code of an author may wait for as long as it likes
		a.quarantine.err = nil
	}
	if errors.Is(a.quarantine.err, turn.ErrRetries) && spent { // it was given up before
		a.quarantine.err = turn.ErrLost
	}
	if lost.Place != "" && loss.Again(tx, lost.Place) {
		a.quarantine.err = turn.GiveUp(tx, &a.turn)
	}
	tx.Schedule(dueQuarantined, a.key(), tx.Now+durable.BackoffAfterCrash(a.turn.Spent.Retries))
}

// alarmTolerance is how late the first alarm for an entry may go off, in milliseconds. A later
// alarm is a retry: the platform retries a failed alarm after two seconds.
const alarmTolerance = 1_000

// isQuarantined says whether the active turn was quarantined before the instance was lost, and
// still waits. The loss is then not charged as an attempt of the turn. The alarm that ends the wait
// may be the event that opens the object. If the clock was set back, the turn is quarantined again.
func (l *Loop) isQuarantined(tx *durable.Tx, cause turn.Cause) bool {
	if !tx.Scheduled(dueQuarantined, l.active.key()) {
		return false
	}
	return stillWaits(durable.NextDueOf(tx, func(kind string) bool { return kind == dueQuarantined })-tx.Now, l.active.turn.Spent.Retries, cause)
}

// stillWaits says whether a quarantined turn goes on waiting, given the time that is left.
func stillWaits(left int64, retries int, cause turn.Cause) bool {
	return left <= durable.BackoffAfterCrash(retries) && (left > 0 || left > -alarmTolerance && cause == turn.InstanceLost)
}

// RetryQuarantined retries the quarantined work of the active turn.
func (l *Loop) RetryQuarantined(tx *durable.Tx) {
	a := l.active
	if a == nil || a.quarantine == nil || l.paused {
		return
	}
	tx.Unschedule(dueQuarantined, a.key())
	open, over := a.quarantine.calls, a.quarantine.err
	if over != nil {
		l.endTurn(tx, turn.Failed, over.Error())
		return
	}
	a.quarantine, a.approvedCalls = nil, nil
	switch {
	case a.code != nil:
		l.runProgram(tx)
	case a.step == 0 && l.runApproved(tx):
	case len(open) > 0:
		l.runTools(tx, open)
	default:
		l.callModel(tx)
	}
}

// RetriesSpent says whether a turn has used up its retries after crashes of the instance.
func RetriesSpent(t turn.Turn) bool {
	return t.Spent.Retries >= turn.Limits.Retries || t.Spent.MemoryDeaths >= turn.Limits.MemoryDeaths
}

// dropQuarantined forgets the quarantined work of the active turn. It will not be retried.
func (l *Loop) dropQuarantined(tx *durable.Tx) {
	a := l.active
	if a.quarantine == nil {
		return
	}
	if a.code != nil {
		l.retire(tx, a.routineOf(a.work))
	}
	for _, call := range a.quarantine.calls {
		l.forget(tx, a.routineOf(call))
	}
	for _, p := range a.approvedCalls {
		l.forget(tx, a.routineOf(turn.Call{ID: p.ID}))
	}
	a.quarantine = nil
}

// retire is forget for the routine of a program, whose journal may be kept.
func (l *Loop) retire(tx *durable.Tx, routine string) {
	flow.Retire(tx, routine)
	l.config.Withdraw(tx, routine)
}

// forget deletes what is left of a routine that is not in memory.
func (l *Loop) forget(tx *durable.Tx, routine string) {
	flow.Forget(tx, routine)
	l.config.Withdraw(tx, routine)
}
