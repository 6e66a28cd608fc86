package sim

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// answer is what the endpoint sends for one request, piece by piece, and where of it the
// answer is whole.
type answer struct {
	pieces []durable.Event
	// whole is the piece with which everything is said, or -1.
	whole int
	// calls are the tools that it asks for.
	calls []toolCall
	// retryAfter is how long the endpoint wants not to be asked again, in milliseconds, or 0.
	retryAfter int64
	// thoughts are the words that it thinks.
	thoughts []string
	// fault says that the answer is meant to fail.
	fault bool
	// workshop says that the words in inputs may have something happen, see [Twice].
	workshop bool
	serverHabits
	// every is how often something comes of an answer that does not end, in milliseconds, or 0.
	every int64
}

// toolCall is a tool call that the endpoint has made up.
type toolCall struct {
	id, name string
	// values are the texts in its input, each of which nobody else has.
	values []string
	input  string
	// step is the model call that it was made in, over all attempts at that.
	step string
}

// content is the key of a call whose id the core has replaced, which it does in helpers: its name
// and its input, which no other call has.
func (c toolCall) content() string { return c.name + " " + c.input }

// mark is the word by which an answer to a text can be known.
func mark(text string) string { return newDice(0, "mark", text).word() }

func (a *answer) head(status int, header map[string]string) {
	a.pieces = append(a.pieces, durable.FetchResponded{Status: status, Header: header})
}

func (a *answer) data(text string) {
	a.pieces = append(a.pieces, durable.FetchChunk{Data: []byte(text)})
}

func (a *answer) event(v any) {
	body, err := json.Marshal(v)
	if err != nil {
		panic("sim: " + err.Error())
	}
	a.data("data: " + string(body) + "\n\n")
}

