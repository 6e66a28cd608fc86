package model

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

const (
	// maxInput bounds the JSON text of one tool call's input, in bytes.
	maxInput = limit.ToolInput
	// maxCalls bounds the tool calls of one answer.
	maxCalls = limit.ToolCalls
	// maxCallID bounds a server's id for a tool call, in bytes. A longer id is replaced. The ids of calls
	// that code has made are a few bytes longer, and are ids too.
	maxCallID = limit.ID - 8
)

// ToolCallFragment is a piece of a tool call in a stream.
type ToolCallFragment struct {
	// Index is the server's number of the call, or nil if the server does not number its calls.
	Index *int
	// ID is the server's id for the call, or "".
	ID string
	// Name is the tool's name. It comes once, in the first fragment or in a later one.
	Name string
	// Arguments is more of the input's JSON text.
	Arguments string
}

// ToolCallList assembles the tool calls of one answer from their fragments. It limits their number
// and sizes, and gives each an id that is unique in the conversation.
type ToolCallList struct {
	calls []*openCall
	// taken are the ids that the conversation has used.
	taken map[string]bool
	// take is [Request.TakeID].
	take func(tx *durable.Tx, id string) bool
}

// openCall is a tool call whose input is not complete.
type openCall struct {
	// id is unique in the conversation. theirs is the server's id.
	id, theirs string
	// index is the server's number for the call, or -1.
	index int
	name  string
	input strings.Builder
}

// NewToolCallList returns an empty list for the answer to a request. The request says which ids the
// conversation has used.
func NewToolCallList(request Request) ToolCallList {
	return ToolCallList{taken: callIDs(request), take: request.TakeID}
}

// callIDs returns the ids of the tool calls in the conversation so far. Some servers count the ids
// from 0 in every answer, so repeated ids must be recognised.
func callIDs(request Request) map[string]bool {
	ids := map[string]bool{}
	for _, m := range request.Messages {
		for _, c := range m.Content {
			if call, ok := c.(ToolCall); ok {
				ids[call.ID] = true
			}
		}
	}
	for _, id := range request.Used {
		ids[id] = true
	}
	return ids
}

// Len returns how many calls have begun.
func (l *ToolCallList) Len() int { return len(l.calls) }

// Add takes one fragment and returns its deltas: that its call has begun, more of its input, or
// nothing while the name is missing. The error is of the kind [Garbled]: there are too many calls,
// or one is too large.
func (l *ToolCallList) Add(tx *durable.Tx, f ToolCallFragment) ([]Delta, error) {
	c := l.find(f)
	if c == nil {
		if len(l.calls) == maxCalls {
			return nil, Garbledf("the model asked for more than %d tools at once", maxCalls)
		}
		c = &openCall{index: -1}
		if f.Index != nil {
			c.index = *f.Index
		}
		l.calls = append(l.calls, c)
	}
	if c.input.Len()+len(f.Arguments) > maxInput {
		return nil, Garbledf("the input that the model gave to the tool %q is larger than %d KiB", cmp.Or(c.name, Quote(f.Name)), maxInput>>10)
	}
	if c.theirs == "" {
		c.theirs = f.ID
	}
	c.input.WriteString(f.Arguments)
	if c.name != "" {
		if f.Arguments == "" {
			return nil, nil
		}
		return []Delta{ToolCallDelta{ID: c.id, Text: f.Arguments}}, nil
	}
	if f.Name == "" {
		return nil, nil
	}
	if n := len(f.Name); n > limit.ToolName {
		return nil, Garbledf("the model asked for a tool with a name of %d bytes, at most %d", n, limit.ToolName)
	}
	c.name, c.id = f.Name, l.fresh(tx, c.theirs)
	deltas := []Delta{ToolCallStarted{ID: c.id, Name: c.name}}
	if c.input.Len() > 0 {
		deltas = append(deltas, ToolCallDelta{ID: c.id, Text: c.input.String()})
	}
	return deltas, nil
}

