package chat

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/approval"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/internal/prompt"
	"github.com/tributary-agents/tributary/durable/internal/reply"
	"github.com/tributary-agents/tributary/durable/internal/setting"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/turn"
)

// MaxAnswer is how much a model may say in one turn, in bytes of JSON, without the results of its
// tools. A turn that exceeds it ends before any part of the step is journaled.
const MaxAnswer = limit.Answer

// startTurn starts a turn. Its stream begins at once, before the model answers: from here on, a tab
// that connects finds a stream to attach to. Connections that may have missed something are sent
// the transcript first, because a client puts an answer behind the messages that it knows when the
// answer begins.
func (o *Object) startTurn(tx *durable.Tx, t turn.Turn, lost ...durable.ConnID) {
	if _, ok := message.Load(tx, t.Reply); t.Continues && !ok { // an earlier turn has cut off the message that this one continues
		o.dequeue(tx, &t, turn.Skipped)
		o.sendEnd(tx, t, o.audience.All()...)
		o.startNext(tx)
		return
	}
	if t.Log != 0 { // the turn begins at the end of the log, since an earlier turn may have run a call of the run
		t.First = stream.Next(tx, stream.ID(t.Log))
	}
	o.dequeue(tx, &t, turn.Running)
	setting.Delete(tx, settingTerminal) // the conversation no longer ends with the earlier failure
	if o.applyCut(tx, t) && len(lost) == 0 {
		lost = o.audience.All(t.Conn)
	}
	o.audience.SendTranscript(tx, lost...)
	o.offerToWaiting(tx, t)
	o.active = newActiveTurn(tx, t)
	start := protocol.Chunk{Type: protocol.ChunkStart, MessageMetadata: json.RawMessage(`{"createdAt":` + strconv.FormatInt(tx.Now, 10) + `}`)}
	if !t.Continues {
		start.MessageID = t.Reply
	}
	o.emit(tx, start, protocol.Chunk{Type: protocol.ChunkStartStep})
	o.audience.NoteAnswer(tx, start.MessageID)
	stuck := retriesSpent(t) // either this turn crashes the instance or the next one, which then begins in another event
	o.quarantined = o.quarantined || stuck
	if o.sayNarration(tx) {
		return
	}
	if stuck {
		o.endTurn(tx, turn.Failed, turn.ErrRetries.Error())
		return
	}
	approval.AssignTo(tx, t.Seq)
	if !o.runApproved(tx) {
		o.callModel(tx)
	}
}

// callModel begins the next model call of the active turn. The model continues what an earlier
// attempt has said.
func (o *Object) callModel(tx *durable.Tx) {
	switch {
	case o.endOverBudget(tx):
		return
	case o.agent.Program != nil:
		o.runProgram(tx)
		return
	}
	o.emit(tx, o.active.draft.CloseOpenParts()...)
	o.armWatchdog(tx)
	m, err := o.agent.Model(o.vars, o.secrets)
	if err == nil {
		err = o.startModelCall(tx, m)
	}
	if err != nil {
		o.endTurn(tx, turn.Failed, err.Error())
	}
}

// startModelCall begins the call, unless a hook has just cancelled the turn. Such a turn ends with
// the event.
func (o *Object) startModelCall(tx *durable.Tx, m model.Model) (err error) {
	a := o.active
	request := o.promptOf(tx, a.turn).Request(tx, a.turn)
	if err := o.beforeStep(tx, &request); err != nil {
		return err
	}
	if slices.Contains(o.agenda.cancel, a.turn.Seq) {
		return nil
	}
	if err := turn.ChargeCall(tx, &a.turn, a.draft.Next); err != nil {
		return err
	}
	setting.Add(tx, settingCalls, 1)
	a.call = fmt.Sprintf("turn-%d-%d-%d", a.turn.Seq, a.step, a.turn.Attempt)
	a.calledAt, a.lastDeltaAt = tx.Now, tx.Now
	request.Said, request.Used, request.TakeID = string(a.draft.Text), a.draft.Fold.Calls(), o.takeCallID
	a.answer, err = m.Begin(tx, a.call, request)
	return err
}

// modelEvent passes an event to the model call that it belongs to. Late events of finished calls
// are ignored.
func (o *Object) modelEvent(tx *durable.Tx, call string, event durable.Event) {
	a := o.active
	if a == nil || a.answer == nil || a.call != call {
		return
	}
	deltas, err := a.answer.Take(tx, event)
	if len(deltas) > 0 {
		a.lastDeltaAt = tx.Now
		o.showRecovered(tx)
	}
	refusals := o.beforeCalls(tx, deltas)
	o.emit(tx, a.draft.Chunks(deltas)...)
	o.emit(tx, refusals...)
	if err != nil {
		o.modelCallFailed(tx, err)
		return
	}
	if a.draft.AnswerBytes() > MaxAnswer { // this holds for a complete answer too, because its step would not fit into a row
		o.cancelModelCall(tx)
		o.endTurn(tx, turn.Failed, "the answer grew too long and was cut off here")
		return
	}
	if f, ok := finished(deltas); ok {
		o.finishModelCall(tx, f)
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
func (o *Object) finishModelCall(tx *durable.Tx, f model.Finished) {
	a := o.active
	a.answer = nil
	tx.Unschedule(dueWatchdog, a.key())
	turn.Journal(tx, a.turn, a.step, turn.Step{
		Text: string(a.draft.Text), Calls: a.draft.ToolCalls, Reasoning: prompt.EncodeReasoning(a.draft.Reasoning), Finish: string(f.Reason), InputTokens: f.Usage.Input, OutputTokens: f.Usage.Output,
	})
	setting.Add(tx, settingInput, f.Usage.Input)
	setting.Add(tx, settingOutput, f.Usage.Output)
	a.usage.Input += f.Usage.Input
	a.usage.Output += f.Usage.Output
	o.tails.FlushAll(tx)
	switch {
	case len(a.draft.ToolCalls) > 0 && o.endOverBudget(tx):
		return
	case len(a.draft.ToolCalls) > 0 && a.step+1 < o.agent.MaxSteps:
		o.runTools(tx, a.draft.ToolCalls)
		return
	case len(a.draft.ToolCalls) > 0:
		o.dropTools(tx, fmt.Sprintf("the limit of %d steps was reached", o.agent.MaxSteps))
	case !a.draft.Visible:
		o.endTurn(tx, turn.Failed, "the model gave no answer")
		return
	}
	o.afterStep(tx)
	o.emit(tx, reply.EndChunks(f.Reason, a.spent())...)
	o.endTurn(tx, turn.Completed, "")
}

// emit appends chunks to the active turn's log and sends them to the connections that receive the
// stream.
func (o *Object) emit(tx *durable.Tx, chunks ...protocol.Chunk) {
	if len(chunks) == 0 {
		return
	}
	a := o.active
	first := a.draft.Next
	bodies := make([][]byte, len(chunks))
	for i, c := range chunks {
		bodies[i] = c.Encode()
		a.draft.Track(c)
	}
	stream.Append(tx, a.stream(), first, bodies...)
	o.tails.FlushAll(tx)
	if to := o.audience.Listening(); len(to) > 0 {
		for i, body := range bodies {
			audience.Send(tx, protocol.Response{
				ID: a.turn.Request, Body: body, Seq: first + int64(i) - a.turn.First, Continuation: a.turn.Continues,
			}.Encode(), to...)
		}
	}
	o.streamToCalls(tx, bodies)
}
