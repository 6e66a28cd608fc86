// Package office is the server of the office in a simulated world: requests of clerks and of
// actions have effects there. It fails in every way in which servers and networks do, and counts
// what has happened.
package office

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/mode"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/reply"
)

// Server serves the requests of one root and its helpers.
type Server struct {
	Config
	seed uint32
	// applied are the keys of the requests that have had their effect.
	applied map[string]bool
	// asked counts the requests with a key, or to a URL if they have none.
	asked map[string]int
}

// Config is what a server needs of its world.
type Config struct {
	*reply.Sender
	Mode *mode.Mode
	// Observer is told what happens to requests.
	Observer Observer
}

// Request is a request to the office.
type Request struct {
	reply.To
	Object, Method string
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

// Serve takes a request. It has its effect when it arrives, which is later.
func (s *Server) Serve(slot string, f durable.Fetch) {
	q := Request{
		To: reply.To{Slot: slot, Fetch: f.Fetch}, Object: s.World.Object(slot), Method: f.Method,
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
	s.Lanes.Drop(q.Lane())
	s.Lanes.Post(q.Lane(), func() { s.arrive(q, kind) })
}

// arrive makes a request arrive.
func (s *Server) arrive(q Request, kind string) {
	switch kind {
	case "unsent":
		s.Fail(q.To, "connection refused")
	case "busy":
		s.answer(q, http.StatusTooManyRequests, "")
	case "broken":
		s.answer(q, http.StatusServiceUnavailable, "")
	case "refused":
		s.answer(q, http.StatusBadRequest, "")
	case "mute":
		s.Keep(q.To)
	case "lost":
		s.apply(q)
		s.Fail(q.To, "connection reset")
	case "silent":
		s.apply(q)
		s.Keep(q.To)
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
	s.Whole(q.To, status, "text/plain", body, func() { s.Observer.Answered(q, status) })
}
