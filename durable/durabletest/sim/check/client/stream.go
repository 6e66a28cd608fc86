package client

import (
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
)

// NobodyIsForgotten checks I5 for the sockets of root pages: each of them is sent every chunk,
// unless it was offered the stream and has not accepted it yet. Each probe is answered.
func (r *Rules) NobodyIsForgotten(e check.Event) {
	if e.Slot != "" || e.Trap != nil {
		return
	}
	if e.Opened {
		r.lives++
	}
	switch event := e.Event.(type) {
	case durable.SocketClosed:
		delete(r.offered, event.Conn)
	case durable.SocketMessage:
		f := r.Frame(event.Text)
		if slices.Contains(e.Conns, event.Conn) && r.onRoot(event.Conn) && f.Type == "cf_agent_stream_resume_request" {
			r.probeIsAnswered(e, event.Conn, f.ProbeID)
		}
	}
	for _, send := range e.Sent {
		switch f := send.Frame; {
		case f.Type == "cf_agent_stream_resuming":
			if conn := send.To[0]; r.onRoot(conn) { // otherwise it is the helper's stream
				r.offered[conn] = f.ID
			}
		case f.Type == "cf_agent_use_chat_response" && f.Seq != nil && !f.Replay && r.onRoot(send.To[0]):
			r.reachesAll(e, send.To, f)
		}
	}
	r.keepFollowers(e.Event)
}

// keepFollowers notes the sockets that are sent everything from now on. The frames of this event
// came before.
func (r *Rules) keepFollowers(e durable.Event) {
	switch e := e.(type) {
	case durable.SocketOpened:
		if r.onRoot(e.Conn) && r.offered[e.Conn] == "" {
			r.offered[e.Conn] = ""
		}
	case durable.SocketMessage:
		if f := r.Frame(e.Text); f.Type == "cf_agent_stream_resume_ack" && r.offered[e.Conn] == f.ID {
			r.offered[e.Conn] = ""
		}
	}
}

// probeIsAnswered checks that a probe is answered in the same event and once, with its name. An
// offer that was on its way to the socket answers it too.
func (r *Rules) probeIsAnswered(e check.Event, conn durable.ConnID, probe string) {
	key := string(conn) + " " + probe
	answered := slices.ContainsFunc(e.Sent, func(s check.Sent) bool { return s.Frame.ProbeID == probe && slices.Contains(s.To, conn) })
	switch life, again := r.probes[key]; {
	case again && answered && life == r.lives: // an object that has lost its memory does not know
		r.Fail("client", "the probe %s of %s is answered twice", probe, conn)
		return
	case again:
		return
	}
	r.probes[key] = r.lives
	if !answered && r.offered[conn] == "" {
		r.Fail("client", "the probe %s of %s is not answered", probe, conn)
	}
}

func (r *Rules) reachesAll(e check.Event, to []durable.ConnID, f check.Frame) {
	for _, conn := range e.Conns {
		offered, there := r.offered[conn]
		if there && offered != f.ID && !slices.Contains(to, conn) {
			r.Fail("I5", "number %d of %s is not sent to %s, which was offered %q", *f.Seq, f.ID, conn, offered)
		}
	}
}

// StreamsMakeSense checks that an object can read what another one sends over a link.
func (r *Rules) StreamsMakeSense(e check.Event) {
	data, ok := e.Event.(durable.StreamData)
	if !ok {
		return
	}
	for _, c := range e.Commands {
		switch c := c.(type) {
		case durable.Log:
			if c.Level == durable.Warn && strings.Contains(c.Message, "stream broke") {
				r.Fail("I5", "%s cannot be read: %v", data.Stream, c.Fields)
			}
		case durable.Close:
			if c.Code == 1011 {
				r.Fail("I5", "%s cannot be read: %s", data.Stream, c.Reason)
			}
		}
	}
}
