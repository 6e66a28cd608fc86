package chat

import (
	"cmp"
	"encoding/json"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/approval"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/turn"
)

// activeTurn is the in-memory part of the active turn. Its log is in storage. All fields but answer
// can be rebuilt from the log.
type activeTurn struct {
	turn turn.Turn
	fold *protocol.Fold
	// stored is the message of the turn, once the turn has ended.
	stored protocol.Message
	// next is the index of the next chunk.
	next int64
	// calledAt is when the model call began. lastDeltaAt is when it last sent a word of the answer, of
	// a thought, or of a tool's input. Bytes without words do not count.
	calledAt, lastDeltaAt int64
	// recovering says that browsers were told of an interruption.
	recovering bool
	// clientListBytes is the size of the list that the client has sent with its question, in bytes, or
	// 0 if the turn does not begin with a client's request.
	clientListBytes int
	// replayed are the connections that were sent a replay.
	replayed []durable.ConnID
	// streamedCalls are the calls that stream the turn.
	streamedCalls []waitingCall
	// answer is the model's answer under way, or nil if there is no model call.
	answer model.Answer
	// call names the answer's fetch or timer.
	call string
	// open is the type of the open part, or "". parts counts the parts so far, for their ids.
	open  string
	parts int
	// step is the number of the current model call. text, reasoning and toolCalls are what the call
	// has produced so far, for the journal.
	step      int
	text      []byte
	reasoning []model.Reasoning
	toolCalls []turn.Call
	// visible says that the turn has shown something.
	visible bool
	// running are the active tool calls. approvedCalls are those of them that belong to an earlier
	// message and were approved later.
	running       []running
	approvedCalls []approval.Call
	// quarantine is the work that is retried in an event of its own, or nil.
	quarantine *quarantine
	// usage is the cost of the turn's model calls, runUsage the cost of its runs.
	usage    model.Usage
	runUsage run.Usage
	// summary and output are the results of a program.
	summary string
	output  json.RawMessage
	// failReason says for programs why the turn failed, or is "".
	failReason run.Reason
}

func (a *activeTurn) stream() stream.ID { return stream.ID(cmp.Or(a.turn.Log, a.turn.Seq)) }

// newActiveTurn returns the in-memory part of a turn that has not said anything. Its message has
// the turn's id even if the chunk with the id is damaged.
func newActiveTurn(tx *durable.Tx, t turn.Turn) *activeTurn {
	a := &activeTurn{turn: t, fold: protocol.Continue(protocol.Message{ID: t.Reply}), next: t.First, streamedCalls: streamedCallsOf(tx, t)}
	if t.Continues {
		if m, ok := message.Load(tx, t.Reply); ok {
			a.fold = protocol.Continue(m)
		}
	}
	return a
}

// rebuildTurn rebuilds the in-memory part of a turn from its log.
func rebuildTurn(tx *durable.Tx, t turn.Turn) *activeTurn {
	a := newActiveTurn(tx, t)
	a.runUsage = run.Spent(tx, t.Seq)
	for c := range stream.All(tx, a.stream(), a.next) {
		a.apply(c.Body)
	}
	return a
}

func (a *activeTurn) apply(body []byte) {
	c, _ := protocol.DecodeChunk(body) // a damaged chunk is empty and keeps its number
	a.track(c)
}

// track follows one chunk of the log.
func (a *activeTurn) track(c protocol.Chunk) {
	a.fold.Apply(c)
	a.next++
	switch c.Type {
	case protocol.ChunkTextStart:
		a.open, a.parts = protocol.PartText, a.parts+1
	case protocol.ChunkReasoningStart:
		a.open, a.parts = protocol.PartReasoning, a.parts+1
		a.reasoning = append(a.reasoning, model.Reasoning{})
	case protocol.ChunkTextEnd:
		a.open = ""
	case protocol.ChunkReasoningEnd:
		a.open = ""
		a.addReasoning("", c.Provider)
	case protocol.ChunkStartStep:
		a.text, a.reasoning, a.toolCalls = nil, nil, nil
	case protocol.ChunkTextDelta:
		a.text = append(a.text, c.Delta...)
		a.visible = true
	case protocol.ChunkReasoningDelta:
		a.addReasoning(c.Delta, nil)
		a.visible = true
	case protocol.ChunkToolInputStart:
		a.visible = true
	case protocol.ChunkToolInput:
		a.toolCalls = append(a.toolCalls, turn.Call{ID: c.ToolCallID, Name: c.ToolName, Input: c.Input})
		a.visible = true
	}
}

