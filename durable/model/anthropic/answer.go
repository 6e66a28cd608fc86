package anthropic

import (
	"cmp"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
)

// maxReasoning bounds the provider's metadata of one part of reasoning, in bytes of JSON.
const maxReasoning = limit.Thought

// answer reads an answer in the format of Messages.
type answer struct {
	origin model.Origin
	// host is that of the server, and message the server's id of the answer.
	host    string
	message string
	calls   model.ToolCallList
	// open is the type of the block that grows, and kinds are the types of all blocks, by their numbers.
	open    string
	kinds   map[int]string
	thought thought
	finish  string
	usage   usage
}

func (a *answer) Complete() bool { return a.finish != "" }

func (a *answer) CallsWhole() bool { return a.calls.Whole() }

func (a *answer) Finish(tx *durable.Tx) ([]model.Delta, error) {
	deltas := a.stop()
	last, err := a.calls.End(tx, a.finish, a.usage.total())
	return append(deltas, last...), err
}

func (a *answer) Event(tx *durable.Tx, data []byte) ([]model.Delta, error) {
	var e event
	if err := model.Decode(data, &e); err != nil {
		return nil, model.Garbledf("the model sent an event that is not JSON: %s", model.Quote(string(data)))
	}
	if e.Usage != nil {
		a.usage.update(*e.Usage)
	}
	switch e.Type {
	case "message_start":
		return nil, a.begin(e.Message)
	case "content_block_start":
		return a.start(tx, int(e.Index), e.Block)
	case "content_block_delta":
		return a.grow(tx, int(e.Index), e.Delta)
	case "message_delta":
		a.finish = cmp.Or(e.Delta.StopReason, a.finish)
		return nil, nil
	case "message_stop":
		return nil, model.ErrDone
	case "error":
		return nil, model.StreamError(e.Error, a.origin)
	}
	return nil, nil // pings, events that the API may add, and the ends of blocks: some servers send them too early
}

func (a *answer) begin(m *whole) error {
	if m == nil {
		return model.Garbledf("the model began a message without one")
	}
	a.message = m.ID
	if m.Usage != nil {
		a.usage.update(*m.Usage)
	}
	return nil
}

func (a *answer) start(tx *durable.Tx, index int, b block) ([]model.Delta, error) {
	deltas := a.stop()
	if a.kinds == nil {
		a.kinds = map[int]string{}
	}
	a.open, a.kinds[index], a.thought = b.Type, b.Type, thought{Signature: b.Signature, Redacted: b.Data, Message: a.message, From: a.host}
	switch {
	case b.Type == "text" && b.Text != "":
		return append(deltas, model.TextDelta{Text: b.Text}), nil
	case b.Type == "thinking" && b.Thinking != nil && *b.Thinking != "":
		a.thought.Plain = true
		return append(deltas, model.ReasoningDelta{Text: *b.Thinking}), nil
	case b.Type == "tool_use":
		more, err := a.calls.Add(tx, fragmentOf(index, b))
		return append(deltas, more...), err
	}
	return deltas, a.bounded()
}

// fragmentOf returns the beginning of a tool call. If the input follows in pieces, its first value
// is an empty object, or whatever the server takes for nothing.
func fragmentOf(index int, b block) model.ToolCallFragment {
	f := model.ToolCallFragment{Index: &index, ID: b.ID, Name: b.Name, Begins: true}
	switch text := string(b.Input); text {
	case "{}", "null", `""`:
	default:
		f.Whole = text
	}
	return f
}

func (a *answer) grow(tx *durable.Tx, index int, d delta) ([]model.Delta, error) {
	switch {
	case d.Type == "text_delta" && d.Text != "":
		return append(a.stop(), model.TextDelta{Text: d.Text}), nil
	case d.Type == "thinking_delta" && d.Thinking != "":
		a.open, a.thought.Plain = "thinking", true
		return []model.Delta{model.ReasoningDelta{Text: d.Thinking}}, nil
	case d.Type == "signature_delta":
		a.thought.Signature += d.Signature
		return nil, a.bounded()
	case d.Type == "input_json_delta" && (a.kinds[index] == "tool_use" || a.kinds[index] == ""): // other blocks have inputs too
		return a.calls.Add(tx, model.ToolCallFragment{Index: &index, Arguments: d.Partial})
	}
	return nil, nil
}

func (a *answer) bounded() error {
	if raw := len(a.thought.Signature) + len(a.thought.Redacted) + len(a.thought.Message) + len(a.thought.From); raw > maxReasoning || 6*raw > maxReasoning && len(a.thought.encode()) > maxReasoning {
		return model.Garbledf("what the model wants kept of a thought is larger than %d KiB", maxReasoning>>10)
	}
	return nil
}

// stop ends the block that grows.
func (a *answer) stop() []model.Delta {
	open := a.open
	a.open = ""
	if open != "thinking" && open != "redacted_thinking" {
		return nil
	}
	return []model.Delta{model.ReasoningEnded{Provider: a.thought.encode()}}
}

func (a *answer) Whole(tx *durable.Tx, body []byte) ([]model.Delta, error) {
	var m whole
	if err := model.Decode(body, &m); err != nil {
		return nil, model.Garbledf("the model's answer is not JSON: %s", model.Quote(string(body)))
	}
	if m.Type == "error" {
		return nil, model.StreamError(m.Error, a.origin)
	}
	if err := a.begin(&m); err != nil {
		return nil, err
	}
	var deltas []model.Delta
	for i, b := range m.Content {
		more, err := a.start(tx, i, b)
		deltas = append(deltas, more...)
		if err != nil {
			return deltas, err
		}
	}
	a.finish = m.StopReason
	return deltas, nil
}
