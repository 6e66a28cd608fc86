package client

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// SkippedAreShown checks that a message that is dropped disappears from its page, and that the
// words of a message that is merged into a later one stay.
func (r *Rules) SkippedAreShown(e check.Event) {
	defer r.noteShown(e)
	m, isMessage := e.Event.(durable.SocketMessage)
	if r.MethodCalls == nil || e.Slot != "" || e.Trap != nil || !isMessage {
		return
	}
	request := r.keepRequest(m)
	for i, send := range e.Sent {
		f := send.Frame
		if f.Outcome != "skipped" || f.Replay || strings.Contains(m.Text, "cf_agent_chat_clear") {
			continue
		}
		switch {
		case r.MethodCalls.Policy == "drop" && f.ID == request && !hasTranscript(e.Sent[:i], m.Conn) && !r.isShownLater(m.Conn):
			r.Fail("policy", "%s is told that %s is dropped, and is sent no transcript", m.Conn, f.ID)
		case r.MethodCalls.Policy == "merge":
			r.wordsStay(e, f)
		}
	}
}

// keepRequest returns the id of a chat request, or "", and notes the texts in it.
func (r *Rules) keepRequest(m durable.SocketMessage) string {
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
	if r.MethodCalls.Policy == "merge" && json.Unmarshal([]byte(f.Init.Body), &body) == nil {
		for _, m := range body.Messages {
			if m.Role == "user" && len(m.Parts) == 1 && r.words[m.ID] == "" {
				r.words[m.ID] = m.Parts[0].Text
			}
		}
	}
	return f.ID
}

// hasTranscript says whether a socket is sent a transcript.
// noteShown notes which sockets are sent a transcript or a changed message.
func (r *Rules) noteShown(e check.Event) {
	for _, s := range e.Sent {
		for _, conn := range s.To {
			if s.Frame.Transcript != "" || s.Frame.Type == "cf_agent_message_updated" {
				r.shownAt[conn] = r.World.Now()
			}
		}
	}
}

// isShownLater says whether a socket was sent a transcript or a changed message less than a second ago. It may be
// sent the next one when the second is over.
func (r *Rules) isShownLater(conn durable.ConnID) bool {
	at, shown := r.shownAt[conn]
	return shown && r.World.Now()-at <= 1_000
}

func hasTranscript(all []check.Sent, conn durable.ConnID) bool {
	return slices.ContainsFunc(all, func(s check.Sent) bool { return s.Frame.Transcript != "" && slices.Contains(s.To, conn) })
}

// wordsStay checks that the words of messages that were skipped are stored in the conversation. The
// message of a submission that was cancelled before it began is deleted with its words.
func (r *Rules) wordsStay(e check.Event, f check.Frame) {
	for _, id := range f.MessageIDs {
		text := r.words[id]
		if text == "" || isWithdrawn(e.Turns, text) {
			continue
		}
		if len(r.Rows(e.Object, `SELECT 1 FROM message, json_each(body, '$.parts') AS part WHERE instr(part.value ->> 'text', ?)`, text)) == 0 {
			r.Fail("policy", "%s is merged into a later message, and its words are gone: %s", id, text)
		}
	}
}

// isWithdrawn says whether a text is that of a submission that ended before it began.
func isWithdrawn(turns []stored.Turn, text string) bool {
	return slices.ContainsFunc(turns, func(t stored.Turn) bool {
		return t.Submission != "" && t.Asked == text && !t.Begun && stored.Final(t.Status)
	})
}
