// Package reply sends the answers of the servers in a simulated world to the objects that have asked.
package reply

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/lane"
)

// Sender sends the answers of one server.
type Sender struct {
	World *durabletest.World
	Lanes *lane.Set
	// Took calls a function that delivers an event, and says whether the event was handled without
	// a trap.
	Took func(deliver func()) bool
	// silent are the requests that are not answered.
	silent []To
}

// To is the request that an answer is for: the slot of the object that has made it, and its name there.
type To struct{ Slot, Fetch string }

// Lane is the lane of a request and of its answer. The lanes of requests to the model have the same form, so that
// they are lost together with the memory of their object.
func (t To) Lane() string { return t.Slot + "/" + t.Fetch }

// Head sends the status and the header of an answer.
func (s *Sender) Head(to To, status int, header map[string]string) {
	s.post(to, durable.FetchResponded{Fetch: to.Fetch, Status: status, Header: header}, nil)
}

// Chunk sends a piece of an answer's body. took is called when the object has taken it. It may be nil.
func (s *Sender) Chunk(to To, data string, took func()) {
	s.post(to, durable.FetchChunk{Fetch: to.Fetch, Data: []byte(data)}, took)
}

// End ends an answer. took is called when the object has taken the end. It may be nil.
func (s *Sender) End(to To, took func()) { s.post(to, durable.FetchEnded{Fetch: to.Fetch}, took) }

// Fail has a request fail.
func (s *Sender) Fail(to To, why string) {
	s.post(to, durable.FetchFailed{Fetch: to.Fetch, Error: why}, nil)
}

// Whole sends an answer in one piece. An empty body has none.
func (s *Sender) Whole(to To, status int, kind, body string, took func()) {
	s.Head(to, status, map[string]string{"content-type": kind})
	if body != "" {
		s.Chunk(to, body, nil)
	}
	s.End(to, took)
}

// Keep leaves a request without an answer, or without the rest of it.
func (s *Sender) Keep(to To) { s.silent = append(s.silent, to) }

// EndSilence makes the requests fail that are not answered, and says whether there were any.
func (s *Sender) EndSilence() bool {
	silent := s.silent
	s.silent = nil
	for _, to := range silent {
		s.Fail(to, "the connection was idle for too long")
	}
	return len(silent) > 0
}

func (s *Sender) post(to To, piece durable.Event, took func()) {
	s.Lanes.Post(to.Lane(), func() {
		wanted := false
		if s.Took(func() { wanted = s.World.Fetched(to.Slot, to.Fetch, piece) }) && wanted && took != nil {
			took()
		}
	})
}
