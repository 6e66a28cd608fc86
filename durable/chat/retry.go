package chat

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/turn"
)

// The kinds of entries in the schedule.
const (
	// dueRetry begins a model call anew, dueGoOn goes on with a turn in an event of its own.
	dueRetry = "retry"
	dueGoOn  = "go-on"
	// dueWatch wakes an object whose turn should be speaking.
	dueWatch = "watch"
	// dueFollow opens the stream of a run again.
	dueFollow = "follow"
	// dueRuns looks after the runs that are under way.
	dueRuns = "runs"
	// dueTimeout closes a run that has taken too long.
	dueTimeout = "timeout"
	// dueSilence gives up a detached run of which nothing is heard.
	dueSilence = "silence"
	// dueLetter hands over the end of a detached run.
	dueLetter = "letter"
	// dueReport tells a parent how far a run has come.
	dueReport = "report"
	// dueTurn begins a turn that has waited until it was quiet.
	dueTurn = "turn"
	// dueCallback has what a schedule says called, and dueWaken a helper woken that has
	// schedules.
	dueCallback = "callback"
	dueWaken    = "waken"
	// dueTimer is a helper's timer in place of an alarm.
	dueTimer = "due"
)

// Times in milliseconds.
const (
	firstWait = 1_000
	maxWait   = 30_000
	// longestWait is how long a person is kept waiting for a provider; one that
	// asks for more is taken as an answer.
	longestWait = 60_000
	// watchEvery is how soon a turn goes on after everything in memory was lost
	// and nobody came.
	watchEvery = 30_000
	// usualModelSilence is how long a model may go without a word where the agent says nothing
	// else, usualModelTime how long one model call may take.
	usualModelSilence = 60_000
	usualModelTime    = 30 * 60_000
)

// backoff returns how long to wait before the next attempt, or false when there
// shall be none.
func backoff(failure *model.Error, stuck int) (int64, bool) {
	wait := max(failure.RetryAfter, min(int64(firstWait)<<min(stuck, 10), maxWait))
	return wait, failure.Retryable() && wait <= longestWait
}

// key names the live turn in the schedule.
func (l *live) key() string { return strconv.FormatInt(l.turn.Seq, 10) }

// watch makes sure that something wakes the object while a model speaks, or a server
// answers a tool. Whatever else tools await wakes the object by itself.
func (h *Host) watch(tx *durable.Tx) { tx.Schedule(dueWatch, h.live.key(), tx.Now+watchEvery) }

// lookAt gives a model up that has said no word for too long, and ends a turn whose model call
// takes too long in all. A call that took too long is not tried again: it has brought words all
// the while, so that no other limit would end it.
func (h *Host) lookAt(tx *durable.Tx) {
	l := h.live
	silence, most := h.agent.ModelSilence, h.agent.ModelTime
	switch {
	case l.answer == nil && !l.fetching():
	case l.answer == nil:
		h.watch(tx)
	case tx.Now-l.askedAt >= most.Milliseconds():
		h.silence(tx)
		h.settle(tx, turn.Failed, fmt.Sprintf("the model's answer took longer than %s", most))
	case tx.Now-l.heardAt >= silence.Milliseconds():
		h.silence(tx)
		h.stumble(tx, &model.Error{Kind: model.Unavailable, Message: fmt.Sprintf("the model was silent for %v seconds", silence.Seconds())})
	default:
		h.watch(tx)
	}
}

// wake deals with what has fallen due.
func (h *Host) wake(tx *durable.Tx) {
	taken := durable.TakeDue(tx)
	for _, due := range taken {
		speaks := h.live != nil && h.live.key() == due.ID
		switch {
		case due.Kind == flow.DueSleep:
			flow.Wake(tx, due.ID)
		case due.Kind == dueRuns:
			h.lookAfter(tx)
		case due.Kind == dueFollow:
			h.followAgain(tx, due.ID)
		case due.Kind == dueTimeout:
			h.timeOut(tx, due.ID)
		case due.Kind == dueSilence:
			h.silent(tx, due.ID)
		case due.Kind == dueLetter:
			h.handOver(tx, due.ID)
		case due.Kind == dueTurn:
			h.advance(tx)
		case due.Kind == dueCallback && len(taken) > 1: // a transaction of its own
			tx.Schedule(dueCallback, "", tx.Now)
		case due.Kind == dueCallback:
			h.callDue(tx)
		case due.Kind == dueWaken:
			h.waken(tx, due.ID)
		case due.Kind == dueReport:
			h.pumpAll(tx)
		case due.Kind == dueWatch && speaks:
			h.lookAt(tx)
		case due.Kind == dueRetry && speaks:
			h.ask(tx)
		case due.Kind == dueGoOn && speaks:
			h.goOnApart(tx)
		}
	}
	h.resumeTools(tx)
}

// causes says what a turn is charged with for the loss of its instance.
var causes = map[durable.Loss]turn.Cause{
	durable.LostQuietly: turn.InstanceLost, durable.LostByTrap: turn.ProviderFailed, durable.LostByMemory: turn.OutOfMemory,
}

// revive takes up a turn whose in-memory part was lost: tools go on over their
// journals, and a model call is begun anew behind what it had said.
func (h *Host) revive(tx *durable.Tx, t turn.Turn, cause turn.Cause) {
	l := resume(tx, t)
	h.live = l
	l.replayed = h.roster.all() // as far as anybody knows
	var open []turn.Call
	for _, s := range turn.Steps(tx, t) {
		l.step++
		l.usage.Input += s.InputTokens
		l.usage.Output += s.OutputTokens
		open = slices.DeleteFunc(s.Calls, func(c turn.Call) bool { return c.Done })
	}
	if h.apart {
		h.keepApart(tx, open, cause)
		return
	}
	switch {
	case h.agent.Program != nil:
		h.runProgram(tx)
	case l.step == 0 && h.useApproved(tx):
	case len(open) > 0:
		l.step-- // the step is not over before its tools are
		h.useTools(tx, open)
	case tx.Scheduled(dueRetry, l.key()):
		h.interrupted(tx)
	default:
		if err := turn.Again(tx, &l.turn, l.next, cause, 0); err != nil {
			h.settle(tx, turn.Failed, err.Error())
			return
		}
		h.interrupted(tx)
		h.ask(tx)
	}
}
