package chat

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/turn"
)

// MaxAnswer is what a model may say in one turn, in bytes of JSON, without what its tools
// return. A turn that has said more ends before anything of the step is journaled.
const MaxAnswer = limit.Answer

// begin lets a turn speak. Its stream starts at once, before the model answers:
// from here on, a tab that comes finds a stream to attach to. Who may have lost sight of
// the conversation is shown it before: a client puts an answer behind what it knows then.
func (h *Host) begin(tx *durable.Tx, t turn.Turn, lost ...durable.ConnID) {
	if _, ok := load(tx, t.Reply); t.Continues && !ok { // a turn before it has cut away what it continues
		h.leave(tx, &t, turn.Skipped)
		h.announce(tx, t, h.roster.all()...)
		h.advance(tx)
		return
	}
	h.leave(tx, &t, turn.Running)
	unset(tx, settingTerminal) // a failure before it is no longer the last word
	if h.cut(tx, t) && len(lost) == 0 {
		lost = h.roster.all(t.Conn)
	}
	h.show(tx, lost...)
	h.offerParked(tx, t)
	h.live = newLive(tx, t)
	start := protocol.Chunk{Type: protocol.ChunkStart, MessageMetadata: json.RawMessage(`{"createdAt":` + strconv.FormatInt(tx.Now, 10) + `}`)}
	if !t.Continues {
		start.MessageID = t.Reply
	}
	h.emit(tx, start, protocol.Chunk{Type: protocol.ChunkStartStep})
	h.answerBegins(tx, start.MessageID)
	stuck := poisonous(t) // or what comes behind it is, which does not begin in this event
	h.apart = h.apart || stuck
	if h.narrate(tx) {
		return
	}
	if stuck {
		h.settle(tx, turn.Failed, turn.ErrStuck.Error())
		return
	}
	tx.SQL(`UPDATE ask SET turn = ? WHERE state = ?`, t.Seq, askApproved)
	if !h.useApproved(tx) {
		h.ask(tx)
	}
}

// ask begins the model call that the live turn needs next. What an earlier attempt at
// it has said, the model goes on behind.
func (h *Host) ask(tx *durable.Tx) {
	switch {
	case h.overspent(tx):
		return
	case h.agent.Program != nil:
		h.runProgram(tx)
		return
	}
	h.mend(tx)
	h.watch(tx)
	m, err := h.agent.Model(h.vars, h.secrets)
	if err == nil {
		err = h.beginAnswer(tx, m)
	}
	if err != nil {
		h.settle(tx, turn.Failed, err.Error())
	}
}

// beginAnswer asks the model, unless a hook has just cancelled the turn: it ends with the
// event.
func (h *Host) beginAnswer(tx *durable.Tx, m model.Model) (err error) {
	l := h.live
	request := h.modelRequest(tx, l.turn)
	if err := h.beforeStep(tx, &request); err != nil {
		return err
	}
	if slices.Contains(h.cancelled, l.turn.Seq) {
		return nil
	}
	if err := turn.Ask(tx, &l.turn, l.next); err != nil {
		return err
	}
	count(tx, settingCalls, 1)
	l.call = fmt.Sprintf("turn-%d-%d-%d", l.turn.Seq, l.step, l.turn.Attempt)
	l.askedAt, l.heardAt = tx.Now, tx.Now
	request.Said, request.Used, request.TakeID = string(l.said), l.fold.Calls(), h.takeCallID
	l.answer, err = m.Begin(tx, l.call, request)
	return err
}

// progress hands an event to the model call that it belongs to. Events of calls
// that are over are late, and nobody's.
func (h *Host) progress(tx *durable.Tx, call string, event durable.Event) {
	l := h.live
	if l == nil || l.answer == nil || l.call != call {
		return
	}
	deltas, err := l.answer.Take(tx, event)
	if len(deltas) > 0 {
		l.heardAt = tx.Now
		h.recovered(tx)
	}
	refusals := h.beforeCalls(tx, deltas)
	h.emit(tx, l.chunks(deltas)...)
	h.emit(tx, refusals...)
	if err != nil {
		h.stumble(tx, err)
		return
	}
	if l.saidBytes() > MaxAnswer { // also of an answer that is whole: its step would not fit into a row
		h.silence(tx)
		h.settle(tx, turn.Failed, "the answer grew too long and was cut off here")
		return
	}
	if f, ok := finished(deltas); ok {
		h.conclude(tx, f)
	}
}

func finished(deltas []model.Delta) (model.Finished, bool) {
	if len(deltas) == 0 {
		return model.Finished{}, false
	}
	f, ok := deltas[len(deltas)-1].(model.Finished)
	return f, ok
}

// conclude journals a finished model call, and does what it asks for: tools, or the
// end of the turn.
func (h *Host) conclude(tx *durable.Tx, f model.Finished) {
	l := h.live
	l.answer = nil
	tx.Unschedule(dueWatch, l.key())
	turn.Journal(tx, l.turn, l.step, turn.Step{
		Text: string(l.said), Calls: l.wanted, Thoughts: encodeThoughts(l.thoughts), Finish: string(f.Reason), InputTokens: f.Usage.Input, OutputTokens: f.Usage.Output,
	})
	count(tx, settingInput, f.Usage.Input)
	count(tx, settingOutput, f.Usage.Output)
	l.usage.Input += f.Usage.Input
	l.usage.Output += f.Usage.Output
	h.pumpAll(tx)
	switch {
	case len(l.wanted) > 0 && h.overspent(tx):
		return
	case len(l.wanted) > 0 && l.step+1 < h.agent.MaxSteps:
		h.useTools(tx, l.wanted)
		return
	case len(l.wanted) > 0:
		h.dropTools(tx, fmt.Sprintf("the limit of %d steps was reached", h.agent.MaxSteps))
	case !l.spoke:
		h.settle(tx, turn.Failed, "the model gave no answer")
		return
	}
	h.afterStep(tx)
	h.emit(tx, l.ends(f.Reason)...)
	h.settle(tx, turn.Completed, "")
}

// emit appends chunks to the live turn's log and sends them to whoever listens.
func (h *Host) emit(tx *durable.Tx, chunks ...protocol.Chunk) {
	if len(chunks) == 0 {
		return
	}
	l := h.live
	first := l.next
	bodies := make([][]byte, len(chunks))
	for i, c := range chunks {
		bodies[i] = c.Encode()
		l.track(c)
	}
	stream.Append(tx, l.stream(), first, bodies...)
	h.pumpAll(tx)
	to := h.roster.listening()
	for i, body := range bodies {
		send(tx, protocol.Response{
			ID: l.turn.Request, Body: body, Seq: first + int64(i) - l.turn.First, Continuation: l.turn.Continues,
		}.Encode(), to...)
	}
	h.tellCallers(tx, bodies)
}
