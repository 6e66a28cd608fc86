package sim

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// This file is about tokens that end while the socket is open which was opened with them.

// unauthorized is the code with which a socket is closed whose token has ended.
const unauthorized = 4401

// token is what the front door adds to the address of a new socket. In a world that comes to rest tokens do not end.
func (s *Sim) token(conn durable.ConnID) string {
	if s.tokens == 0 || s.settling {
		return ""
	}
	until := s.world.Now() + s.tokens
	s.checks.until[conn] = until
	return fmt.Sprintf("&_until=%d", until)
}

// hasEnded says whether the token of a socket has ended. One that was closed for that is not heard again where the clock
// is set back.
func (s *Sim) hasEnded(conn durable.ConnID) bool {
	until, ends := s.checks.until[conn]
	return ends && until <= s.world.Now()
}

// tokensEndSockets is that behind the end of its token nobody is told anything over a socket, and nothing is done that
// comes over it.
func tokensEndSockets(s *Sim, h durabletest.HandledEvent) {
	if h.Slot != "" || h.Trap != nil {
		return
	}
	for _, c := range h.Commands {
		switch c := c.(type) {
		case durable.Close:
			if _, ends := s.checks.until[c.Conn]; ends && c.Code == unauthorized {
				s.checks.until[c.Conn] = 0
			}
		case durable.Send:
			for _, conn := range c.To {
				if s.hasEnded(conn) {
					s.fail("token", "%s is told something behind the end of its token: %.80s", conn, c.Text)
				}
			}
		}
	}
	e, ok := h.Event.(durable.SocketMessage)
	if !ok || h.Opened || !s.hasEnded(e.Conn) {
		return
	}
	for _, c := range h.Commands {
		switch c.(type) {
		case durable.Close, durable.SetAlarm, durable.CancelStream:
		default:
			s.fail("token", "%s says something behind the end of its token, and what comes of it is %T", e.Conn, c)
		}
	}
}

// everybodyIsBack is that every page is connected when a world rests, however its connections have ended.
func everybodyIsBack(s *Sim) {
	for _, t := range s.tabs {
		if t.path == "" && !t.connected() {
			s.fail("show", "tab %s does not connect again", t.name)
		}
	}
}
