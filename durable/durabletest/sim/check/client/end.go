package client

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
)

// EndsComeLast checks the order that clients need: the transcript with an answer comes before the
// answer's end, since a later transcript would remove what a person types after the end. A socket
// that is sent no transcript is told the answer's message, which may come behind the end. A
// transcript may come behind the end in four cases:
//
//   - Another stream has begun. The transcript belongs to that stream, in the same event or in a
//     later one.
//   - The transcript has a message more than the last one of the event. Code has put that message
//     into the chat, to be answered later.
//   - A person has withdrawn a submission in this event, and the transcript lacks its message. The
//     object was opened by that event, and the answer ended first.
//   - A person has stopped the answer in this event. The object was opened by that event, and the
//     answer ended first, because it asks a person.
//
// The frames of a helper in several events reach its page in one event of the parent. So a
// transcript behind the end is a failure only at root pages, which the object speaks to itself.
func (r *Rules) EndsComeLast(e check.Event) {
	shown, wiped, idle := map[durable.ConnID]bool{}, map[durable.ConnID]bool{}, map[durable.ConnID]bool{}
	ended, last := map[durable.ConnID]string{}, map[durable.ConnID]check.Frame{}
	frame := frameOf(e)
	withdrawn, stopped := frame.Method == "cancelSubmission", frame.Type == "cf_agent_chat_request_cancel"
	for _, send := range e.Sent {
		f := send.Frame
		for _, conn := range send.To {
			switch {
			case f.Type == "cf_agent_chat_messages" && len(messageIDs(f)) == 0:
				shown[conn], wiped[conn], last[conn] = true, false, f
			case f.Type == "cf_agent_chat_messages":
				shown[conn], wiped[conn] = true, idle[conn] && !stopped && (wiped[conn] || !showsMore(f, last[conn]) && !(withdrawn && showsMore(last[conn], f)))
				last[conn] = f
			case f.Type == "cf_agent_message_updated" && ended[conn] != "":
				shown[conn] = true
			case f.Type != "cf_agent_use_chat_response" || f.Replay:
			case f.Done && f.Outcome == "completed":
				ended[conn], wiped[conn], idle[conn] = f.ID, false, true
			case f.Seq != nil:
				wiped[conn], idle[conn] = false, false
			}
		}
	}
	for _, conn := range slices.Sorted(maps.Keys(wiped)) {
		if wiped[conn] && r.onRoot(conn) {
			r.Fail("client", "%s is sent a transcript behind the end of an answer", conn)
		}
	}
	for _, conn := range slices.Sorted(maps.Keys(ended)) {
		if !shown[conn] && !r.isShownLater(conn) {
			r.Fail("client", "%s is sent the end of %s and not its message", conn, ended[conn])
		}
	}
}

// received is what rules look at of a frame that a client sends.
type received struct{ Type, ID, Method string }

// frameOf returns the frame of an event, if it is one.
func frameOf(e check.Event) (f received) {
	if m, ok := e.Event.(durable.SocketMessage); ok {
		_ = json.Unmarshal([]byte(m.Text), &f) // clients also send what is no JSON
	}
	return f
}

// showsMore says whether a transcript has a message that an earlier one does not have, if there is
// one.
func showsMore(transcript, before check.Frame) bool {
	had := messageIDs(before)
	return len(had) > 0 && slices.ContainsFunc(messageIDs(transcript), func(id string) bool { return !slices.Contains(had, id) })
}

// messageIDs returns the ids of the messages of a transcript.
func messageIDs(transcript check.Frame) (ids []string) {
	var list struct{ Messages []struct{ ID string } }
	_ = json.Unmarshal([]byte(transcript.Transcript), &list) // "" for a frame that is no transcript
	for _, m := range list.Messages {
		ids = append(ids, m.ID)
	}
	return ids
}
