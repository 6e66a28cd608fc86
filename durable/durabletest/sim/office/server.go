// Package office is the server of the office in a simulated world: requests of clerks and of
// actions have effects there. It fails in every way in which servers and networks do, and counts
// what has happened.
package office

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/lane"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/mode"
)

// Server serves the requests of one root and its helpers.
type Server struct {
	Config
	seed uint32
	// applied are the keys of the requests that have had their effect.
	applied map[string]bool
	// asked counts the requests with a key, or to a URL if they have none.
	asked map[string]int
	// silent are the requests that are not answered.
	silent []Request
}

// Config is what a server needs of its world.
type Config struct {
	World *durabletest.World
	Lanes *lane.Set
	Mode  *mode.Mode
	// Observer is told what happens to requests.
	Observer Observer
	// Took calls a function that delivers an event, and says whether the event was handled without
	// a trap.
	Took func(deliver func()) bool
}

// Request is a request to the office.
type Request struct {
	Slot, Object, Fetch, Method string
	// Path is what its address has behind the server's.
	Path, Key, Body string
}

// Observer is called with what happens to requests.
type Observer interface {
	// Requested is called with each request that an object makes.
	Requested(q Request)
	// Applied is called when a request has its effect.
	Applied(q Request)
	// Answered is called when an object has taken the complete answer to a request.
	Answered(q Request, status int)
}

// New returns the server of a seed.
func New(seed uint32, c Config) *Server {
	return &Server{Config: c, seed: seed, applied: map[string]bool{}, asked: map[string]int{}}
}

// Applied says whether a request with a key has had its effect.
func (s *Server) Applied(key string) bool { return s.applied[key] }

// kinds are what becomes of a request: it is answered, the answer is lost, it never arrives, or the
// server refuses it or does not answer.
var kinds = dice.Options{{"answer", 10}, {"lost", 2}, {"unsent", 1}, {"busy", 2}, {"broken", 1}, {"refused", 2}, {"silent", 1}, {"mute", 1}}

// laneOf is the lane of a request and of its answer. The lanes of requests to the model have the
// same form, so that they are lost together with the memory of their object.
func laneOf(q Request) string { return q.Slot + "/" + q.Fetch }

// Serve takes a request. It has its effect when it arrives, which is later.
func (s *Server) Serve(slot string, f durable.Fetch) {
	q := Request{
		Slot: slot, Object: s.World.Object(slot), Fetch: f.Fetch, Method: f.Method,
		Path: strings.TrimPrefix(f.URL, contract.OfficeServer), Key: contract.Key(f), Body: string(f.Body),
	}
	s.Observer.Requested(q)
	what := q.Method + " " + q.Path + " " + q.Key
	d := dice.New(s.seed, "office", what, strconv.Itoa(s.asked[what]))
	s.asked[what]++
	kind := "answer"
	if !s.Mode.Settling && d.Chance(2) {
		kind = d.Pick(kinds)
	}
	s.Lanes.Drop(laneOf(q))
	s.Lanes.Post(laneOf(q), func() { s.arrive(q, kind) })
}

// arrive makes a request arrive.
func (s *Server) arrive(q Request, kind string) {
	switch kind {
	case "unsent":
		s.fail(q, "connection refused")
	case "busy":
		s.answer(q, http.StatusTooManyRequests, "")
	case "broken":
		s.answer(q, http.StatusServiceUnavailable, "")
	case "refused":
		s.answer(q, http.StatusBadRequest, "")
	case "mute":
		s.silent = append(s.silent, q)
	case "lost":
		s.apply(q)
		s.fail(q, "connection reset")
	case "silent":
		s.apply(q)
		s.silent = append(s.silent, q)
	default:
		status, body := s.apply(q)
		s.answer(q, status, body)
	}
}

// apply does what a request asks for, and returns the answer. A request with a key that is known is
// answered as the first one was, and has no other effect. The server of bookings does not know keys.
func (s *Server) apply(q Request) (status int, body string) {
	if key, ok := strings.CutPrefix(q.Path, contract.SettlePath); ok {
		if !s.applied[key] {
			return http.StatusNotFound, ""
		}
		return http.StatusOK, contract.Receipt(key)
	}
	if !s.applied[q.Key] || strings.HasPrefix(q.Path, contract.BookPath) {
		s.applied[q.Key] = true
		s.Observer.Applied(q)
	}
	return http.StatusOK, contract.Receipt(q.Key)
}

func (s *Server) answer(q Request, status int, body string) {
	s.post(q, durable.FetchResponded{Fetch: q.Fetch, Status: status, Header: map[string]string{"content-type": "text/plain"}}, func() {})
	if body != "" {
		s.post(q, durable.FetchChunk{Fetch: q.Fetch, Data: []byte(body)}, func() {})
	}
	s.post(q, durable.FetchEnded{Fetch: q.Fetch}, func() { s.Observer.Answered(q, status) })
}

func (s *Server) fail(q Request, why string) {
	s.post(q, durable.FetchFailed{Fetch: q.Fetch, Error: why}, func() {})
}

// post sends a piece of an answer. took is called when the object has taken it.
func (s *Server) post(q Request, piece durable.Event, took func()) {
	s.Lanes.Post(laneOf(q), func() {
		wanted := false
		if s.Took(func() { wanted = s.World.Fetched(q.Slot, q.Fetch, piece) }) && wanted {
			took()
		}
	})
}

// EndSilence makes the requests fail that are not answered, and says whether there were any.
func (s *Server) EndSilence() bool {
	silent := s.silent
	s.silent = nil
	for _, q := range silent {
		s.fail(q, "the connection was idle for too long")
	}
	return len(silent) > 0
}
