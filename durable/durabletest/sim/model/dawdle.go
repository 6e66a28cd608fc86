package model

import (
	"fmt"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
)

// These are the times between two pieces of an answer that never ends, in milliseconds. A piece is
// bytes without a word, or a word. It arrives at its time, and not when a lane is delivered.
const (
	pingEvery = 20_000
	wordEvery = 50_000
)

// dawdle makes some answers never end, on seeds whose server does that.
func (s *Server) dawdle(d dice.Dice, a Answer) Answer {
	if s.mode.Settling || !s.habits.Dawdles || a.Fault || !d.Chance(5) {
		return a
	}
	a.Every = pingEvery
	if d.Chance(2) {
		a.Every = wordEvery
	}
	a.Pieces, a.Calls = a.Pieces[:1], nil
	a.cut(1, nil)
	return a
}

// more returns the next piece of an answer that never ends. Each word is new, because the client
// leaves out a text that is the beginning of a later one.
func (a Answer) more(now int64) []byte {
	if a.Every == pingEvery {
		return []byte(": ping\n\n")
	}
	return fmt.Appendf(nil, `data: {"choices":[{"index":0,"delta":{"content":"still at %d "}}]}`+"\n\n", now)
}

// Next returns when the next piece of an answer that never ends is due, if there is such an answer.
func (s *Server) Next() (at int64, ok bool) {
	if len(s.dawdling) == 0 {
		return 0, false
	}
	return s.first().next, true
}

func (s *Server) first() *Exchange {
	return slices.MinFunc(s.dawdling, func(a, b *Exchange) int { return int(a.next - b.next) })
}

// Speak delivers that piece, after everything that is on its way already.
func (s *Server) Speak() {
	x := s.first()
	for s.Lanes.Deliver(laneOf(x.Slot, x.Fetch)) {
	}
	if !slices.Contains(s.dawdling, x) {
		return
	}
	x.next = s.World.Now() + x.Answer.Every
	s.arrive(x, noPiece, durable.FetchChunk{Fetch: x.Fetch, Data: x.Answer.more(s.World.Now())})
	if slices.Contains(s.dawdling, x) {
		s.Observer.Waiting(x)
	}
}

// stopDawdling stops the endless answer to one fetch of a slot, or the answers to all its fetches.
func (s *Server) stopDawdling(slot, fetch string) {
	s.dawdling = slices.DeleteFunc(s.dawdling, func(x *Exchange) bool { return x.Slot == slot && (fetch == "" || x.Fetch == fetch) })
}
