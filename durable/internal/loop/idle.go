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
	if l.working || a.answer != nil || len(a.running) == 0 || l.waitsInMemory() || len(run.UnacknowledgedCancels(tx)) > 0 {
		return 0
	}
	if !l.config.Runs.AllDormant(tx) {
		return 0
	}
	due := durable.NextDue(tx)
	if due == 0 && a.awaitsParent() {
		return tx.Now + longestIdle
	}
	if due-tx.Now < MinIdle {
		return 0
	}
	return due
}

// awaitsParent says whether code of the turn waits for a signal, or for something else that the parent
// brings.
func (a *activeTurn) awaitsParent() bool {
	return slices.ContainsFunc(a.running, func(r running) bool { return r.routine.AwaitsParent() })
}

// longestIdle is how long a turn is left alone that waits for nothing but its parent, in milliseconds.
// What the parent brings wakes it.
const longestIdle = 365 * 24 * 3_600_000

// MinIdle is the shortest sleep that is handled this way, in milliseconds.
const MinIdle = 60_000