// find returns the call that a fragment belongs to, or nil if the fragment begins a new call. The
// index decides. Some servers send no index: then a new id, or a name without an id, begins a call.
// Some send the same index for all calls: then a new id with a name begins one. Some invent an id
// for every fragment: such an id means nothing.
func (l *ToolCallList) find(f ToolCallFragment) *openCall {
	for i := len(l.calls) - 1; i >= 0; i-- {
		c := l.calls[i]
		switch {
		case f.Index != nil && c.index != *f.Index:
		case f.ID == "" && f.Index == nil && f.Name != "":
			return nil
		case f.ID == "" || c.theirs == f.ID:
			return c
		case f.Index != nil && (c.theirs == "" || f.Name == ""):
			return c
		}
	}
	return nil
}

// fresh returns the server's id, or a new one if the id is missing, too long or used before, or if it
// looks like that of a call which the code of another call has made.
func (l *ToolCallList) fresh(tx *durable.Tx, theirs string) string {
	id := theirs
	if id == "" || len(id) > maxCallID || strings.Contains(id, "/") || l.taken[id] || l.take != nil && !l.take(tx, id) {
		id = "call_" + tx.NewID()
	}
	l.taken[id] = true
	return id
}

// finish returns the complete calls. cut says that a limit has ended the answer. A missing input
// was then cut off, and is not an empty input.
func (l *ToolCallList) finish(cut bool) ([]Delta, error) {
	deltas := make([]Delta, 0, len(l.calls))
	for _, c := range l.calls {
		if c.name == "" {
			return nil, Garbledf("the model asked for a tool without naming it")
		}
		input := bytes.TrimSpace([]byte(c.input.String()))
		if !cut && (len(input) == 0 || string(input) == "null") {
			input = []byte("{}")
		}
		if len(input) == 0 || input[0] != '{' || !json.Valid(input) {
			why := "is not a JSON object"
			if cut {
				why = "was cut off by the limit on the answer's length"
			}
			return nil, Garbledf("the input that the model gave to the tool %q %s", c.name, why)
		}
		if nesting(input) > limit.Depth/2 {
			return nil, Garbledf("the input that the model gave to the tool %q is nested too deep", c.name)
		}
		deltas = append(deltas, ToolCall{ID: c.id, Name: c.name, Input: input})
	}
	return deltas, nil
}

// Whole says whether each call has a name, and a JSON object as its input.
func (l *ToolCallList) Whole() bool {
	for _, c := range l.calls {
		input := strings.TrimSpace(c.input.String())
		if c.name == "" || !strings.HasPrefix(input, "{") || !json.Valid([]byte(input)) {
			return false
		}
	}
	return true
}

// End returns the deltas that end an answer: its complete calls, and then [Finished]. finish is the
// server's word for why the model has stopped, such as "stop", "tool_calls" or "end_turn"; the
// words of all providers are known. The error is of the kind [Garbled]: an input is not a JSON
// object.
func (l *ToolCallList) End(finish string, usage Usage) ([]Delta, error) {
	reason := finishReason(finish)
	deltas, err := l.finish(reason == Length || reason == ContentFilter)
	if err != nil {
		return nil, err
	}
	switch {
	case len(deltas) > 0 && (reason == Stop || reason == Other):
		reason = ToolCalls
	case len(deltas) == 0 && reason == ToolCalls:
		reason = Other
	}
	return append(deltas, Finished{Reason: reason, Usage: usage}), nil
}

// finishReason returns the chat client's name for a server's reason for stopping.
func finishReason(word string) FinishReason {
	switch word {
	case "stop", "eos", "end_turn", "stop_sequence":
		return Stop
	case "length", "max_tokens", "model_context_window_exceeded":
		return Length
	case "content_filter", "refusal":
		return ContentFilter
	case "tool_calls", "function_call", "tool_use":
		return ToolCalls
	}
	return Other
}

// nesting is how deep a valid JSON text is nested.
func nesting(text []byte) (deepest int) {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return deepest
}
