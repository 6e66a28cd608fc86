package model

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

const (
	// maxInput bounds the JSON text of one tool call's input, in bytes.
	maxInput = limit.ToolInput
	// maxCalls bounds the tool calls of one answer.
	maxCalls = limit.ToolCalls
	// maxCallID bounds a server's name for a tool call, in bytes; a longer one is
	// replaced.
	maxCallID = 128
)

// callList puts the tool calls of one answer together from their fragments.
type callList struct {
	calls []*openCall
	// taken are the ids that the conversation has used.
	taken map[string]bool
	// take is [Request.TakeID].
	take func(tx *durable.Tx, id string) bool
}

// openCall is a tool call whose input is still coming.
type openCall struct {
	// id is unique in the conversation; theirs is what the server said.
	id, theirs string
	// index is the server's number for the call, or -1.
	index int
	name  string
	input strings.Builder
}

// add takes one fragment.
func (l *callList) add(tx *durable.Tx, f openaiFragment) ([]Delta, error) {
	c := l.find(f)
	if c == nil {
		if len(l.calls) == maxCalls {
			return nil, garbled("the model asked for more than %d tools at once", maxCalls)
		}
		c = &openCall{index: -1}
		if f.Index != nil {
			c.index = *f.Index
		}
		l.calls = append(l.calls, c)
	}
	if c.input.Len()+len(f.Function.Arguments) > maxInput {
		return nil, garbled("the input that the model gave to the tool %q is larger than %d KiB", cmp.Or(c.name, quote(f.Function.Name)), maxInput>>10)
	}
	if c.theirs == "" {
		c.theirs = f.ID
	}
	c.input.WriteString(string(f.Function.Arguments))
	if c.name != "" {
		if f.Function.Arguments == "" {
			return nil, nil
		}
		return []Delta{ToolCallDelta{ID: c.id, Text: string(f.Function.Arguments)}}, nil
	}
	if f.Function.Name == "" {
		return nil, nil
	}
	if n := len(f.Function.Name); n > limit.ToolName {
		return nil, garbled("the model asked for a tool with a name of %d bytes, at most %d", n, limit.ToolName)
	}
	c.name, c.id = f.Function.Name, l.fresh(tx, c.theirs)
	deltas := []Delta{ToolCallStarted{ID: c.id, Name: c.name}}
	if c.input.Len() > 0 {
		deltas = append(deltas, ToolCallDelta{ID: c.id, Text: c.input.String()})
	}
	return deltas, nil
}

// find returns the call that a fragment belongs to, or nil for a new one. The
// index decides. Some servers leave it out, and then a new id, or a name without
// an id, begins a call; some give all calls the same, and then a new id with a
// name does; some make up an id a fragment, which says nothing.
func (l *callList) find(f openaiFragment) *openCall {
	for i := len(l.calls) - 1; i >= 0; i-- {
		c := l.calls[i]
		switch {
		case f.Index != nil && c.index != *f.Index:
		case f.ID == "" && f.Index == nil && f.Function.Name != "":
			return nil
		case f.ID == "" || c.theirs == f.ID:
			return c
		case f.Index != nil && (c.theirs == "" || f.Function.Name == ""):
			return c
		}
	}
	return nil
}

// fresh returns the server's id where it can serve, and a new one where it is
// missing, used before or out of bounds.
func (l *callList) fresh(tx *durable.Tx, theirs string) string {
	id := theirs
	if id == "" || len(id) > maxCallID || l.taken[id] || l.take != nil && !l.take(tx, id) {
		id = "call_" + tx.NewID()
	}
	l.taken[id] = true
	return id
}

// finish returns the calls, complete. cut says that the answer was ended by a
// limit, so that an input that is not there was cut away rather than empty.
func (l *callList) finish(cut bool) ([]Delta, error) {
	deltas := make([]Delta, 0, len(l.calls))
	for _, c := range l.calls {
		if c.name == "" {
			return nil, garbled("the model asked for a tool without naming it")
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
			return nil, garbled("the input that the model gave to the tool %q %s", c.name, why)
		}
		if nesting(input) > limit.Depth/2 {
			return nil, garbled("the input that the model gave to the tool %q is nested too deep", c.name)
		}
		deltas = append(deltas, ToolCall{ID: c.id, Name: c.name, Input: input})
	}
	return deltas, nil
}

// end returns the deltas that end an answer, whose finish is in the server's word.
func (l *callList) end(finish string, usage Usage) ([]Delta, error) {
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

func garbled(format string, args ...any) *Error {
	return &Error{Kind: Garbled, Message: fmt.Sprintf(format, args...)}
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
