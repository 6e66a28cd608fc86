package client

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
)

// note notes a chunk as delivered. It returns the chunk for the reader, and says whether there is one.
func (d *delivered) note(w wireChunk) (Chunk, bool) {
	d.bytes += int64(len(w.Delta))
	switch w.Type {
	case chunkStart:
		d.message = w.MessageID
	case chunkTextStart:
		d.newText()
	case chunkFinish:
		d.finished = true
	}
	chunk, ok := w.chunk()
	switch chunk.Kind {
	case Text:
		if len(d.texts) == 0 {
			d.newText()
		}
		chunk.Part = len(d.texts) - 1
		d.texts[chunk.Part].WriteString(chunk.Text)
	case Reasoning:
		d.thoughts += len(chunk.Text)
	case File:
		d.files++
	case ToolCall, ToolOutput, ToolError, ToolDenied, Approval:
		chunk.Tool = d.call(chunk).name
	}
	return chunk, ok
}

func (d *delivered) newText() {
	d.texts = append(d.texts, new(strings.Builder))
	d.bytes += entrySize
}

// call notes a chunk of a tool call and returns what was delivered of the call.
func (d *delivered) call(chunk Chunk) *deliveredCall {
	call := d.tools[chunk.CallID]
	if call == nil {
		call = &deliveredCall{}
		d.tools[chunk.CallID] = call
		d.bytes += entrySize + int64(len(chunk.CallID))
	}
	if chunk.Tool != "" {
		d.bytes += int64(len(chunk.Tool) - len(call.name))
		call.name = chunk.Tool
	}
	switch chunk.Kind {
	case ToolCall:
		call.called = true
	case Approval:
		call.asked = true
	default:
		call.answered = true
	}
	return call
}

// complete reads the stored message of an answer whose end has come before its chunks, and queues
// what was not delivered. It tries again as a connection is made again.
func (a *Answer) complete(ctx context.Context) error {
	var messages []Message
	for failed := 0; ; failed++ {
		var err error
		if messages, err = a.conv.Messages(ctx); err == nil {
			break
		}
		if ctx.Err() != nil || isFinal(err) || failed >= a.conv.opts.Backoff.Attempts {
			return err
		}
		if err := wait(ctx, a.conv.opts.Backoff.delay(failed, rand.Float64())); err != nil {
			return err
		}
	}
	a.conv.mu.Lock()
	defer a.conv.mu.Unlock()
	a.lacks, a.behind, a.cut = false, false, false
	m, found := a.find(messages)
	if !found {
		if a.err == nil {
			a.err = ErrGone
		}
		return nil
	}
	for _, chunk := range a.rest(m) {
		a.queue.add(chunk, 0) // Options.MaxFrame bounds the list that has them all
	}
	return nil
}

// find returns the message of the answer. Before its id is known, it is the one behind the question.
func (a *Answer) find(messages []Message) (Message, bool) {
	i := slices.IndexFunc(messages, func(m Message) bool { return m.ID == a.message })
	if i < 0 && a.question != "" {
		i = 1 + slices.IndexFunc(messages, func(m Message) bool { return m.ID == a.question })
		if i == 0 {
			return Message{}, false
		}
	}
	if i < 0 || i >= len(messages) || messages[i].Role != "assistant" {
		return Message{}, false
	}
	return messages[i], true
}

// rest returns the chunks for what of a message was not delivered. A text that differs from what was
// delivered has none.
func (d *delivered) rest(m Message) (rest []Chunk) {
	emit := func(w wireChunk) {
		if chunk, ok := d.note(w); ok {
			rest = append(rest, chunk)
		}
	}
	texts, thoughts, files := 0, 0, 0
	for _, p := range m.Parts {
		switch {
		case p.Type == "text":
			if texts++; texts > len(d.texts) {
				emit(wireChunk{Type: chunkTextStart})
			}
			if more, ok := strings.CutPrefix(p.Text, d.texts[texts-1].String()); ok && more != "" && texts == len(d.texts) {
				emit(wireChunk{Type: "text-delta", Delta: more})
			}
		case p.Type == "reasoning":
			if more := p.Text[min(len(p.Text), max(0, d.thoughts-thoughts)):]; more != "" {
				emit(wireChunk{Type: "reasoning-delta", Delta: more})
			}
			thoughts += len(p.Text)
		case p.Type == chunkFile:
			if files++; files > d.files {
				emit(wireChunk{Type: chunkFile, MediaType: p.MediaType, URL: p.URL})
			}
		case p.Tool() != "":
			d.restOfCall(p, emit)
		}
	}
	return rest
}

func (d *delivered) restOfCall(p Part, emit func(wireChunk)) {
	had := deliveredCall{}
	if call := d.tools[p.ToolCallID]; call != nil {
		had = *call
	}
	as := func(w wireChunk) wireChunk {
		w.ToolCallID, w.ToolName = p.ToolCallID, p.Tool()
		return w
	}
	if !had.called && !had.answered && p.State != "input-streaming" {
		emit(as(wireChunk{Type: "tool-input-available", Input: p.Input}))
	}
	switch {
	case p.State == "approval-requested" && !had.asked:
		emit(as(wireChunk{Type: "tool-approval-request"}))
	case had.answered:
	case p.State == "output-available":
		emit(as(wireChunk{Type: "tool-output-available", Output: p.Output}))
	case p.State == "output-error":
		emit(as(wireChunk{Type: "tool-output-error", ErrorText: p.ErrorText}))
	case p.State == "output-denied":
		emit(as(wireChunk{Type: "tool-output-denied"}))
	}
}
