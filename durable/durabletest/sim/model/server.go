// Package model is the model's server in a simulated world. An answer depends on the seed, on the
// question, and on how often the question was asked before, so that it stays the same when
// something else in the world changes.
package model

import (
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/lane"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/mode"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/sample"
)

// Server answers the requests of one root and its helpers.
type Server struct {
	Config
	// times counts how often a question was asked.
	times map[string]int
	// hanging are the requests whose answers stop in the middle, dawdling those whose answers never
	// end.
	hanging  []*Exchange
	dawdling []*Exchange

	seed       uint32
	mode       *mode.Mode
	habits     Habits
	background bool
	// schemas are the schemas that were read, by their texts.
	schemas map[string]sample.Schema
	// requested counts the requests of tools, by what they request.
	requested map[string]int
	// unanswered are the requests of tools that are not answered.
	unanswered []request
}

// request is a request of a tool.
type request struct{ slot, fetch string }

// Config is what a server needs of its world.
type Config struct {
	World *durabletest.World
	Lanes *lane.Set
	// Observer is told what happens to requests.
	Observer Observer
	// Hidden returns the tools that code of an object reaches, and that its model is not told of. Each takes a text.
	Hidden func(slot string) []string
	// Took calls a function that delivers an event, and says whether the event was handled without
	// a trap.
	Took func(deliver func()) bool
}

// Exchange is a request and its answer.
type Exchange struct {
	Slot, Object, Fetch string
	Question            Question
	Answer              Answer
	// next is when the next piece of an answer that never ends is due.
	next int64
}

// Observer is called with what happens to requests.
type Observer interface {
	// Unreadable is called for a request that is not JSON.
	Unreadable(err error)
	// Asked is called with a request and the answer that it will get.
	Asked(x *Exchange)
	// Arriving is called before a piece of an answer is delivered. The index is negative if the piece
	// is not part of a planned answer.
	Arriving(x *Exchange, piece int)
	// Arrived is called when the object has taken the piece.
	Arrived(x *Exchange, piece int, e durable.Event)
	// Waiting is called when the object still waits for an answer that never ends.
	Waiting(x *Exchange)
	// Lost is called when the requests of an object are lost with its memory. Cut is called when the
	// connection of one request breaks.
	Lost(object string)
	Cut(object string)
}

// New returns the server of a seed. background says that the ends of runs in the background ask
// questions too.
func New(seed uint32, habits Habits, background bool, m *mode.Mode, c Config) *Server {
	return &Server{Config: c, times: map[string]int{}, schemas: map[string]sample.Schema{}, requested: map[string]int{}, seed: seed, mode: m, habits: habits, background: background}
}

func laneOf(slot, fetch string) string { return slot + "/" + fetch }

// ofTools is in the lanes of requests that tools make. Their names have a slash in them.
const ofTools = "/await/"

// ofServers is in the lanes of requests that ask a server what it offers. ofNobody is in those of requests that
// no code of the object itself awaits: a helper does, or nobody.
const (
	ofServers = "/mcp/"
	ofNobody  = ofServers + "/"
)

// fetchOn returns the fetch whose answer is on a lane.
func fetchOn(l string) (slot, fetch string, ok bool) {
	at := max(strings.Index(l, ofTools), strings.Index(l, ofServers))
	if at < 0 {
		at = strings.LastIndexByte(l, '/')
	}
	if at < 0 || strings.Contains(l, ":") {
		return "", "", false
	}
	return l[:at], l[at+1:], true
}

// Answer begins to answer a request.
func (s *Server) Answer(slot string, f durable.Fetch) {
	q, err := parse(f.Body)
	if err != nil {
		s.Observer.Unreadable(err)
		return
	}
	q.slot = slot
	x := &Exchange{Slot: slot, Object: s.World.Object(slot), Fetch: f.Fetch, Question: q}
	x.Answer = s.compose(q, s.times[q.key()])
	s.Observer.Asked(x)
	s.times[q.key()]++
	s.Cancel(slot, f.Fetch)
	for i, piece := range x.Answer.Pieces {
		s.Lanes.Post(laneOf(slot, f.Fetch), func() { s.arrive(x, i, named(f.Fetch, piece)) })
	}
	switch {
	case x.Answer.Every > 0:
		x.next = s.World.Now() + x.Answer.Every
		s.dawdling = append(s.dawdling, x)
	case x.Answer.Whole < 0:
		s.hanging = append(s.hanging, x)
	}
}

// arrive delivers one piece of an answer.
func (s *Server) arrive(x *Exchange, i int, piece durable.Event) {
	s.Observer.Arriving(x, i)
	wanted := false
	took := s.Took(func() { wanted = s.World.Fetched(x.Slot, x.Fetch, piece) })
	if !wanted {
		s.Cancel(x.Slot, x.Fetch)
	}
	if wanted && took {
		s.Observer.Arrived(x, i, piece)
	}
}

// Cancel stops the answer to a request.
func (s *Server) Cancel(slot, fetch string) {
	s.Lanes.Drop(laneOf(slot, fetch))
	s.stopDawdling(slot, fetch)
	s.unanswered = slices.DeleteFunc(s.unanswered, func(r request) bool { return r == request{slot, fetch} })
}

// noPiece is the index of a piece that is not part of a planned answer.
const noPiece = -2

// EndHanging makes the requests fail whose answers have stopped, and says whether there were any.
func (s *Server) EndHanging() bool {
	if len(s.hanging)+len(s.unanswered) == 0 {
		return false
	}
	for _, r := range s.unanswered {
		s.reply(r, durable.FetchFailed{Error: "the connection was idle for too long"})
	}
	s.unanswered = nil
	for _, x := range s.hanging {
		f := durable.FetchFailed{Fetch: x.Fetch, Error: "the connection was idle for too long"}
		s.Lanes.Post(laneOf(x.Slot, x.Fetch), func() { s.arrive(x, noPiece, f) })
	}
	s.hanging = nil
	return true
}

// Abandon stops all answers to an object whose memory was lost. Requests of tools and of helpers that are on
// their way still arrive: they may have an effect that the object does not know of.
func (s *Server) Abandon(slot string) {
	s.Observer.Lost(s.World.Object(slot))
	for _, l := range s.Lanes.Names() {
		if at, _, ok := fetchOn(l); ok && at == slot && !strings.Contains(l, ofTools) && !strings.Contains(l, ofNobody) {
			s.Lanes.Drop(l)
		}
	}
	s.stopDawdling(slot, "")
	s.unanswered = slices.DeleteFunc(s.unanswered, func(r request) bool { return r.slot == slot })
	s.hanging = slices.DeleteFunc(s.hanging, func(x *Exchange) bool { return x.Slot == slot })
}

// AbandonAll stops all answers.
func (s *Server) AbandonAll() {
	for _, slot := range s.World.Slots() {
		s.Abandon(slot)
	}
}

// Cut breaks the connection of the answer on a lane, and says whether there is one.
func (s *Server) Cut(l string) bool {
	slot, fetch, ok := fetchOn(l)
	if !ok || !s.Lanes.Waits(l) {
		return false
	}
	s.Lanes.Drop(l)
	s.Lanes.Post(l, func() {
		s.Observer.Cut(s.World.Object(slot))
		s.stopDawdling(slot, fetch)
		s.World.Fetched(slot, fetch, durable.FetchFailed{Fetch: fetch, Error: "connection reset"})
	})
	return true
}
