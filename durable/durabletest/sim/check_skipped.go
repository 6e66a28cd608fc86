package sim

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// This file holds what becomes of messages that are not answered, since they came during a turn:
// one that is dropped disappears from its page, and the words of one that is merged stay.

// skippedAreShown holds it for the end of each request that is skipped.
func skippedAreShown(s *Sim, h durabletest.HandledEvent) {
	m, isMessage := h.Event.(durable.SocketMessage)
	if s.methodCalls == nil || h.Slot != "" || h.Trap != nil || !isMessage {
		return
	}
	request := s.asks(m)
	for i, send := range s.checks.sent {
		f := send.frame
		if f.Outcome != "skipped" || f.Replay || strings.Contains(m.Text, "cf_agent_chat_clear") {
			continue
		}
		switch {
		case s.methodCalls.Policy == "drop" && f.ID == request && !transcriptBefore(s.checks.sent[:i], m.Conn):
			s.fail("policy", "%s is told that %s is dropped, and not which messages are left", m.Conn, f.ID)
		case s.methodCalls.Policy == "merge":
			s.keepsWords(h.Object, f)
		}
	}
}

// asks returns the request that a message is, or "", and notes what it says.
func (s *Sim) asks(m durable.SocketMessage) string {
	var f struct {
		Type, ID string
		Init     struct{ Body string }
	}
	if !strings.Contains(m.Text, "cf_agent_use_chat_request") || json.Unmarshal([]byte(m.Text), &f) != nil {
		return ""
	}
	var body struct {
		Messages []struct {
			ID, Role string
			Parts    []struct{ Text string }
		}
	}
	if s.methodCalls.Policy == "merge" && json.Unmarshal([]byte(f.Init.Body), &body) == nil {
		for _, m := range body.Messages {
			if m.Role == "user" && len(m.Parts) == 1 && s.checks.words[m.ID] == "" {
				s.checks.words[m.ID] = m.Parts[0].Text
			}
		}
	}
	return f.ID
}

// transcriptBefore says whether one of some frames is a transcript for a socket.
func transcriptBefore(all []sent, conn durable.ConnID) bool {
	return slices.ContainsFunc(all, func(f sent) bool { return f.frame.transcript != "" && slices.Contains(f.to, conn) })
}

// keepsWords is that the words of messages that were skipped stand in the conversation.
func (s *Sim) keepsWords(object string, f checkedFrame) {
	for _, id := range f.MessageIDs {
		if text := s.checks.words[id]; text != "" && len(s.rows(object, `SELECT 1 FROM message, json_each(body, '$.parts') AS part WHERE instr(part.value ->> 'text', ?)`, text)) == 0 {
			s.fail("policy", "%s is merged into a later message, and its words are gone: %s", id, text)
		}
	}
}
