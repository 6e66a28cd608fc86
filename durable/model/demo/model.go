// Package demo has a provider whose model is part of the module. It is deterministic and needs no
// network. It is for a first look, for tests and for benchmarks.
package demo

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/model"
)

// Model is a model without settings and without a network. It gives the same answer to the same
// request, except for the ids of tool calls. It answers plain language with prepared texts. If a
// message begins with the name of a tool, it calls that tool with the rest: "poem: the sea" calls
// the tool poem. "workflow: report 3" and "act: pay 120 to Ada" begin with a word for the kind of
// the tool. If a message begins with "code:", all of the rest is the input of the tool for code, in as
// many lines as it has. "mcp: demo_weather {"city":"Ulm"}" calls a tool with an input that is JSON, and
// without JSON the rest is for what the tool requires. If a message has the address of a page, it calls the tool fetch_page. It obeys
// these words key=value of the last user message; the default is in parentheses:
//
//	tool=NAME  call this tool, if the request has it; none calls none; the helper of
//	           background searches before it says its chunks
//	n=K        helpers for fan, at most 1000 (3)
//	chunks=N   text deltas, at most 100000 (5)
//	delay=D    milliseconds between deltas, at most 60000 (0: as fast as possible)
//	size=S     bytes of a delta, at most 65536 (16)
//	pchunks=N  deltas of the answer that follows the results of tools (3)
//
// With chunks, delay or size the deltas read "c0 ", "c1 " and so on, padded with x to their size,
// at most 64 MiB in all. These three words are also passed on in the text for a helper. If a value
// is not valid, the answer says so.
type Model struct{}

const (
	// maxBatch and maxBatchBytes bound the deltas of one step if there is no delay, so that a
	// cancellation can come between two steps.
	maxBatch      = 64
	maxBatchBytes = 256 << 10
)

// Name returns "demo".
func (Model) Name() string { return "demo" }

// Begin starts a timer with the name id. So does every event after which more of the answer is
// left.
func (Model) Begin(tx *durable.Tx, id string, request model.Request) (model.Answer, error) {
	tx.Do(durable.StartTimer{Timer: id})
	a := &answer{id: id, script: choose(request), input: requestBytes(request)}
	a.skip(len(request.Said))
	return a, nil
}

type answer struct {
	id     string
	script script
	// next is the index of the next piece.
	next int
	// rest is the unsent part of the piece before it.
	rest string
	// input and output count bytes, for the usage.
	input, output int
	over          bool
}

func (a *answer) Take(tx *durable.Tx, event durable.Event) ([]model.Delta, error) {
	if _, fired := event.(durable.TimerFired); !fired || a.over {
		return nil, nil
	}
	deltas := a.say()
	if a.next < a.script.count {
		tx.Do(durable.StartTimer{Timer: a.id, After: a.script.delay})
		return deltas, nil
	}
	a.over = true
	reason := model.Stop
	if call := a.script.call; call != nil {
		reason = model.ToolCalls
		made := model.ToolCall{ID: "call_" + tx.NewID(), Name: call.Name, Input: call.Input}
		deltas = append(deltas, model.ToolCallStarted{ID: made.ID, Name: made.Name}, made)
		a.output += len(made.Name) + len(made.Input)
	}
	usage := model.Usage{Input: roughTokens(a.input), Output: roughTokens(a.output)}
	return append(deltas, model.Finished{Reason: reason, Usage: usage}), nil
}

func (a *answer) Cancel(tx *durable.Tx) {
	if !a.over {
		a.over = true
		tx.Do(durable.StopTimer{Timer: a.id})
	}
}

// skip continues after the text of an earlier attempt.
func (a *answer) skip(said int) {
	for said > 0 && a.next < a.script.count {
		piece := a.script.piece(a.next)
		a.next++
		a.rest = piece[min(said, len(piece)):]
		said -= len(piece)
	}
}

// say returns the pieces of one step.
func (a *answer) say() []model.Delta {
	limit := 1
	if a.script.delay == 0 {
		limit = maxBatch
	}
	var deltas []model.Delta
	if a.rest != "" {
		deltas, a.rest = append(deltas, model.TextDelta{Text: a.rest}), ""
	}
	for bytes := 0; a.next < a.script.count && len(deltas) < limit && bytes < maxBatchBytes; a.next++ {
		piece := a.script.piece(a.next)
		bytes += len(piece)
		a.output += len(piece)
		deltas = append(deltas, model.TextDelta{Text: piece})
	}
	return deltas
}

// roughTokens counts four bytes as a token, a common estimate.
func roughTokens(bytes int) int64 { return int64(bytes+3) / 4 }

func requestBytes(request model.Request) int {
	n := len(request.System)
	for _, t := range request.Tools {
		n += len(t.Name) + len(t.Description) + len(t.Schema)
	}
	for _, m := range request.Messages {
		for _, c := range m.Content {
			switch c := c.(type) {
			case model.Text:
				n += len(c.Text)
			case model.ToolCall:
				n += len(c.Name) + len(c.Input)
			case model.ToolResult:
				n += len(c.Name) + len(c.Output)
			}
		}
	}
	return n
}
