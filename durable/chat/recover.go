package chat

import (
	"errors"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file is about a model call that broke off. What browsers show already stays as
// it is: the log only grows, under the same request and in the same message, and the
// model is asked to go on behind what it had said.

// stumble deals with a model call that failed: it is begun anew after a while where the
// provider may well answer then, or the turn fails.
func (h *Host) stumble(tx *durable.Tx, err error) {
	l := h.live
	l.answer = nil
	var failure *model.Error
	if !errors.As(err, &failure) {
		panic(err)
	}
	wait, ok := backoff(failure, l.turn.Spent.Stuck)
	if !ok {
		h.settle(tx, turn.Failed, failure.Message)
		return
	}
	if err := turn.Again(tx, &l.turn, l.next, turn.ProviderFailed, wait); err != nil {
		h.settle(tx, turn.Failed, failure.Message+"; "+err.Error())
		return
	}
	tx.Schedule(dueRetry, l.key(), tx.Now+wait)
	h.interrupted(tx)
	tx.Log(durable.Warn, "model call failed, trying again", "turn", l.key(), "kind", string(failure.Kind), "wait_ms", strconv.FormatInt(wait, 10))
}

// mend ends what a model call has left open in the log and cannot go on with. Text
// stays open, since it grows on.
func (h *Host) mend(tx *durable.Tx) {
	l := h.live
	var chunks []protocol.Chunk
	if l.open == protocol.PartReasoning {
		chunks = append(chunks, protocol.Chunk{Type: protocol.ChunkReasoningEnd, ID: l.partID()})
	}
	for _, id := range l.fold.OpenCalls() {
		if part, _ := l.fold.Call(id); part.State == protocol.InputStreaming {
			chunks = append(chunks, protocol.Chunk{Type: protocol.ChunkToolOutputError, ToolCallID: id, ErrorText: "the model's answer broke off here"})
		}
	}
	h.emit(tx, chunks...)
}

// interrupted tells browsers that an answer has broken off and will be taken up.
func (h *Host) interrupted(tx *durable.Tx) {
	l := h.live
	if !l.recovering {
		l.recovering = true
		set(tx, settingRecovered, l.turn.Request)
		send(tx, protocol.Recovering(l.turn.Request, true), h.roster.all()...)
	}
}

// recovered tells them that it goes on, or is over.
func (h *Host) recovered(tx *durable.Tx) {
	l := h.live
	if l.recovering {
		l.recovering = false
		send(tx, protocol.Recovering(l.turn.Request, false), h.roster.all()...)
	}
}
