package loop

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/turn"
)

// endTurn ends the active turn.
func (l *Loop) endTurn(tx *durable.Tx, status turn.Status, reason string) {
	a := l.active
	l.showRecovered(tx)
	if status == turn.Failed {
		reason = protocol.CutOff(l.config.OnError(tx, reason), limit.Words)
	}
	if status != turn.Completed {
		l.dropTools(tx, dropReasons[status])
	}
	l.config.Runs.StopOfTurn(tx, a.turn.Seq, "nobody waits for it any more")
	l.active = nil
	if l.config.Helper {
		a.store(tx)
	}
	a.countUsage(tx)
	turn.Move(tx, &a.turn, status, reason)
	a.unschedule(tx)
	l.report(tx, Ended{Turn: a.turn, Draft: a.draft, Output: a.output, Summary: a.summary, FailReason: a.failReason, Usage: a.spent()})
}

// Discard ends the active turn, whose conversation is being cleared, and returns it. It reports no
// end.
func (l *Loop) Discard(tx *durable.Tx) turn.Turn {
	a := l.active
	l.showRecovered(tx)
	l.cancelModelCall(tx)
	l.dropTools(tx, dropReasons[turn.Aborted])
	a.unschedule(tx)
	l.active = nil
	a.countUsage(tx)
	turn.Move(tx, &a.turn, turn.Aborted, "")
	return a.turn
}

// Stop stops the active turn, and the runs that end with it.
func (l *Loop) Stop(tx *durable.Tx) {
	a := l.active
	if l.sayGathered(tx); l.active != a {
		return
	}
	l.cancelModelCall(tx)
	for _, r := range run.StoppedWith(tx, l.active.turn.Seq) {
		l.config.Runs.Stop(tx, r, run.Cancelled, dropReasons[turn.Aborted])
	}
	l.endTurn(tx, turn.Aborted, "")
}

// EndingCrashes says whether the end of the active turn has crashed the instance already. None of
// the author's code is then called for its end.
func (l *Loop) EndingCrashes() bool {
	if l.active == nil {
		return false
	}
	spent := l.active.turn.Spent
	return spent.Retries > turn.Limits.Retries || spent.MemoryDeaths > turn.Limits.MemoryDeaths
}

// unschedule removes what the schedule holds for a turn that ends.
func (a *activeTurn) unschedule(tx *durable.Tx) {
	for _, kind := range []string{dueWatchdog, dueRetry, dueQuarantined} {
		tx.Unschedule(kind, a.key())
	}
}

// dropReasons are the errors that the model is sent for open tool calls when their turn ends.
var dropReasons = map[turn.Status]string{
	turn.Aborted: "the turn was stopped",
	turn.Failed:  "the turn failed",
}

// cancelModelCall cancels the model call of the active turn, if one is under way.
func (l *Loop) cancelModelCall(tx *durable.Tx) {
	l.takeGathered(tx)
	if l.active.answer != nil {
		l.active.answer.Cancel(tx)
		l.active.answer = nil
	}
}