// message returns the answer so far, in the form in which it would be stored.
func (a *activeTurn) message() protocol.Message {
	return protocol.Compact(a.fold.Message(), protocol.Limits.Message)
}

// answerBytes is how much the model or a program has said so far, in bytes of JSON.
func (a *activeTurn) answerBytes() int { return a.fold.Bytes() - a.fold.Outputs() }

// partID returns the id of the open part.
func (a *activeTurn) partID() string { return partID(a.parts) }

func partID(n int) string { return "p" + strconv.Itoa(n) }

// chunks turns deltas of a model into chunks. A part of one type is closed before a part of another
// type opens, and every part is closed before its step ends: AI SDK 6 forgets open parts there and
// fails at their next delta.
func (a *activeTurn) chunks(deltas []model.Delta) []protocol.Chunk {
	var out []protocol.Chunk
	open, parts := a.open, a.parts
	id := func() string { return partID(parts) }
	end := func(provider json.RawMessage) {
		switch open {
		case protocol.PartText:
			out = append(out, protocol.Chunk{Type: protocol.ChunkTextEnd, ID: id()})
		case protocol.PartReasoning:
			out = append(out, protocol.Chunk{Type: protocol.ChunkReasoningEnd, ID: id(), Provider: provider})
		}
		open = ""
	}
	shut := func() { end(nil) }
	grow := func(part, start, delta, text string) {
		if open != part {
			shut()
			open, parts = part, parts+1
			out = append(out, protocol.Chunk{Type: start, ID: id()})
		}
		for piece := range split(text) {
			out = append(out, protocol.Chunk{Type: delta, ID: id(), Delta: piece})
		}
	}
	for _, d := range deltas {
		switch d := d.(type) {
		case model.TextDelta:
			grow(protocol.PartText, protocol.ChunkTextStart, protocol.ChunkTextDelta, d.Text)
		case model.ReasoningDelta:
			grow(protocol.PartReasoning, protocol.ChunkReasoningStart, protocol.ChunkReasoningDelta, d.Text)
		case model.ReasoningEnded:
			if len(d.Provider) > 0 || open == protocol.PartReasoning { // reasoning without words is a part too
				grow(protocol.PartReasoning, protocol.ChunkReasoningStart, protocol.ChunkReasoningDelta, "")
				end(d.Provider)
			}
		case model.ToolCallStarted:
			shut()
			out = append(out, protocol.Chunk{Type: protocol.ChunkToolInputStart, ToolCallID: d.ID, ToolName: d.Name})
		case model.ToolCallDelta:
			for piece := range split(d.Text) {
				out = append(out, protocol.Chunk{Type: protocol.ChunkToolInputDelta, ToolCallID: d.ID, InputTextDelta: piece})
			}
		case model.ToolCall:
			shut()
			out = append(out, protocol.Chunk{Type: protocol.ChunkToolInput, ToolCallID: d.ID, ToolName: d.Name, Input: d.Input})
		case model.Finished:
			shut()
		}
	}
	return out
}

// endChunks returns the chunks that end a turn's stream.
func (a *activeTurn) endChunks(reason model.FinishReason) []protocol.Chunk {
	spent := a.spent()
	usage := map[string]model.Usage{"usage": {Input: spent.InputTokens, Output: spent.OutputTokens}}
	return []protocol.Chunk{
		{Type: protocol.ChunkFinishStep},
		{Type: protocol.ChunkFinish, FinishReason: string(reason), MessageMetadata: limit.MustMarshal(usage)},
	}
}

// addReasoning appends to the last reasoning part.
func (a *activeTurn) addReasoning(text string, provider json.RawMessage) {
	if len(a.reasoning) == 0 {
		return // the chunk that began the part was damaged
	}
	last := &a.reasoning[len(a.reasoning)-1]
	last.Text += text
	last.Provider = provider
}
