package model

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// maxThought bounds what is kept of one thought for the provider, in bytes of JSON.
const maxThought = limit.Thought

// anthropicAnswer reads an answer of Messages.
type anthropicAnswer struct {
	origin  origin
	message string
	calls   callList
	// open is the block that grows, by its type, and index its number.
	open    string
	index   int
	thought thought
	finish  string
	usage   anthropicUsage
}

func (a *anthropicAnswer) complete() bool { return a.finish != "" }

func (a *anthropicAnswer) finished() ([]Delta, error) { return a.calls.end(a.finish, a.usage.usage()) }

func (a *anthropicAnswer) event(tx *durable.Tx, data []byte) ([]Delta, error) {
	var e anthropicEvent
	if err := json.Unmarshal(data, &e); err != nil {
		return nil, garbled("the model sent an event that is not JSON: %s", quote(string(data)))
	}
	if e.Usage != nil {
		a.usage.update(*e.Usage)
	}
	switch e.Type {
	case "message_start":
		return nil, a.begin(e.Message)
	case "content_block_start":
		return a.start(tx, e.Index, e.Block)
	case "content_block_delta":
		return a.grow(tx, e.Index, e.Delta)
	case "content_block_stop":
		return a.stop(), nil
	case "message_delta":
		a.finish = e.Delta.StopReason
		return nil, nil
	case "message_stop":
		return nil, errDone
	case "error":
		return nil, streamError(e.Error, a.origin)
	}
	return nil, nil // pings, and what may be added
}

func (a *anthropicAnswer) begin(m *anthropicWhole) error {
	if m == nil {
		return garbled("the model began a message without one")
	}
	a.message = m.ID
	if m.Usage != nil {
		a.usage.update(*m.Usage)
	}
	return nil
}

func (a *anthropicAnswer) start(tx *durable.Tx, index int, b anthropicBlock) ([]Delta, error) {
	deltas := a.stop() // of a server that forgets to
	a.open, a.index, a.thought = b.Type, index, thought{Signature: b.Signature, Redacted: b.Data, Message: a.message}
	switch {
	case b.Type == "text" && b.Text != "":
		return append(deltas, TextDelta{Text: b.Text}), nil
	case b.Type == "thinking" && b.Thinking != nil && *b.Thinking != "":
		return append(deltas, ReasoningDelta{Text: *b.Thinking}), nil
	case b.Type == "tool_use":
		more, err := a.calls.add(tx, fragmentOf(index, b))
		return append(deltas, more...), err
	}
	return deltas, a.bounded()
}

// fragmentOf is the beginning of a tool call. Its input is an empty object where it
// comes in pieces.
func fragmentOf(index int, b anthropicBlock) openaiFragment {
	f := openaiFragment{Index: &index, ID: b.ID}
	f.Function.Name = b.Name
	if string(b.Input) != "{}" {
		f.Function.Arguments = rawArgument(b.Input)
	}
	return f
}

func (a *anthropicAnswer) grow(tx *durable.Tx, index int, d anthropicDelta) ([]Delta, error) {
	switch {
	case d.Type == "text_delta" && d.Text != "":
		return []Delta{TextDelta{Text: d.Text}}, nil
	case d.Type == "thinking_delta" && d.Thinking != "":
		a.open = "thinking"
		return []Delta{ReasoningDelta{Text: d.Thinking}}, nil
	case d.Type == "signature_delta":
		a.thought.Signature += d.Signature
		return nil, a.bounded()
	case d.Type == "input_json_delta" && a.open == "tool_use" && index == a.index:
		f := openaiFragment{Index: &index}
		f.Function.Arguments = rawArgument(d.Partial)
		return a.calls.add(tx, f)
	}
	return nil, nil
}

func (a *anthropicAnswer) bounded() error {
	if raw := len(a.thought.Signature) + len(a.thought.Redacted) + len(a.thought.Message); raw > maxThought || 6*raw > maxThought && len(a.thought.encode()) > maxThought {
		return garbled("what the model wants kept of a thought is larger than %d KiB", maxThought>>10)
	}
	return nil
}

// stop ends the block that grows.
func (a *anthropicAnswer) stop() []Delta {
	open := a.open
	a.open = ""
	if open != "thinking" && open != "redacted_thinking" {
		return nil
	}
	return []Delta{ReasoningEnded{Provider: a.thought.encode()}}
}

func (a *anthropicAnswer) whole(tx *durable.Tx, body []byte) ([]Delta, error) {
	var m anthropicWhole
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, garbled("the model's answer is not JSON: %s", quote(string(body)))
	}
	if m.Type == "error" {
		return nil, streamError(m.Error, a.origin)
	}
	if err := a.begin(&m); err != nil {
		return nil, err
	}
	var deltas []Delta
	for i, b := range m.Content {
		more, err := a.start(tx, i, b)
		deltas = append(deltas, more...)
		if err != nil {
			return deltas, err
		}
	}
	a.finish = m.StopReason
	return append(deltas, a.stop()...), nil
}
