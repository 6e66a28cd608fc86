package model

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/code"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
)

// Answer is what the server sends for one request, piece by piece.
type Answer struct {
	Pieces []durable.Event
	// Whole is the index of the piece that completes the answer, or -1 if it is never complete.
	Whole int
	// Calls are the tool calls that it makes.
	Calls []ToolCall
	// RetryAfter is how long the server refuses further requests, in milliseconds, or 0.
	RetryAfter int64
	// Thoughts are the pieces of its thought.
	Thoughts []string
	// Fault says that the answer is meant to fail.
	Fault bool
	// Every is the time between two pieces of an answer that never ends, in milliseconds, or 0.
	Every int64
	// workshop says that words in inputs may make something happen, such as [contract.Twice].
	workshop bool
	// garbles, oneIndex and oddErrors are those of the mode.
	garbles, oneIndex, oddErrors bool
	Habits
}

// ToolCall is a tool call of an answer.
type ToolCall struct {
	ID, Name string
	// Values are the texts in its input. Each of them is used nowhere else.
	Values []string
	Input  string
	// Garbled says that what is sent as the input is no JSON object: the call has to fail.
	Garbled bool
	// sent is what is sent as the input, or "" if that is the input.
	sent string
	// Program is the code in its input, or nil.
	Program *code.Program
}

// The tokens that each answer costs.
const (
	InputTokens  = 7
	OutputTokens = 3
)

// remarks are what the model adds to the inputs of tools.
var remarks = dice.Options{{"", 4}, {", " + contract.Twice, 2}, {", " + contract.EndBreaks, 1}}

func (a *Answer) head(status int, header map[string]string) {
	a.Pieces = append(a.Pieces, durable.FetchResponded{Status: status, Header: header})
}

func (a *Answer) data(text string) {
	a.Pieces = append(a.Pieces, durable.FetchChunk{Data: []byte(text)})
}

func (a *Answer) event(v any) {
	body, err := json.Marshal(v)
	if err != nil {
		panic("model: " + err.Error())
	}
	a.data("data: " + string(body) + "\n\n")
}

func (a *Answer) delta(fields map[string]any) {
	event := map[string]any{"choices": []any{map[string]any{"index": 0, "delta": fields}}}
	if a.EmptyErrors {
		event["error"] = map[string]any{"message": "", "type": "", "code": nil}
	}
	a.event(event)
}

// text says something that contains the marks of the question, in a few pieces.
func (a *Answer) text(d dice.Dice, q Question) {
	a.delta(map[string]any{"content": d.Word() + ": "})
	for range d.Under(4) {
		a.delta(map[string]any{"content": d.Word() + " & <" + d.Word() + ">\n"})
	}
	a.delta(map[string]any{"content": "answer to" + q.marks() + "."})
}

func (a *Answer) think(d dice.Dice) {
	for range 1 + d.Under(2) {
		a.Thoughts = append(a.Thoughts, d.Word()+" ")
		a.delta(map[string]any{"reasoning_content": a.Thoughts[len(a.Thoughts)-1]})
	}
}

// callSome calls a few of the tools, side by side.
func (a *Answer) callSome(d dice.Dice, tools []Tool) {
	for range 1 + d.Under(min(3, 1+len(tools))) {
		a.call(d, tools[d.Under(len(tools))], 2)
	}
}

// askPeople asks two or three things of people. One time in three it calls another tool as well.
func (a *Answer) askPeople(d dice.Dice, people, others []Tool) {
	for range 2 + d.Under(2) {
		a.call(d, people[d.Under(len(people))], 1)
	}
	if len(others) > 0 && d.Chance(3) {
		a.call(d, others[d.Under(len(others))], 2)
	}
}

// call calls a tool. One in so many paths is hidden, so that a person must approve the call.
func (a *Answer) call(d dice.Dice, t Tool, hidden int) {
	input := map[string]string{}
	c := a.newCall(d, t)
	for _, name := range slices.Sorted(maps.Keys(t.Function.Parameters.Properties)) {
		input[name] = "about " + d.Word() + d.Word()
		if a.workshop {
			input[name] += d.Pick(remarks)
		}
		if name == "path" && d.Chance(hidden) {
			input[name] = "." + d.Word() + d.Word()
		}
		if t.isAction() {
			some := map[string][]string{"wish": contract.Wishes, "note": contract.Notes}[name]
			input[name] = some[d.Under(len(some))]
			continue
		}
		c.Values = append(c.Values, input[name])
	}
	body, err := json.Marshal(input)
	if err != nil {
		panic("model: " + err.Error())
	}
	c.Input = string(body)
	a.garble(d, &c)
	a.add(c)
}

// newCall returns a call of a tool without its input.
func (a *Answer) newCall(d dice.Dice, t Tool) ToolCall {
	c := ToolCall{ID: "call_" + d.Word() + d.Word(), Name: t.Function.Name}
	if a.CountsCalls {
		c.ID = "call_" + strconv.Itoa(len(a.Calls))
	}
	return c
}

// add adds a call to the answer.
func (a *Answer) add(c ToolCall) {
	a.Calls = append(a.Calls, c)
	if !a.Interleaves {
		a.fragments(c, len(a.Calls)-1, 0, fragmentsOfCall)
	}
}

// fragmentsOfCall is the number of pieces that a call is sent in.
const fragmentsOfCall = 3

// fragments adds some of the pieces of a call.
func (a *Answer) fragments(c ToolCall, index, from, to int) {
	input := cmp.Or(c.sent, c.Input)
	half := len(input) / 2
	for _, fields := range []map[string]any{
		{"id": c.ID, "type": "function", "function": map[string]string{"name": c.Name, "arguments": ""}},
		{"function": map[string]string{"arguments": input[:half]}},
		{"function": map[string]string{"arguments": input[half:]}},
	}[from:to] {
		fields["index"] = index
		if a.oneIndex {
			fields["index"] = 0
		}
		a.delta(map[string]any{"tool_calls": []any{fields}})
	}
}

// interleave adds the pieces of all calls by turns, if the server does that.
func (a *Answer) interleave() {
	for n := range fragmentsOfCall {
		for i, c := range a.Calls {
			if a.Interleaves {
				a.fragments(c, i, n, n+1)
			}
		}
	}
}

func (a *Answer) finish(reason string) {
	a.interleave()
	if !a.Endless {
		a.event(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": reason}}})
	}
	a.event(map[string]any{"choices": []any{}, "usage": map[string]int64{"prompt_tokens": InputTokens, "completion_tokens": OutputTokens}})
	a.Whole = len(a.Pieces)
	if a.Endless {
		a.Pieces = append(a.Pieces, durable.FetchEnded{})
		if slices.ContainsFunc(a.Calls, func(c ToolCall) bool { return c.Garbled }) { // nothing says that it did not break off there
			a.Fault, a.Whole = true, -1
		}
		return
	}
	if a.Resets {
		a.Pieces = append(a.Pieces, durable.FetchFailed{Error: "connection reset"})
		return
	}
	a.data("data: [DONE]\n\n")
	a.Pieces = append(a.Pieces, durable.FetchEnded{})
}
