package loop

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/approval"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file is about a loop that is held because the run of its object is paused. No model call, no
// tool and no await begins then. A model call that is under way comes to its end, and what tools
// await is journaled. The code of the tools is not told: it is only not continued.

// Pause holds the loop.
func (l *Loop) Pause() { l.paused = true }

// EndPause ends the hold. The turn that was held is over, and nothing of it goes on.
func (l *Loop) EndPause() { l.paused = false }

// Paused says whether the loop is held.
func (l *Loop) Paused() bool { return l.paused }

// Rests says that the loop is held and nothing is under way.
func (l *Loop) Rests() bool {
	a := l.active
	return l.paused && (a == nil || a.answer == nil && !a.finishing && !a.fetching())
}

// Release has the loop go on where it was held.
func (l *Loop) Release(tx *durable.Tx) {
	l.EndPause()
	a := l.active
	switch {
	case a == nil:
	case a.quarantine != nil: // the memory was lost meanwhile
		a.pausedTools = nil
		if !tx.Scheduled(dueQuarantined, a.key()) {
			l.RetryQuarantined(tx)
		}
	case a.pausedCall:
		a.pausedCall = false
		l.callModel(tx)
	default:
		l.releaseTools(tx)
	}
}

// releaseTools has the tools go on that are under way, and starts those that were held.
func (l *Loop) releaseTools(tx *durable.Tx) {
	a := l.active
	calls := a.pausedTools
	a.pausedTools = nil
	for _, r := range a.running {
		r.routine.ResumeLater(tx)
	}
	l.resumeAll(tx)
	for _, call := range calls {
		l.runTool(tx, call)
	}
	if len(a.running) > 0 || len(calls) > 0 {
		l.collectResults(tx)
	}
}

// stay notes that the active turn has come to where it is held. The parent may have to be told.
func (l *Loop) stay(tx *durable.Tx) {
	l.active.finishing = false
	l.report(tx, Changed{})
}

// resumePaused resumes a turn of a held loop after its memory was lost. Nothing is replayed before the
// pause is over. If a model call was under way, it was lost, and is charged.
func (l *Loop) resumePaused(tx *durable.Tx, open []turn.Call, cause turn.Cause) {
	a := l.active
	lost := tx.Scheduled(dueWatchdog, a.key())
	tx.Unschedule(dueWatchdog, a.key())
	if a.step == 0 {
		a.approvedCalls = approval.OfTurn(tx, a.turn.Seq)
	}
	waits := a.code != nil || len(open) > 0 || len(a.approvedCalls) > 0
	if len(open) > 0 {
		a.step-- // the step is not over before its tools are
	}
	if !waits && tx.Scheduled(dueRetry, a.key()) {
		return // the call is made when the entry is due
	}
	a.quarantine = &quarantine{calls: open}
	if !waits && lost {
		a.quarantine.err = turn.ChargeRetry(tx, &a.turn, a.draft.Next, cause, 0)
	}
}

// isPausedKind says whether entries of the schedule wait until a loop is not held any more.
func isPausedKind(kind string) bool { return slices.Contains([]string{dueRetry, dueQuarantined}, kind) }

// WaitsForRelease says whether nothing has to be done for entries of a kind while the loop is held.
// Sleeps are completed by the first event after their time.
func WaitsForRelease(kind string) bool {
	return isPausedKind(kind) || kind == flow.DueSleep
}
