package servers

import (
	"encoding/json"
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
)

// fates are what becomes of a request that is not simply answered.
var fates = dice.Options{
	// It is refused, or never arrives: it has no effect.
	{"unsent", 2},
	{"sign in", 1},
	{"revoked", 3},
	{"busy", 2},
	{"mute", 1},
	{"redirect", 1},
	{"version", 2},
	{"header", 2},
	{"session ends", 4},
	{"changed", 3},
	{"unknown", 1},
	// It has its effect, and the answer is none, or a wrong one.
	{"broken", 2},
	{"lost", 3},
	{"silent", 1},
	{"cut", 3},
	{"short", 2},
	{"other id", 2},
	{"twice", 2},
	{"page", 1},
	{"large", 1},
	{"strange", 2},
	{"empty", 2},
	{"told", 3},
	// It is answered in another form.
	{"events", 8},
	{"endless", 4},
}

// refuses does what a server does that does not serve a request, and says whether it does that.
func (s *Server) refuses(q Request, fate string) bool {
	switch fate {
	case "unsent":
		s.Fail(q.To, "connection refused")
	case "sign in":
		s.plain(q, 401, "sign in")
	case "busy":
		s.plain(q, 503, "later")
	case "mute":
		s.Keep(q.To)
	case "redirect":
		s.Head(q.To, 307, map[string]string{"location": "https://elsewhere.test/"})
		s.End(q.To, nil)
	case "version", "header":
		if q.isLegacy() || !q.isCall() {
			return false
		}
		s.change(q) // what it offers is read anew before the call is made again
		code := map[string]int{"version": -32022, "header": -32020}[fate]
		s.again(q, 400, object{"code": code, "message": "no", "data": object{"supported": []string{"2026-07-28"}}})
	case "session ends":
		if !q.isLegacy() || q.Session == "" {
			return false
		}
		delete(s.sessions, q.Session)
		s.again(q, forgotten(q), nil)
	case "unknown":
		if !q.isCall() {
			return false
		}
		s.whole(q, failure(-32602, "there is no such tool"))
	case "changed":
		s.change(q)
		return false
	default:
		return false
	}
	return true
}

// forgotten is the status with which a server refuses a session that it does not know: that of the specification, or one
// that some servers have.
func forgotten(q Request) int {
	if draw(q.Session, 2) == 0 {
		return 404
	}
	return 400
}

// change has a server change its tools, if it is one that does.
func (s *Server) change(q Request) {
	if q.Server == contract.Bazaar {
		s.changes[q.Server]++
	}
}

// again refuses a request that the client makes again when it has asked the server anew.
func (s *Server) again(q Request, status int, words object) {
	if words == nil {
		s.piece(q, status, "text/plain", "gone", true, false)
		return
	}
	s.piece(q, status, "application/json", string(message(q.id, nil, words)), true, false)
}

// message is the message that answers a request.
func message(id json.RawMessage, result, failure object) []byte {
	m := object{"jsonrpc": "2.0", "id": id}
	if failure != nil {
		m["error"] = failure
	} else {
		m["result"] = result
	}
	body, err := json.Marshal(m)
	if err != nil {
		panic("servers: " + err.Error())
	}
	return body
}

// spoil answers a request that was served, or fails to.
func (s *Server) spoil(q Request, fate string, a answer, d dice.Dice) {
	body := string(message(q.id, a.result, a.failure))
	event := "event: message\ndata: " + body + "\n\n"
	if a.status == 202 { // some servers answer a notification as if it were a request
		if draw(q.Session, 2) == 0 {
			s.piece(q, 200, "application/json", "{}", false, false)
		} else {
			s.plain(q, 202, "")
		}
		return
	}
	switch fate {
	case "broken":
		s.plain(q, 500, "oh")
	case "lost":
		s.Fail(q.To, "connection reset")
	case "silent":
		s.Keep(q.To)
	case "cut":
		s.head(q, 200, "text/event-stream", "")
		s.Chunk(q.To, event[:d.Under(len(event)-1)], nil)
		s.Fail(q.To, "connection reset")
	case "short":
		s.piece(q, 200, "text/event-stream", ": nothing more\n\n", false, false)
	case "other id":
		s.piece(q, 200, "application/json", string(message(json.RawMessage(`"other"`), a.result, a.failure)), false, false)
	case "twice":
		s.piece(q, 200, "text/event-stream", event+event, false, false)
	case "page":
		s.piece(q, 200, "text/html", "<html>", false, false)
	case "large":
		s.piece(q, 200, "application/json", `{"jsonrpc":"2.0","x":"`+strings.Repeat("large ", 200_000), false, false)
	case "strange":
		s.piece(q, 200, "application/json", string(message(q.id, object{"resultType": "magic"}, nil)), false, false)
	case "empty":
		s.piece(q, 200, "application/json", string(message(q.id, object{"resultType": "complete"}, nil)), false, false)
	case "told":
		s.events(q, a, note(q)+event, true)
	case "events":
		s.events(q, a, note(q)+": alive\n\nevent: ping\ndata: ping\n\ndata: {\"type\":\"heartbeat\"}\n\n"+event, true)
	case "endless":
		s.events(q, a, event, false)
	default:
		s.whole(q, a)
	}
}

// note is what a server tells before its answer: a legacy one asks something.
func note(q Request) string {
	if q.isLegacy() && q.isCall() {
		return `data: {"jsonrpc":"2.0","id":"ask-1","method":"elicitation/create","params":{"mode":"form","message":"which?","requestedSchema":{"type":"object","properties":{"a":{"type":"string"}}}}}` + "\n\n"
	}
	return `data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"at work"}}` + "\n\n"
}

// whole answers with one message.
func (s *Server) whole(q Request, a answer) {
	q.Said = a.said
	s.head(q, a.status, "application/json", a.session)
	body := message(q.id, a.result, a.failure)
	half := len(body) / 2
	s.Chunk(q.To, string(body[:half]), nil)
	s.Chunk(q.To, string(body[half:]), nil)
	s.End(q.To, func() { s.Observer.Answered(q, a.again, a.over) })
}

// events answers with a stream, which may go on behind the answer.
func (s *Server) events(q Request, a answer, text string, ends bool) {
	q.Said = a.said
	s.head(q, a.status, "text/event-stream", a.session)
	s.Chunk(q.To, text[:len(text)/2], nil)
	s.Chunk(q.To, text[len(text)/2:], func() { s.Observer.Answered(q, a.again, a.over) })
	if ends {
		s.End(q.To, nil)
		return
	}
	s.Keep(q.To)
}

// plain answers with a status that is the answer.
func (s *Server) plain(q Request, status int, body string) {
	s.piece(q, status, "text/plain", body, false, false)
}

// piece answers with a body in one piece.
func (s *Server) piece(q Request, status int, kind, body string, again, over bool) {
	s.Whole(q.To, status, kind, body, func() { s.Observer.Answered(q, again, over) })
}

// challenge refuses a request whose token is not good for it. The client makes it again with another one.
func (s *Server) challenge(q Request, status int, scope string) {
	header := map[string]string{"content-type": "text/plain", "www-authenticate": contract.VaultChallenge(scope)}
	s.Head(q.To, status, header)
	s.End(q.To, func() { s.Observer.Answered(q, true, false) })
}

func (s *Server) head(q Request, status int, kind, session string) {
	header := map[string]string{"content-type": kind}
	if session != "" {
		header["mcp-session-id"] = session
	}
	s.Head(q.To, status, header)
}
