package loop

import (
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/prompt"
	"github.com/tributary-agents/tributary/durable/internal/reply"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// callModel begins the next model call of the active turn. The model continues what an earlier
// attempt has said.
func (l *Loop) callModel(tx *durable.Tx) {
	switch {
	case l.EndOverBudget(tx):
		return
	case l.paused:
		l.active.pausedCall = true
		l.stay(tx)
		return
	case l.active.code != nil:
		l.runProgram(tx)
		return
	case l.config.Prepare(tx):
		l.active.preparing = true
		return
	}
	l.emit(tx, l.active.draft.CloseOpenParts()...)
	m, err := l.config.Model()
	if err == nil {
		l.active.limits, err = l.config.Timeouts()
	}
	if err == nil {
		err = l.startModelCall(tx, m)
	}
	if err != nil {
		l.endTurn(tx, turn.Failed, err.Error())
		return
	}
	l.armWatchdog(tx)
}

// CallModel begins the model call that has waited, if there is one.
func (l *Loop) CallModel(tx *durable.Tx) {
	if l.active != nil && l.active.preparing {
		l.active.preparing = false
		l.callModel(tx)
	}
}

// startModelCall begins the call, unless a hook has just cancelled the turn. Such a turn ends with
// the event.
func (l *Loop) startModelCall(tx *durable.Tx, m model.Model) (err error) {
	a := l.active
	request := l.config.Request(tx, a.turn)
	if err := l.config.BeforeStep(tx, &request); errors.Is(err, ErrCancelled) {
		return nil
	} else if err != nil {
		return err
	}
	if err := turn.ChargeCall(tx, &a.turn, a.draft.Next); err != nil {
		return err
	}
	a.call = fmt.Sprintf("turn-%d-%d-%d", a.turn.Seq, a.step, a.turn.Attempt)
	a.calledAt, a.heardAt, a.answered, a.saidAt = tx.Now, 0, false, 0
	a.again = newAgain(a.draft)
	a.renames = l.fits.Request(tx, &request)
	request.Said, request.Used, request.TakeID = string(a.draft.Text), a.draft.Fold.Calls(), l.config.TakeCallID
	a.answer, err = m.Begin(tx, a.call, request)
	return err
}

// ModelEvent passes an event to the model call that it belongs to. Late events of finished calls
// are ignored.
func (l *Loop) ModelEvent(tx *durable.Tx, call string, event durable.Event) {
	a := l.active
	if a == nil || a.answer == nil || a.call != call {
		return
	}
	deltas, err := a.answer.Take(tx, event)
	a.renames.Own(deltas)
	l.receive(tx, event, deltas)
	deltas = a.again.leaveOut(deltas)
	if l.gather(tx, deltas) && err == nil {
		return
	}
	l.sayGathered(tx)
	switch f, ok := finished(deltas); {
	case l.active != a: // the answer was too long
	case err != nil:
		l.modelCallFailed(tx, err)
	case ok:
		l.finishModelCall(tx, f)
	}
}

// receive notes what an event says of the model call: whether it is answered, and that its server is alive.
// A response that has only begun is no byte of the answer.
func (l *Loop) receive(tx *durable.Tx, event durable.Event, deltas []model.Delta) {
	a := l.active
	head, begins := event.(durable.FetchResponded)
	a.answered = a.answered || head.Status == 200 || len(deltas) > 0
	if begins {
		return
	}
	first := a.heardAt == 0
	a.heardAt = tx.Now
	if first && l.watchdogDelay(tx.Now) < WatchdogDelay { // silence is noticed earlier from now on
		l.armWatchdog(tx)
	}
}

// sayDeltas turns deltas into chunks of the log.
func (l *Loop) sayDeltas(tx *durable.Tx, deltas []model.Delta) {
	a := l.active
	l.showRecovered(tx)
	refusals := l.config.BeforeCalls(tx, deltas)
	l.emit(tx, a.draft.Chunks(deltas)...)
	l.emit(tx, refusals...)
	if a.draft.AnswerBytes() > limit.Answer { // this holds for a complete answer too, because its step would not fit into a row
		l.cancelModelCall(tx)
		l.endTurn(tx, turn.Failed, "the answer grew too long and was cut off here")
	}
}

func finished(deltas []model.Delta) (model.Finished, bool) {
	if len(deltas) == 0 {
		return model.Finished{}, false
	}
	f, ok := deltas[len(deltas)-1].(model.Finished)
	return f, ok
}

// finishModelCall journals a complete model call, and starts the tools that it asks for, or ends
// the turn.
func (l *Loop) finishModelCall(tx *durable.Tx, f model.Finished) {
	a := l.active
	a.answer, a.finishing = nil, true
	defer func() { a.finishing = false }()
	tx.Unschedule(dueWatchdog, a.key())
	step := turn.Step{
		Text: string(a.draft.Text), Calls: a.draft.ToolCalls, Reasoning: prompt.EncodeReasoning(a.draft.Reasoning, a.draft.ToolCalls), Finish: string(f.Reason), InputTokens: f.Usage.Input, OutputTokens: f.Usage.Output,
	}
	if len(step.Calls) > 0 { // else the turn ends with this event, and its journal with it
		turn.Journal(tx, a.turn, a.step, step)
	}
	a.usage.Input += f.Usage.Input
	a.usage.Output += f.Usage.Output
	l.report(tx, Changed{})
	switch {
	case len(a.draft.ToolCalls) > 0 && l.EndOverBudget(tx):
		return
	case len(a.draft.ToolCalls) > 0 && a.step+1 < l.config.MaxSteps:
		l.runTools(tx, a.draft.ToolCalls)
		return
	case len(a.draft.ToolCalls) > 0:
		l.dropTools(tx, fmt.Sprintf("the limit of %d steps was reached", l.config.MaxSteps))
	case !a.draft.Visible || a.draft.OnlyThought():
		l.endTurn(tx, turn.Failed, noAnswer(f.Reason, a.draft.OnlyThought()))
		return
	}
	l.config.AfterStep(tx, &step)
	l.emit(tx, reply.EndChunks(f.Reason, a.spent())...)
	l.endTurn(tx, turn.Completed, "")
}

// noAnswer says why a model has given none.
func noAnswer(reason model.FinishReason, thought bool) string {
	const none = "the model gave no answer"
	switch {
	case reason == model.Length && thought:
		return none + ": it was cut off by the limit on the answer's length while it thought; see " + model.VarMaxTokens
	case reason == model.Length:
		return none + ": it was cut off by the limit on the answer's length; see " + model.VarMaxTokens
	case reason == model.ContentFilter:
		return none + ": the provider's filter has stopped it"
	case thought:
		return none + ", only a thought"
	}
	return none
}

// emit appends chunks to the active turn's log. They are stored when the event ends, or something
// reads the log before.
func (l *Loop) emit(tx *durable.Tx, chunks ...protocol.Chunk) {
	if len(chunks) == 0 {
		return
	}
	a := l.active
	first := a.draft.Next
	bodies := make([][]byte, len(chunks))
	for i, c := range chunks {
		bodies[i] = c.Encode()
		a.draft.Track(c)
	}
	a.unstored = append(a.unstored, bodies...)
	l.report(tx, Said{&a.turn, first, bodies})
}
