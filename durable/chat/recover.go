package chat

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/turn"
)

// The kinds of entries in the schedule.
const (
	// dueRetry retries a model call, dueQuarantined retries quarantined work.
	dueRetry       = "retry"
	dueQuarantined = "go-on"
	// dueWatchdog wakes an object whose turn should be making progress.
	dueWatchdog = "watch"
	// dueTurn begins a debounced turn.
	dueTurn = "turn"
	// dueCallback calls the callback of a schedule.
	dueCallback = "callback"
	// dueTimer is a helper's timer. A helper has no alarm.
	dueTimer = "due"
)

// Times in milliseconds.
const (
	minBackoff = 1_000
	maxBackoff = 30_000
	// maxRetryAfter is the longest wait that a provider may ask for. If it asks for more, its error is
	// final.
	maxRetryAfter = 60_000
	// watchdogDelay is how soon a turn is resumed after a loss of memory, if no other event comes.
	watchdogDelay = 30_000
	// defaultModelIdleTimeout is how long a model may send no words, and defaultModelTimeout how long
	// one model call may take, unless the agent sets other limits.
	defaultModelIdleTimeout = 60_000
	defaultModelTimeout     = 30 * 60_000
)

// retryDelay returns the back-off before the next attempt at a model call. It returns false if the
// call is not retried.
func retryDelay(failure *model.Error, retries int) (int64, bool) {
	wait := max(failure.RetryAfter, min(int64(minBackoff)<<min(retries, 10), maxBackoff))
	return wait, failure.Retryable() && wait <= maxRetryAfter
}

// key names the active turn in the schedule.
func (a *activeTurn) key() string { return strconv.FormatInt(a.turn.Seq, 10) }

// armWatchdog schedules an event that wakes the object while a model answers, or a server answers a
// tool. Everything else that tools await wakes the object by itself.
func (o *Object) armWatchdog(tx *durable.Tx) {
	tx.Schedule(dueWatchdog, o.active.key(), tx.Now+watchdogDelay)
}

// checkStall cancels a model call that has sent no words for too long, and fails a turn whose model
// call takes too long in all. The second kind of call is not retried: the model went on sending
// words, so no other limit would end it.
func (o *Object) checkStall(tx *durable.Tx) {
	a := o.active
	silence, most := o.agent.ModelIdleTimeout, o.agent.ModelTimeout
	switch {
	case a.answer == nil && !a.fetching():
	case a.answer == nil:
		o.armWatchdog(tx)
	case tx.Now-a.calledAt >= most.Milliseconds():
		o.cancelModelCall(tx)
		o.endTurn(tx, turn.Failed, fmt.Sprintf("the model's answer took longer than %s", most))
	case tx.Now-a.lastDeltaAt >= silence.Milliseconds():
		o.cancelModelCall(tx)
		o.modelCallFailed(tx, &model.Error{Kind: model.Unavailable, Message: fmt.Sprintf("the model was silent for %v seconds", silence.Seconds())})
	default:
		o.armWatchdog(tx)
	}
}

// supervisor.HandleDue handles the entries of the schedule that have fallen due.
func (o *Object) handleDue(tx *durable.Tx) {
	taken := durable.TakeDue(tx)
	for _, due := range taken {
		isActive := o.active != nil && o.active.key() == due.ID
		switch {
		case due.Kind == flow.DueSleep:
			flow.Wake(tx, due.ID)
		case o.runs.HandleDue(tx, due):
		case due.Kind == dueTurn:
			o.startNext(tx)
		case due.Kind == dueCallback && len(taken) > 1: // each callback gets a transaction of its own
			tx.Schedule(dueCallback, "", tx.Now)
		case due.Kind == dueCallback:
			o.callDueCallback(tx)
		case due.Kind == task.DueReport:
			o.tails.FlushAll(tx)
		case due.Kind == dueWatchdog && isActive:
			o.checkStall(tx)
		case due.Kind == dueRetry && isActive:
			o.callModel(tx)
		case due.Kind == dueQuarantined && isActive:
			o.retryQuarantined(tx)
		}
	}
	o.resumeTools(tx)
}

// causes says what cause a turn is charged with for each kind of loss of its instance.
var causes = map[durable.Loss]turn.Cause{
	durable.LostQuietly: turn.InstanceLost, durable.LostByTrap: turn.ProviderFailed, durable.LostByMemory: turn.OutOfMemory,
}

// resumeTurn resumes a turn after its memory was lost. Tools are replayed over their journals, and
// a model call is repeated and continues what the model had said.
func (o *Object) resumeTurn(tx *durable.Tx, t turn.Turn, cause turn.Cause) {
	a := rebuildTurn(tx, t)
	o.active = a
	a.replayed = o.audience.All() // it is not known which were sent a replay, so all count
	var open []turn.Call
	for _, s := range turn.Steps(tx, t) {
		a.step++
		a.usage.Input += s.InputTokens
		a.usage.Output += s.OutputTokens
		open = slices.DeleteFunc(s.Calls, func(c turn.Call) bool { return c.Done })
	}
	if o.quarantined || o.isQuarantined(tx, cause) {
		o.quarantineTurn(tx, open, cause)
		return
	}
	switch {
	case o.agent.Program != nil:
		o.runProgram(tx)
	case a.step == 0 && o.runApproved(tx):
	case len(open) > 0:
		a.step-- // the step is not over before its tools are
		o.runTools(tx, open)
	case tx.Scheduled(dueRetry, a.key()):
		o.showInterrupted(tx)
	default:
		if err := turn.ChargeRetry(tx, &a.turn, a.draft.Next, cause, 0); err != nil {
			o.endTurn(tx, turn.Failed, err.Error())
			return
		}
		o.showInterrupted(tx)
		o.callModel(tx)
	}
}