func (a *answer) delta(fields map[string]any) {
	a.event(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": fields}}})
}

// text says something by which the question can be known, in a few pieces.
func (a *answer) text(d dice, q question) {
	a.delta(map[string]any{"content": d.word() + ": "})
	for range d.under(4) {
		a.delta(map[string]any{"content": d.word() + " & <" + d.word() + ">\n"})
	}
	a.delta(map[string]any{"content": "answer to" + q.marks() + "."})
}

func (a *answer) think(d dice) {
	for range 1 + d.under(2) {
		a.thoughts = append(a.thoughts, d.word()+" ")
		a.delta(map[string]any{"reasoning_content": a.thoughts[len(a.thoughts)-1]})
	}
}

// ask asks for a few of the tools, side by side. A model makes up ids anew every time.
func (a *answer) ask(d dice, tools []tool) {
	for range 1 + d.under(min(3, 1+len(tools))) {
		a.askFor(d, tools[d.under(len(tools))], 2)
	}
}

// askFor asks for a tool. One in so many files is hidden: a person has to allow it.
func (a *answer) askFor(d dice, t tool, hidden int) {
	input := map[string]string{}
	c := toolCall{id: "call_" + d.word() + d.word(), name: t.Function.Name}
	if a.counts {
		c.id = "call_" + strconv.Itoa(len(a.calls))
	}
	for _, name := range slices.Sorted(maps.Keys(t.Function.Parameters.Properties)) {
		input[name] = "about " + d.word() + d.word()
		if a.workshop {
			input[name] += d.pick(remarks)
		}
		if name == "path" && d.chance(hidden) {
			input[name] = "." + d.word() + d.word()
		}
		c.values = append(c.values, input[name])
	}
	body, err := json.Marshal(input)
	if err != nil {
		panic("sim: " + err.Error())
	}
	c.input = string(body)
	a.calls = append(a.calls, c)
	if !a.interleaves {
		a.fragments(c, len(a.calls)-1, 0, fragments)
	}
}

// fragments is in how many pieces a call comes.
const fragments = 3

// fragments adds the pieces of a call from one on, up to another.
func (a *answer) fragments(c toolCall, index, from, to int) {
	half := len(c.input) / 2
	for _, fields := range []map[string]any{
		{"id": c.id, "type": "function", "function": map[string]string{"name": c.name, "arguments": ""}},
		{"function": map[string]string{"arguments": c.input[:half]}},
		{"function": map[string]string{"arguments": c.input[half:]}},
	}[from:to] {
		fields["index"] = index
		a.delta(map[string]any{"tool_calls": []any{fields}})
	}
}

// interleave adds the pieces of all calls by turns, where the server does that.
func (a *answer) interleave() {
	for n := range fragments {
		for i, c := range a.calls {
			if a.interleaves {
				a.fragments(c, i, n, n+1)
			}
		}
	}
}

func (a *answer) finish(reason string) {
	a.interleave()
	a.event(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": reason}}})
	a.event(map[string]any{"choices": []any{}, "usage": map[string]int64{"prompt_tokens": answerCost.input, "completion_tokens": answerCost.output}})
	a.whole = len(a.pieces)
	if a.resets {
		a.pieces = append(a.pieces, durable.FetchFailed{Error: "connection reset"})
		return
	}
	a.data("data: [DONE]\n\n")
	a.pieces = append(a.pieces, durable.FetchEnded{})
}

// break lets only so many pieces come, and then nothing or a failure.
func (a *answer) cut(after int, failure durable.Event) {
	a.fault, a.whole = true, -1
	a.pieces = a.pieces[:min(after, len(a.pieces))]
	if failure != nil {
		a.pieces = append(a.pieces, failure)
	}
}

// shred cuts the bytes at other places than between events, as networks do.
func (a *answer) shred(d dice) {
	a.remake(func(out []durable.Event, _ int, c durable.FetchChunk) []durable.Event {
		if !d.chance(5) {
			return append(out, c)
		}
		at := 1 + d.under(len(c.Data)-1)
		return append(out, durable.FetchChunk{Data: c.Data[:at]}, durable.FetchChunk{Data: c.Data[at:]})
	})
}

// gather lets what comes before the end arrive in two pieces, as networks do.
func (a *answer) gather() {
	half := len(a.pieces) / 2
	a.remake(func(out []durable.Event, i int, c durable.FetchChunk) []durable.Event {
		last := len(out) - 1
		if before, ok := out[last].(durable.FetchChunk); ok && i != half {
			out[last] = durable.FetchChunk{Data: slices.Concat(before.Data, c.Data)}
			return out
		}
		return append(out, c)
	})
}

// remake has f put each piece of the text behind those before it, but for the one with which
// everything is said. Before the first there is a head.
func (a *answer) remake(f func(out []durable.Event, i int, c durable.FetchChunk) []durable.Event) {
	var out []durable.Event
	whole := a.whole
	for i, p := range a.pieces {
		if i == a.whole {
			whole = len(out)
		}
		if c, ok := p.(durable.FetchChunk); ok && i != a.whole {
			out = f(out, i, c)
		} else {
			out = append(out, p)
		}
	}
	a.pieces, a.whole = out, whole
}

// named gives a piece the name of its fetch.
func named(fetch string, e durable.Event) durable.Event {
	switch e := e.(type) {
	case durable.FetchResponded:
		e.Fetch = fetch
		return e
	case durable.FetchChunk:
		e.Fetch = fetch
		return e
	case durable.FetchEnded:
		e.Fetch = fetch
		return e
	case durable.FetchFailed:
		e.Fetch = fetch
		return e
	}
	panic("sim: no event of a fetch")
}

// helpers leaves out the tools that are there for developers.
func usable(tools []tool) []tool {
	return slices.DeleteFunc(slices.Clone(tools), func(t tool) bool {
		for _, p := range t.Function.Parameters.Properties {
			if !strings.EqualFold(p.Type, "string") {
				return true
			}
		}
		return false
	})
}
