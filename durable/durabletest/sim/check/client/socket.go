package client

import (
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// FramesHaveReceivers checks I11: a frame is sent only to sockets that are open.
func (r *Rules) FramesHaveReceivers(e check.Event) {
	for _, c := range e.Commands {
		send, ok := c.(durable.Send)
		if !ok {
			continue
		}
		if len(send.To) == 0 {
			r.Fail("I11", "a frame is sent to no socket: %.80s", send.Text)
		}
		for _, conn := range send.To {
			if _, there := r.Sockets[conn]; !there {
				r.Fail("I11", "a frame is sent to %s, which is not open: %.80s", conn, send.Text)
			}
		}
	}
}

// StrangersReachNothing checks I12: a socket for a run that the root does not know is refused, and
// reaches no helper.
func (r *Rules) StrangersReachNothing(e check.Event) {
	opened, ok := e.Event.(durable.SocketOpened)
	if !ok || e.Trap != nil || r.TokenHasEnded(opened.Conn) {
		return
	}
	to := r.Sockets[opened.Conn]
	if to == "" {
		return
	}
	known := isKnown(e, to)
	refused, reached := false, false
	for _, c := range e.Commands {
		switch c := c.(type) {
		case durable.Close:
			refused = refused || c.Conn == opened.Conn && c.Code == 4404
		case durable.OpenStream:
			reached = reached || strings.HasSuffix(c.Stream, string(opened.Conn))
		}
	}
	if refused == known || reached != known {
		r.Fail("I12", "%s: known %v, refused %v, reached %v", to, known, refused, reached)
	}
}

// isKnown says whether the root knows the run that the path of a helper's page names.
func isKnown(e check.Event, path string) bool {
	words := strings.Split(path, "/")
	id := strings.ReplaceAll(words[3], "%2F", "/")
	return slices.ContainsFunc(e.Runs, func(run stored.Run) bool {
		return run.ID == id && stored.Kebab(run.Class) == words[2] && run.Slot > 0
	})
}

// PagesAreOfKnownRuns checks I12 for open sockets: a socket is closed in the event that forgets its
// run.
func (r *Rules) PagesAreOfKnownRuns(e check.Event) {
	if e.Slot != "" || e.Trap != nil {
		return
	}
	for _, conn := range e.Conns {
		if to := r.Sockets[conn]; to != "" && !isKnown(e, to) {
			r.Fail("I12", "%s stays open on %s, a run that the root has forgotten", conn, to)
		}
	}
}

// TokensEndSockets checks that after the end of its token a socket is sent nothing, and its
// messages have no effect.
func (r *Rules) TokensEndSockets(e check.Event) {
	if e.Slot != "" || e.Trap != nil {
		return
	}
	for _, c := range e.Commands {
		switch c := c.(type) {
		case durable.Close:
			if _, ends := r.TokenEnds[c.Conn]; ends && c.Code == check.Unauthorized {
				r.TokenEnds[c.Conn] = 0
			}
		case durable.Send:
			for _, conn := range c.To {
				if r.TokenHasEnded(conn) {
					r.Fail("token", "%s is sent a frame after the end of its token: %.80s", conn, c.Text)
				}
			}
		}
	}
	m, ok := e.Event.(durable.SocketMessage)
	if !ok || e.Opened || !r.TokenHasEnded(m.Conn) {
		return
	}
	for _, c := range e.Commands {
		switch c.(type) {
		case durable.Close, durable.SetAlarm, durable.CancelStream:
		default:
			r.Fail("token", "a message of %s after the end of its token has the effect %T", m.Conn, c)
		}
	}
}
