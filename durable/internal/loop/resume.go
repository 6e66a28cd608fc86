package loop

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/turn"
)

// Lost is how the memory of a turn was lost.
type Lost struct {
	Cause turn.Cause
	// Quarantined says that an event of the object has lost it.
	Quarantined bool
	// Place is where the turn is counted as lost, or "" if it is not counted.
	Place string
}

// ResumeTurn resumes a turn after its memory was lost. Tools are replayed over their journals, and
// a model call is repeated and continues what the model had said. If the turn is quarantined, its
// work is retried in an event of its own.
func (l *Loop) ResumeTurn(tx *durable.Tx, t turn.Turn, lost Lost) {
	cause, quarantined := lost.Cause, lost.Quarantined
	a := rebuildTurn(tx, t)
	l.active = a
	a.work, a.code, a.options = l.config.Program(tx, t)
	var open []turn.Call
	for _, s := range turn.Steps(tx, t) {
		a.step++
		a.usage.Input += s.InputTokens
		a.usage.Output += s.OutputTokens
		open = slices.DeleteFunc(s.Calls, func(c turn.Call) bool { return c.Done })
	}
	if quarantined || l.isQuarantined(tx, cause) {
		l.quarantineTurn(tx, open, lost)
		return
	}
	if RetriesSpent(a.turn) { // it was given up, and the wait for its end has passed meanwhile
		l.endTurn(tx, turn.Failed, turn.ErrLost.Error())
		return
	}
	if l.paused {
		l.resumePaused(tx, open, cause)
		return
	}
	switch {
	case a.code != nil:
		l.runProgram(tx)
	case a.step == 0 && l.runApproved(tx):
	case len(open) > 0:
		a.step-- // the step is not over before its tools are
		l.runTools(tx, open)
	case tx.Scheduled(dueRetry, a.key()):
		l.showInterrupted(tx)
	default:
		if err := turn.ChargeRetry(tx, &a.turn, a.draft.Next, cause, 0); err != nil {
			l.endTurn(tx, turn.Failed, err.Error())
			return
		}
		l.showInterrupted(tx)
		l.callModel(tx)
	}
}
