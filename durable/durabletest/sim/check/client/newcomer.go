package client

import (
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// NewcomersAreTold checks that a new socket of a root page is told of the failure that the
// conversation ends with, and whether an answer that was interrupted goes on.
func (r *Rules) NewcomersAreTold(e check.Event) {
	if e.Slot != "" || e.Trap != nil {
		return
	}
	for _, send := range e.Sent {
		f := send.Frame
		switch {
		case f.Type == "cf_agent_stream_pending":
			r.pending[f.ProbeID] = f.ID
		case f.Type == "cf_agent_use_chat_response" && f.Done && !f.Replay:
			for _, conn := range send.To {
				r.ended[conn] = f.ID
			}
		}
		if f.ProbeID != "" && r.onRoot(send.To[0]) {
			r.failureIsOffered(e, send.To[0], f)
		}
	}
	switch event := e.Event.(type) {
	case durable.SocketOpened:
		greeted := r.onRoot(event.Conn) && isSent(e, event.Conn, "cf_agent_identity")
		if r.interrupted && greeted && !isSent(e, event.Conn, "cf_agent_chat_recovering") {
			r.Fail("client", "%s connects after an interruption, and is not told whether the answer goes on", event.Conn)
		}
	case durable.SocketMessage:
		// after the end of its token, a socket clears nothing
		if r.onRoot(event.Conn) && strings.Contains(event.Text, "cf_agent_chat_clear") && isSent(e, event.Conn, "cf_agent_chat_messages") {
			r.clearedUpTo = lastTurn(e.Turns).Seq
		}
	}
	r.interrupted = r.interrupted || slices.ContainsFunc(e.Sent, func(s check.Sent) bool {
		return s.Frame.Type == "cf_agent_chat_recovering" && r.onRoot(s.To[0])
	})
}

// failureIsOffered checks that the answer to a probe offers the end of the last turn that has
// begun, if that turn has failed and was not cleared since. A page that has sent the request before its
// first probe was told to wait, and reads the end as that of its own request.
func (r *Rules) failureIsOffered(e check.Event, conn durable.ConnID, f check.Frame) {
	begun := lastTurn(slices.DeleteFunc(slices.Clone(e.Turns), func(t stored.Turn) bool { return !t.Begun }))
	failed := begun.Status == "error" && begun.Seq > r.clearedUpTo
	switch {
	case f.Type == "cf_agent_stream_resume_none" && failed && r.pending[f.ProbeID] == begun.Request && r.ended[conn] == begun.Request:
	case f.Type == "cf_agent_stream_resume_none" && failed:
		r.Fail("client", "after the failure of %s, a new socket is told that there is no stream", begun.Request)
	case f.Type == "cf_agent_stream_resuming" && stored.Final(begun.Status) && (!failed || f.ID != begun.Request):
		r.Fail("client", "a new socket is offered %s, which has ended", f.ID)
	}
}
