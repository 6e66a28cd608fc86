package model

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
)

// cut sends only the first pieces, and then the failure, or nothing if that is nil.
func (a *Answer) cut(after int, failure durable.Event) {
	a.Fault, a.Whole = true, -1
	a.Pieces = a.Pieces[:min(after, len(a.Pieces))]
	if failure != nil {
		a.Pieces = append(a.Pieces, failure)
	}
}

// tear ends the answer in the middle of an event.
func (a *Answer) tear() {
	a.data(`data: {"choices":[{"index":0,"de`)
	a.Pieces = append(a.Pieces, durable.FetchEnded{})
}

// shred cuts some pieces in the middle of an event, as networks do.
func (a *Answer) shred(d dice.Dice) {
	a.remake(func(out []durable.Event, _ int, c durable.FetchChunk) []durable.Event {
		if !d.Chance(5) {
			return append(out, c)
		}
		at := 1 + d.Under(len(c.Data)-1)
		return append(out, durable.FetchChunk{Data: c.Data[:at]}, durable.FetchChunk{Data: c.Data[at:]})
	})
}

// gather joins what comes before the end to two pieces, as networks do.
func (a *Answer) gather() {
	half := len(a.Pieces) / 2
	a.remake(func(out []durable.Event, i int, c durable.FetchChunk) []durable.Event {
		last := len(out) - 1
		if before, ok := out[last].(durable.FetchChunk); ok && i != half {
			out[last] = durable.FetchChunk{Data: slices.Concat(before.Data, c.Data)}
			return out
		}
		return append(out, c)
	})
}

// remake replaces the pieces of text. add appends a piece to the pieces before it. It is not called
// for the piece that completes the answer. The first piece is always a head.
func (a *Answer) remake(add func(out []durable.Event, i int, c durable.FetchChunk) []durable.Event) {
	var out []durable.Event
	whole := a.Whole
	for i, p := range a.Pieces {
		if i == a.Whole {
			whole = len(out)
		}
		if c, ok := p.(durable.FetchChunk); ok && i != a.Whole {
			out = add(out, i, c)
		} else {
			out = append(out, p)
		}
	}
	a.Pieces, a.Whole = out, whole
}

// named returns a piece with the name of its fetch.
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
	panic("model: no event of a fetch")
}
