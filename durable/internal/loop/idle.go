package loop

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/run"
)

// SleepsUntil returns when the schedule next wakes the active turn, if nothing else can. It is 0 if
// something else can, or soon.
func (l *Loop) SleepsUntil(tx *durable.Tx) int64 {
	a := l.active
	if a.answer != nil || len(a.running) == 0 || a.fetching() || len(run.UnacknowledgedCancels(tx)) > 0 {
		return 0
	}
	if !l.config.Runs.AllDormant(tx) {
		return 0
	}
	due := durable.NextDue(tx)
	if due == 0 && a.receives() {
		return tx.Now + longestIdle
	}
	if due-tx.Now < MinIdle {
		return 0
	}
	return due
}

// receives says whether code of the turn waits for a signal.
func (a *activeTurn) receives() bool {
	return slices.ContainsFunc(a.running, func(r running) bool { return r.routine.Receives() })
}

// longestIdle is how long a turn is left alone that waits for nothing but a signal, in milliseconds.
// The signal itself wakes it.
const longestIdle = 365 * 24 * 3_600_000

// MinIdle is the shortest sleep that is handled this way, in milliseconds.
const MinIdle = 60_000
