package loop

import (
	"fmt"
	"strconv"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/turn"
)

// Times in milliseconds.
const (
	// maxRetryAfter is the longest wait that a provider may ask for. If it asks for more, its error is
	// final.
	maxRetryAfter = 60_000
	// WatchdogDelay is how soon a turn is resumed after a loss of memory, if no other event comes.
	WatchdogDelay = 30_000
	// sliceDelay is how soon code of a model goes on after a loss of memory, if no other event comes.
	sliceDelay = 2_000
)

// modelBackoff is how long to wait after each failure in a row of a model call, in milliseconds.
var modelBackoff = durable.Backoff{1_000, 2_000, 4_000, 8_000, 16_000, 30_000}

// retryDelay returns the back-off before the next attempt at a model call. It returns false if the
// call is not retried.
func retryDelay(failure *model.Error, retries int) (int64, bool) {
	wait := max(failure.RetryAfter, modelBackoff.Wait(retries+1))
	return wait, failure.Retryable() && wait <= maxRetryAfter
}

// key names the active turn in the schedule.
func (a *activeTurn) key() string { return strconv.FormatInt(a.turn.Seq, 10) }

// armWatchdog schedules an event that wakes the object while a model answers, or a tool waits for
// what is lost with the memory. Everything else that tools await wakes the object by itself.
func (l *Loop) armWatchdog(tx *durable.Tx) {
	tx.Schedule(dueWatchdog, l.active.key(), tx.Now+l.watchdogDelay(tx.Now))
}

// watchdogDelay is how soon the object is woken.
func (l *Loop) watchdogDelay(now int64) int64 {
	switch a := l.active; {
	case a.answer != nil:
		return min(WatchdogDelay, a.patience(now))
	case l.WaitsForSlice():
		return sliceDelay
	}
	return WatchdogDelay
}

// checkStall cancels a model call whose server has sent nothing for too long, and fails a turn whose
// model call takes too long in all. The second kind of call is not retried: the server went on sending
// something, so no other limit would end it.
func (l *Loop) checkStall(tx *durable.Tx) {
	a := l.active
	if l.sayGathered(tx); l.active != a {
		return
	}
	silence := a.silence()
	switch {
	case a.answer == nil && !l.waitsInMemory():
	case a.answer == nil:
		l.armWatchdog(tx)
	case tx.Now-a.calledAt >= a.limits.Call.Milliseconds():
		l.cancelModelCall(tx)
		l.endTurn(tx, turn.Failed, fmt.Sprintf("the model's answer took longer than %s", a.limits.Call))
	case tx.Now-max(a.calledAt, a.heardAt) >= silence.Milliseconds():
		l.cancelModelCall(tx)
		a.answered = true
		l.modelCallFailed(tx, &model.Error{Kind: model.Unavailable, Message: fmt.Sprintf("the model was silent for %v seconds", silence.Seconds())})
	default:
		l.armWatchdog(tx)
	}
}

// silence is how long the server of the model call may send nothing now.
func (a *activeTurn) silence() time.Duration {
	if a.heardAt == 0 {
		return a.limits.FirstByte
	}
	return a.limits.Idle
}

// patience is how long the model call may go on if nothing comes, in milliseconds and at least one.
func (a *activeTurn) patience(now int64) int64 {
	silent := max(a.calledAt, a.heardAt) + a.silence().Milliseconds()
	return max(1, min(silent, a.calledAt+a.limits.Call.Milliseconds())-now)
}
