package login

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
)

// visit is a person who has pressed a link.
type visit struct {
	// state and code are what the person comes back with, and cookie is what the browser keeps. They are ""
	// until the root has sent the person on.
	state, code, cookie string
	// sent is the request that is under way, or "", and purpose what it is for.
	sent    string
	purpose purpose
	// sentOnAt is when the root has sent the person on. back says that the person has come back, and again that
	// the browser has loaded that page once more while the world came to rest.
	sentOnAt    int64
	back, again bool
	// told says that the root was told of the request under way, and used that it has answered one with the
	// state.
	told, used bool
}

// purpose is what a person comes back for.
type purpose string

// What people do who were sent on: come back, come back without the browser that they have left with, say no,
// or are sent back by a stranger who has changed the state, or who is another authorization server. A request
// of press is that by which they left.
const (
	press    purpose = "press"
	goBack   purpose = "back"
	bare     purpose = "bare"
	deny     purpose = "deny"
	stranger purpose = "stranger"
	mixed    purpose = "mixed"
)

// Verbs are what people do who were sent on.
var Verbs = dice.Options{{string(goBack), 10}, {string(bare), 2}, {string(deny), 2}, {string(stranger), 3}, {string(mixed), 1}}

const (
	// host is that of the root, and redirect where people are sent back to.
	host     = "agents.test"
	redirect = "https://" + host + "/agents/mcp/callback"
	// foreign begins the codes that strangers bring.
	foreign = "foreign-"
	// linkTime is for how long a link that was pressed is good, in milliseconds.
	linkTime = 600_000
)

// Press has a person press a link.
func (s *Server) Press(link string) {
	if link == "" {
		return
	}
	v := &visit{}
	s.visits = append(s.visits, v)
	s.get(v, press, link, "")
}

// Visits are the people who were sent on and are away, and those who have come back.
func (s *Server) Visits() (away, back []int) {
	for i, v := range s.visits {
		switch {
		case v.state == "" || v.sent != "":
		case v.back:
			back = append(back, i)
		default:
			away = append(away, i)
		}
	}
	return away, back
}

// Do has a person who has pressed a link do something, if that is possible.
func (s *Server) Do(verb string, number int) {
	if number < 0 || number >= len(s.visits) {
		return
	}
	v := s.visits[number]
	if v.state == "" || v.sent != "" {
		return
	}
	q := url.Values{"state": {v.state}, "iss": {contract.LoginServer}, "code": {v.code}}
	cookie := v.cookie
	switch why := purpose(verb); why {
	case goBack:
		v.back = true
	case bare:
		cookie = ""
	case deny:
		v.back = true
		q.Del("code")
		q.Set("error", "access_denied")
	case stranger:
		q.Set("state", v.state[:len(v.state)-1]+map[bool]string{true: "A", false: "B"}[strings.HasSuffix(v.state, "B")])
		q.Set("code", foreign+strconv.Itoa(number))
	case mixed:
		v.back = true
		q.Set("iss", "https://elsewhere.test")
		q.Set("code", foreign+strconv.Itoa(number))
	default:
		return
	}
	s.get(v, purpose(verb), strings.TrimPrefix(redirect, "https://"+host)+"?"+q.Encode(), cookie)
}

// get sends a request of a browser to the root.
func (s *Server) get(v *visit, why purpose, target, cookie string) {
	v.sent, v.purpose, v.told = s.name("visit"), why, false
	header := map[string]string{"host": host}
	if cookie != "" {
		header["tributary-link"] = cookie
	}
	method := "GET"
	if why == press {
		method = "POST"
	}
	name := v.sent
	s.Lanes.Post(name+">", func() {
		v.told = true
		s.World.Tell(durable.RequestReceived{Request: name, Method: method, URL: target, Header: header})
	})
}

// Respond takes the answer to a request of a person.
func (s *Server) Respond(r durable.Respond) {
	for _, v := range s.visits {
		if v.sent != r.Request || v.sent == "" {
			continue
		}
		v.sent = ""
		if r.Status >= 500 && r.Status != 502 {
			return
		}
		s.judge(v, r)
	}
}

// judge checks an answer.
func (s *Server) judge(v *visit, r durable.Respond) {
	switch v.purpose {
	case press:
		if r.Status != 303 {
			return
		}
		pair, _, _ := strings.Cut(r.Header["set-cookie"], ";")
		_, v.cookie, _ = strings.Cut(pair, "=")
		v.code, v.state = s.authorize(r.Header["location"])
		v.sentOnAt = s.World.Now()
		if v.cookie == "" || strings.Contains(r.Header["location"], v.cookie) {
			s.Wrong("a person is sent on without a secret of the browser: " + fmt.Sprint(r.Header))
		}
	case bare, stranger:
		if r.Status != 403 {
			s.Wrong(fmt.Sprintf("a callback that is not good (%s) is answered with %d: %s", v.purpose, r.Status, r.Body))
		}
	default:
		switch {
		case v.used && r.Status != 403:
			s.Wrong(fmt.Sprintf("a state that was used before is answered with %d: %s", r.Status, r.Body))
		case v.purpose != goBack && r.Status == 200:
			s.Wrong(fmt.Sprintf("a callback without a code of the authorization server (%s) is answered with %s", v.purpose, r.Body))
		}
		v.used = true
	}
}

// Lose has all requests fail that the root was told of, except one.
func (s *Server) Lose(except string) {
	for _, v := range s.visits {
		if v.told && v.sent != except {
			v.sent = ""
		}
	}
}

// Crash has all requests fail, also those that are on their way.
func (s *Server) Crash() {
	for _, v := range s.visits {
		if v.sent != "" {
			s.Lanes.Drop(v.sent + ">")
			v.sent = ""
		}
	}
}

// Repeat has the browser of a person who has come back load that page again, in a world that comes to rest. It
// says whether one did.
func (s *Server) Repeat() bool {
	for i, v := range s.visits {
		if v.back && !v.again && v.sent == "" {
			v.again = true
			s.Do(string(goBack), i)
			return true
		}
	}
	return false
}

// GoOn has a person go on who was sent on, in a world that comes to rest, or has one press a link that is shown.
// It says whether one did.
func (s *Server) GoOn(link string) bool {
	for i, v := range s.visits {
		if v.sent != "" {
			return false
		}
		if v.state != "" && !v.back && s.World.Now() < v.sentOnAt+linkTime {
			s.Do(string(goBack), i)
			return true
		}
	}
	s.Press(link)
	return link != ""
}
