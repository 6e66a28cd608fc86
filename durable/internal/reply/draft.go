// Package reply turns a model's deltas into chunks, and the chunks into a message.
package reply

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/turn"
)

// Draft is the answer of a turn as far as it has come. It follows the turn's log chunk by chunk,
// and can be rebuilt from it.
type Draft struct {
	// Fold is the message so far.
	Fold *protocol.Fold
	// Next is the index of the next chunk.
	Next int64
	// open is the type of the open part, or "". parts counts the parts so far, for their ids.
	open  string
	parts int
	// Text, reasoning and ToolCalls are what the current model call has produced so far, for the
	// journal.
	Text      []byte
	Reasoning []model.Reasoning
	ToolCalls []turn.Call
	// Visible says that the turn has shown something.
	Visible bool
}

// New returns the draft of an answer that continues a message, at an index of its log.
func New(m protocol.Message, next int64) *Draft {
	return &Draft{Fold: protocol.Continue(m), Next: next}
}

// Apply follows one chunk of the log, in its stored form.
func (d *Draft) Apply(body []byte) {
	c, _ := protocol.DecodeChunk(body) // a damaged chunk is empty and keeps its number
	d.Track(c)
}

// Track follows one chunk of the log.
func (d *Draft) Track(c protocol.Chunk) {
	d.Fold.Apply(c)
	d.Next++
	switch c.Type {
	case protocol.ChunkTextStart:
		d.open, d.parts = protocol.PartText, d.parts+1
	case protocol.ChunkReasoningStart:
		d.open, d.parts = protocol.PartReasoning, d.parts+1
		d.Reasoning = append(d.Reasoning, model.Reasoning{})
	case protocol.ChunkTextEnd:
		d.open = ""
	case protocol.ChunkReasoningEnd:
		d.open = ""
		d.addReasoning("", c.Provider)
	case protocol.ChunkStartStep:
		d.Text, d.Reasoning, d.ToolCalls = nil, nil, nil
	case protocol.ChunkTextDelta:
		d.Text = append(d.Text, c.Delta...)
		d.Visible = true
	case protocol.ChunkReasoningDelta:
		d.addReasoning(c.Delta, nil)
		d.Visible = true
	case protocol.ChunkToolInputStart, protocol.ChunkStep:
		d.Visible = true
	case protocol.ChunkToolInput:
		if protocol.IsCaller(c.Provider) { // code has made the call
			d.Visible = true
			break
		}
		d.addCall(c)
	case protocol.ChunkToolInputError:
		d.addCall(c)
	}
}

func (d *Draft) addCall(c protocol.Chunk) {
	d.ToolCalls = append(d.ToolCalls, turn.Call{ID: c.ToolCallID, Name: c.ToolName, Input: c.Input, Provider: c.Provider})
	d.Visible = true
}

// Message returns the answer so far, in the form in which it would be stored.
func (d *Draft) Message() protocol.Message {
	return protocol.Compact(d.Fold.Message(), protocol.Limits.Message)
}

// OnlyThought says whether the model call has thought, and has neither said nor called anything. That
// is no answer.
func (d *Draft) OnlyThought() bool {
	return len(d.Reasoning) > 0 && len(d.ToolCalls) == 0 && len(bytes.TrimSpace(d.Text)) == 0
}

// AnswerBytes is how much the model or a program has said so far, in bytes of JSON.
func (d *Draft) AnswerBytes() int { return d.Fold.Said() }

// partID returns the id of the open part.
func (d *Draft) partID() string { return partID(d.parts) }

// Chunks turns deltas of a model into chunks. A part of one type is closed before a part of another
// type opens, and every part is closed before its step ends: AI SDK 6 forgets open parts there and
// fails at their next delta.
func (d *Draft) Chunks(deltas []model.Delta) []protocol.Chunk {
	var out []protocol.Chunk
	open, parts := d.open, d.parts
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
			if len(d.Provider) > 0 || open == protocol.PartReasoning { // Reasoning without words is a part too
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
			out = append(out, protocol.Chunk{Type: protocol.ChunkToolInput, ToolCallID: d.ID, ToolName: d.Name, Input: d.Input, Provider: d.Provider})
		case model.ToolCallInvalid:
			shut()
			out = append(out, protocol.Chunk{Type: protocol.ChunkToolInputError, ToolCallID: d.ID, ToolName: d.Name, Input: rawInput(d.Text), ErrorText: d.Reason, Provider: d.Provider})
		case model.Finished:
			shut()
		}
	}
	return out
}

// rawInput is an input that is no JSON object, as a JSON string within the limit of an input.
func rawInput(text string) json.RawMessage {
	return limit.MustMarshal(protocol.CutOffQuoted(text, limit.ToolInput))
}

// addReasoning appends to the last reasoning part.
func (d *Draft) addReasoning(text string, provider json.RawMessage) {
	if len(d.Reasoning) == 0 {
		return // the chunk that began the part was damaged
	}
	last := &d.Reasoning[len(d.Reasoning)-1]
	last.Text += text
	last.Provider = provider
}

// EndChunks returns the chunks that end a turn's stream, with what the turn has cost.
func EndChunks(reason model.FinishReason, spent run.Usage) []protocol.Chunk {
	usage := map[string]model.Usage{"usage": {Input: spent.InputTokens, Output: spent.OutputTokens}}
	return []protocol.Chunk{
		{Type: protocol.ChunkFinishStep},
		{Type: protocol.ChunkFinish, FinishReason: string(reason), MessageMetadata: limit.MustMarshal(usage)},
	}
}

// BoundOutput refuses an output if the tools of the turn have already returned too much.
func (d *Draft) BoundOutput(c protocol.Chunk) protocol.Chunk {
	if d.Fold.Outputs()+len(c.Output)+len(c.ErrorText) <= limit.Outputs {
		return c
	}
	return OutputChunk(c.ToolCallID, nil, fmt.Errorf("the tools of this turn have returned all that they may, %d bytes", limit.Outputs))
}

// OutputChunk is the chunk that ends a call.
func OutputChunk(call string, output json.RawMessage, err error) protocol.Chunk {
	if err != nil {
		return protocol.Chunk{Type: protocol.ChunkToolOutputError, ToolCallID: call, ErrorText: ErrorText(err, "the tool failed")}
	}
	return protocol.Chunk{Type: protocol.ChunkToolOutput, ToolCallID: call, Output: output}
}

// ErrorText is the text of a call's error for the model, or another text if the error has none.
func ErrorText(err error, otherwise string) string {
	return cmp.Or(protocol.CutOffQuoted(err.Error(), limit.ToolError), otherwise)
}

// CloseOpenParts returns the chunks that end the parts which a broken model call has left open.
// Text stays open, because the next attempt continues it.
func (d *Draft) CloseOpenParts() []protocol.Chunk {
	var chunks []protocol.Chunk
	if d.open == protocol.PartReasoning {
		chunks = append(chunks, protocol.Chunk{Type: protocol.ChunkReasoningEnd, ID: d.partID()})
	}
	for _, id := range d.Fold.OpenCalls() {
		if part, _ := d.Fold.Call(id); part.State == protocol.InputStreaming {
			chunks = append(chunks, protocol.Chunk{Type: protocol.ChunkToolOutputError, ToolCallID: id, ErrorText: "the model's answer broke off here"})
		}
	}
	return chunks
}

func partID(n int) string { return "p" + strconv.Itoa(n) }
