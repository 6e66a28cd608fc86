package sim

import (
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// This file holds what a tab that comes is told of what has happened before: of the failure that
// the conversation ends with, and of an answer that was interrupted.

// newcomers is what a tab that comes has to be told.
type newcomers struct {
	// interrupted says that somebody was told of an answer that was interrupted.
	interrupted bool
	// clearedUpTo is the last turn that there was when the conversation was cleared.
	clearedUpTo int64
}

// newcomersAreTold holds it for the tabs of the root.
func newcomersAreTold(s *Sim, h durabletest.HandledEvent) {
	if h.Slot != "" || h.Trap != nil {
		return
	}
	for _, send := range s.checks.sent {
		if f := send.frame; f.ProbeID != "" && s.checks.met[send.to[0]] == "" {
			s.tellsOfFailure(f)
		}
	}
	switch e := h.Event.(type) {
	case durable.SocketOpened:
		if s.checks.interrupted && s.greeted(e.Conn) && !s.hears(e.Conn, "cf_agent_chat_recovering") {
			s.fail("client", "%s comes after an interruption, and is not told whether that is over", e.Conn)
		}
	case durable.SocketMessage:
		// behind the end of its token, a socket clears nothing
		if s.checks.met[e.Conn] == "" && strings.Contains(e.Text, "cf_agent_chat_clear") && s.hears(e.Conn, "cf_agent_chat_messages") {
			s.checks.clearedUpTo = lastTurn(s.checks.turns).seq
		}
	}
	s.checks.interrupted = s.checks.interrupted || slices.ContainsFunc(s.checks.sent, func(f sent) bool {
		return f.frame.Type == "cf_agent_chat_recovering" && s.checks.met[f.to[0]] == ""
	})
}

// tellsOfFailure holds the answer to a probe against the turn that has begun last: the tab is
// offered its end if it has failed and was not cleared away since.
func (s *Sim) tellsOfFailure(f checkedFrame) {
	begun := lastTurn(slices.DeleteFunc(slices.Clone(s.checks.turns), func(t turnRow) bool { return !t.begun }))
	failed := begun.status == "error" && begun.seq > s.checks.clearedUpTo
	switch {
	case f.Type == "cf_agent_stream_resume_none" && failed:
		s.fail("client", "who comes after the failure of %s is told that there is nothing", begun.request)
	case f.Type == "cf_agent_stream_resuming" && final(begun.status) && (!failed || f.ID != begun.request):
		s.fail("client", "who comes is offered %s, which is over", f.ID)
	}
}

// lastTurn returns the last of some turns, or none.
func lastTurn(turns []turnRow) (last turnRow) {
	if n := len(turns); n > 0 {
		last = turns[n-1]
	}
	return last
}

// greeted says whether a socket at the root was let in.
func (s *Sim) greeted(conn durable.ConnID) bool {
	return s.checks.met[conn] == "" && s.hears(conn, "cf_agent_identity")
}

// hears says whether a socket is sent a frame of a type.
func (s *Sim) hears(conn durable.ConnID, kind string) bool {
	return slices.ContainsFunc(s.checks.sent, func(f sent) bool { return f.frame.Type == kind && slices.Contains(f.to, conn) })
}
