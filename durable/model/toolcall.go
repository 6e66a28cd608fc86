package model

import (
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
	// unnamed is the name that a call is shown under if the model has named no tool.
	unnamed = "unknown"
)

// ToolCallFragment is a piece of a tool call in a stream.
type ToolCallFragment struct {
	// Index is the server's number of the call, or nil if the server does not number its calls.
	Index *int
	// ID is the server's id for the call, or "".
	ID string
	// Name is the tool's name. It comes once, in the first fragment or in a later one. Some servers
	// repeat it.
	Name string
	// Arguments is more of the input's JSON text.
	Arguments string
	// Whole is the JSON text of the whole input. It counts if no Arguments come.
	Whole string
	// Kept is a JSON object of what the provider needs to be sent of the call again, or "". A later one
	// replaces it.
	Kept string
	// Begins says that the server tells where a call begins, and that one begins here.
	Begins bool
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
	// span says how far the input has come.
	span span
	// whole, kept and begins are those of a fragment.
	whole, kept string
	begins      bool
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
	switch {
	case c == nil && f == ToolCallFragment{Index: f.Index}, c != nil && c.repeats(f):
		return nil, nil
	case c == nil && len(l.calls) == maxCalls:
		return nil, Garbledf("the model asked for more than %d tools at once", maxCalls)
	case c == nil:
		c = &openCall{index: -1}
		l.calls = append(l.calls, c)
	}
	if c.input.Len()+len(f.Arguments)+len(f.Whole) > maxInput {
		return nil, Garbledf("the input that the model gave to the tool %q is larger than %d KiB", cmp.Or(c.name, Quote(f.Name)), maxInput>>10)
	}
	if f.Index != nil {
		c.index = *f.Index
	}
	if c.kept = cmp.Or(f.Kept, c.kept); len(c.kept) > limit.Thought {
		return nil, Garbledf("what the model wants kept of a call is larger than %d KiB", limit.Thought>>10)
	}
	c.theirs, c.whole, c.begins = cmp.Or(c.theirs, f.ID), cmp.Or(f.Whole, c.whole), c.begins || f.Begins
	c.input.WriteString(f.Arguments)
	c.span.add(f.Arguments)
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
	return l.begin(tx, c, f.Name), nil
}

// begin names a call, and returns what is known of it.
func (l *ToolCallList) begin(tx *durable.Tx, c *openCall, name string) []Delta {
	c.name, c.id = name, l.fresh(tx, c.theirs)
	deltas := []Delta{ToolCallStarted{ID: c.id, Name: c.name}}
	if c.input.Len() > 0 {
		deltas = append(deltas, ToolCallDelta{ID: c.id, Text: c.input.String()})
	}
	return deltas
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

// Whole says whether each call has a name, and an input that it can run with.
func (l *ToolCallList) Whole() bool {
	for _, c := range l.calls {
		text := cmp.Or(c.input.String(), c.whole)
		if _, why := readInput(text); c.name == "" || text == "" || why != "" {
			return false
		}
	}
	return true
}

// End returns the deltas that end an answer: its complete calls, each a [ToolCall] or a
// [ToolCallInvalid], and then [Finished]. finish is the server's word for why the model has stopped,
// such as "stop", "tool_calls" or "end_turn"; the words of all providers are known. The error is of the
// kind [Unavailable]: the word says that the provider has failed.
func (l *ToolCallList) End(tx *durable.Tx, finish string, usage Usage) ([]Delta, error) {
	reason := finishReason(finish)
	if reason == failed {
		return nil, &Error{Kind: Unavailable, Message: brokeOff(finish)}
	}
	deltas := l.finish(tx, cutBy[reason])
	switch {
	case len(l.calls) > 0 && (reason == Stop || reason == Other):
		reason = ToolCalls
	case len(l.calls) == 0 && reason == ToolCalls:
		reason = Other
	}
	return append(deltas, Finished{Reason: reason, Usage: usage}), nil
}

// cutBy says what has cut an input off, for the reasons that do so.
var cutBy = map[FinishReason]string{
	Length:        "the input was cut off by the limit on the answer's length",
	ContentFilter: "the input was cut off by the provider's filter",
}

// finish returns the complete calls. cut says what has cut the answer off, or is "". A missing input
// was then cut off, and is not an empty input.
func (l *ToolCallList) finish(tx *durable.Tx, cut string) (deltas []Delta) {
	lost := ""
	for _, c := range l.calls {
		if c.name == "" {
			lost = "its input came as that of no call"
		}
	}
	for i, c := range l.calls {
		text := strings.TrimSpace(cmp.Or(c.input.String(), c.whole))
		if c.name == "" {
			deltas = append(deltas, l.begin(tx, c, unnamed)...)
			deltas = append(deltas, invalid(c, text, "the call names no tool"))
			continue
		}
		input, why := readInput(text)
		switch missing := cmp.Or(cut, lost, l.twice(i)); {
		case text == "" && missing != "", why != "" && cut != "":
			deltas = append(deltas, invalid(c, text, missing))
		case why != "":
			deltas = append(deltas, invalid(c, text, why))
		default:
			deltas = append(deltas, ToolCall{ID: c.id, Name: c.name, Input: input, Provider: json.RawMessage(c.kept)})
		}
	}
	return deltas
}

// twice says whether an earlier call has the server's id of a call. What came without an input may then
// be no call at all.
func (l *ToolCallList) twice(call int) string {
	for _, c := range l.calls[:call] {
		if mine := l.calls[call]; !mine.begins && mine.theirs != "" && mine.theirs == c.theirs {
			return "it has the id of another call, and no input"
		}
	}
	return ""
}

// maxQuotedInput is how much of an input that cannot be used the model is told, in bytes.
const maxQuotedInput = 2_000

func invalid(c *openCall, text, why string) ToolCallInvalid {
	if text != "" {
		why += ". The input was: " + Truncate(strings.ToValidUTF8(text, "\ufffd"), maxQuotedInput)
	}
	return ToolCallInvalid{ID: c.id, Name: c.name, Text: text, Reason: why, Provider: json.RawMessage(c.kept)}
}

// readInput returns the input of a call, a JSON object, or says why its text is none. A text that
// holds the object is unwrapped if no other reading is possible: an input that is missing is empty,
// one that was encoded twice is decoded, and an empty object in front of the object is dropped.
func readInput(text string) (input json.RawMessage, why string) {
	for inner := text; ; {
		if text = strings.TrimSpace(inner); !strings.HasPrefix(text, `"`) || json.Unmarshal([]byte(text), &inner) != nil {
			break
		}
	}
	if text == "" || text == "null" {
		return json.RawMessage("{}"), ""
	}
	for rest, found := strings.CutPrefix(text, "{}"); found; rest, found = strings.CutPrefix(text, "{}") {
		if rest = strings.TrimSpace(rest); !strings.HasPrefix(rest, "{") {
			break
		}
		text = rest
	}
	var whole json.RawMessage
	switch err := json.Unmarshal([]byte(text), &whole); {
	case err != nil:
		return nil, "the input is not JSON: " + err.Error()
	case whole[0] != '{':
		return nil, "the input is not a JSON object"
	case nesting(whole) > limit.Depth/2:
		return nil, "the input is nested too deep"
	}
	return whole, ""
}

// nesting is how deep a valid JSON text is nested.
func nesting(text []byte) int {
	var s span
	s.add(string(text))
	return s.deepest
}
