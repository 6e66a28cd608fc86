// Package servers is the servers of the Model Context Protocol in a simulated world. They count the
// effects of what they are asked, and fail in every way in which servers and networks do.
package servers

import (
	"slices"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/mode"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/reply"
)

// Server is all servers that one root and its helpers use.
type Server struct {
	Config
	seed uint32
	// asked counts the requests by their keys.
	asked map[string]int
	// sessions are those that go on, made counts what was given a name, and changes how often a server
	// has changed its tools.
	sessions map[string]bool
	made     int
	changes  map[string]int
	// rounds are the questions that wait for answers, by the state that was given with them.
	rounds map[string]*round
	tasks  map[string]*task
	// streams are those of the legacy server, by their names.
	streams map[string]*stream
	// coming are the requests on their way, by lane.
	coming map[string]Request
}

// Config is what the servers need of their world.
type Config struct {
	*reply.Sender
	Mode *mode.Mode
	// Observer is told what happens to requests.
	Observer Observer
	// Login says what tokens for [contract.Vault] are good for.
	Login Login
}

// Login is the authorization server of [contract.Vault].
type Login interface {
	// Scopes returns what the token in a header is good for. ok is false if it is good no more.
	Scopes(header string) (scopes []string, ok bool)
	// Revoke makes the token in a header useless.
	Revoke(header string, d dice.Dice)
}

// Observer is called with what happens to requests.
type Observer interface {
	// Requested is called with each request that an object makes.
	Requested(q Request)
	// Applied is called when a request has its effect.
	Applied(q Request)
	// Answered is called when an object has taken the complete answer to a request. again says that the
	// answer has the client make the request again. over says that it is the end of a task.
	Answered(q Request, again, over bool)
	// Wrong is called with what a client does that it must not do.
	Wrong(words string)
}

// New returns the servers of a seed.
func New(seed uint32, c Config) *Server {
	return &Server{Config: c, seed: seed, asked: map[string]int{}, sessions: map[string]bool{}, changes: map[string]int{}, rounds: map[string]*round{}, tasks: map[string]*task{}, coming: map[string]Request{}, streams: map[string]*stream{}}
}

// Serve takes a request to a server. It has its effect when it arrives, which is later.
func (s *Server) Serve(slot, server string, f durable.Fetch) {
	q, err := read(slot, server, f)
	if err != nil {
		s.Observer.Wrong("a request to " + server + " is no JSON: " + err.Error())
		return
	}
	s.Observer.Requested(q)
	d := dice.New(s.seed, "servers", q.Key(), strconv.Itoa(s.asked[q.Key()]))
	s.asked[q.Key()]++
	fate := "answer"
	if !s.Mode.Settling && d.Chance(3) {
		fate = d.Pick(fates)
	}
	s.comeLate(q)
	s.Lanes.Drop(q.Lane())
	s.coming[q.Lane()] = q
	s.Lanes.Post(q.Lane(), func() {
		delete(s.coming, q.Lane())
		s.arrive(q, fate, d)
	})
}

// comeLate has a request arrive that is on its way as another one with its name is made, and that nobody waits
// for any more.
func (s *Server) comeLate(q Request) {
	if late, ok := s.coming[q.Lane()]; ok && s.Lanes.Waits(q.Lane()) && late.isCall() && !late.streams() && (!late.isLegacy() || s.isInSession(late)) && late.Token == contract.ServerToken(late.Server) {
		s.apply(late)
	}
}

// arrive makes a request arrive.
func (s *Server) arrive(q Request, fate string, d dice.Dice) {
	switch {
	case q.Server == contract.Vault && s.keepsOut(q, fate, d):
	case q.Server != contract.Vault && q.Token != contract.ServerToken(q.Server):
		s.Observer.Wrong("a request to " + q.Server + " has the token " + q.Token)
	case q.Method == "": // a legacy client answers what it was asked
		s.hear(q)
	case q.Method == listening && q.Event != "":
		s.resume(q)
	case q.Method == listening:
		s.plain(q, 405, "")
	case s.refuses(q, fate):
	case q.isLegacy() && !s.isInSession(q):
		s.legacyRefusal(q)
	case q.streams():
		s.open(q, d)
	default:
		s.spoil(q, fate, s.apply(q), d)
	}
}

// keepsOut refuses a request to the vault whose token is not good for it, and says whether it does that.
func (s *Server) keepsOut(q Request, fate string, d dice.Dice) bool {
	if fate == "revoked" {
		s.Login.Revoke(q.Token, d)
	}
	scopes, ok := s.Login.Scopes(q.Token)
	switch {
	case !ok:
		s.challenge(q, 401, contract.ReadScope)
	case q.Tool == contract.NoteDown && !slices.Contains(scopes, contract.WriteScope):
		s.challenge(q, 403, contract.WriteScope)
	default:
		return false
	}
	return true
}

// isInSession says whether a request to a legacy server may be served.
func (s *Server) isInSession(q Request) bool {
	return q.Method == "initialize" || s.sessions[q.Session]
}

// legacyRefusal refuses a request without a session, or one that the server does not know.
func (s *Server) legacyRefusal(q Request) {
	if q.Session != "" {
		s.again(q, forgotten(q), nil)
		return
	}
	s.plain(q, 400, "what")
}

// name returns a new name.
func (s *Server) name(of string) string {
	s.made++
	return of + "-" + strconv.Itoa(s.made)
}
