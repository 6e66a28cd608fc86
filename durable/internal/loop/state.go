package loop

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/reply"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/turn"
)

// IsActive says whether a turn is under way.
func (l *Loop) IsActive() bool { return l.active != nil }

// HasRequest says whether the turn under way is that of a request.
func (l *Loop) HasRequest(request string) bool {
	return l.active != nil && l.active.turn.Request == request
}

// Has says whether a turn is the one under way.
func (l *Loop) Has(seq int64) bool { return l.active != nil && l.active.turn.Seq == seq }

// Turn returns the turn under way. There must be one.
func (l *Loop) Turn() turn.Turn { return l.active.turn }

// Draft returns the answer of the turn under way, as far as it has come. There must be a turn.
func (l *Loop) Draft() *reply.Draft { return l.active.draft }

// Step returns the number of the model call of the turn under way.
func (l *Loop) Step() int { return l.active.step }

// IsRecovering says whether a turn is under way whose answer was interrupted.
func (l *Loop) IsRecovering() bool { return l.active != nil && l.active.recovering }

// Asking says whether the model answers a turn.
func (l *Loop) Asking(seq int64) bool { return l.Has(seq) && l.active.answer != nil }

// AwaitsTools says whether the turn under way waits for tools.
func (l *Loop) AwaitsTools() bool {
	return l.active != nil && !l.working && l.active.answer == nil && len(l.active.running) > 0
}

// SpentOf is the cost of a turn so far, or nothing if the turn is not under way.
func (l *Loop) SpentOf(seq int64) run.Usage {
	if !l.Has(seq) {
		return run.Usage{}
	}
	return l.active.spent()
}

// RunsSpent notes that the cost of a turn's runs has changed, and says whether the turn is under
// way.
func (l *Loop) RunsSpent(tx *durable.Tx, seq int64) bool {
	if !l.Has(seq) {
		return false
	}
	l.active.runUsage = run.Spent(tx, seq)
	return true
}

// Load returns an estimate of the memory of the turn under way, in bytes, and whether it waits for
// what is lost with the memory.
func (l *Loop) Load() (bytes int, busy bool) {
	if l.active == nil {
		return 0, false
	}
	bytes = l.active.draft.Fold.Bytes()
	for _, r := range l.active.running {
		bytes += r.routine.Bytes()
	}
	return bytes, l.active.answer != nil || l.waitsInMemory()
}
