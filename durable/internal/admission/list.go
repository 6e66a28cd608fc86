package admission

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// TakeList stores what is new in a client's list. It returns the turn that the list asks for,
// and how many of its messages were not stored before. A client posts its whole list, which may be
// older than the stored conversation. So only the user messages at the end of the list are taken,
// and the other messages are only looked up by their ids. A list that is shorter than the stored
// conversation counts as a cut only if all its messages are known: it was cut by an edit or for
// another answer.
func TakeList(tx *durable.Tx, p turn.Policy, body protocol.ChatBody) (t turn.Turn, fresh int, err error) {
	merged := mergedLately(tx, p, body)
	body = askMerged(tx, body, merged)
	end := body.List[len(body.List)-max(len(body.UserMessages), 1):]
	have := message.Known(tx, end)
	last := end[len(end)-1]
	if !AllKnown(body.Before, message.Known(tx, body.Before)) {
		return turn.Turn{}, 0, fmt.Errorf("%d messages behind the last answer, at most %d can be new", len(body.Before)+len(body.UserMessages), protocol.Limits.Fresh)
	}
	for _, m := range body.UserMessages {
		if s, ok := have[m.ID]; ok && s.Role != protocol.RoleUser {
			return turn.Turn{}, 0, fmt.Errorf("message %q is not the user's", m.ID)
		}
		if err := message.CheckAttachments(m); err != nil {
			return turn.Turn{}, 0, err
		}
	}
	if AllKnown(end, have) && AllKnown(body.List, message.Known(tx, body.List)) {
		t.Cut = last.ID
	}
	switch {
	case len(body.UserMessages) > 0:
		t.Reply = tx.NewID()
	case body.Regenerate && t.Cut != "":
		t.Reply = tx.NewID()
	case have[last.ID].Role == protocol.RoleAssistant:
		t.Reply, t.Continues = last.ID, true
	default:
		return turn.Turn{}, 0, errors.New("the last message is neither the user's nor known")
	}
	asked := withoutMerged(body, merged, have)
	fresh = len(body.UserMessages) - len(asked) // merged messages count: they are shown where they no longer exist
	t.Place = message.TakePlaces(tx, len(asked)+1)
	for i, m := range asked {
		place := t.Place - int64(len(asked)-i)
		s, ok := have[m.ID]
		if ok {
			place = s.Place
		} else {
			fresh++
		}
		if !ok || i == len(asked)-1 { // only the last message can have been edited; the others may have been merged
			message.Put(tx, place, m)
		}
		t.Origin = append(t.Origin, m.ID)
	}
	return t, fresh, nil
}

// AllKnown says whether all messages of a list are among the known ones.
func AllKnown(messages []protocol.Listed, have map[string]message.Head) bool {
	for _, m := range messages {
		if _, ok := have[m.ID]; !ok {
			return false
		}
	}
	return true
}

// DecodeMessages decodes the messages of a client's list that are to be written. at are their
// places in the list.
func DecodeMessages(f protocol.PushMessages, at []int) ([]protocol.Message, error) {
	if most := protocol.Limits.Fresh; len(at) > most {
		return nil, fmt.Errorf("more than %d messages are new or changed, which is as many as can be at once", most)
	}
	messages := make([]protocol.Message, len(at))
	for n, i := range at {
		m, err := f.Message(i)
		if err == nil {
			err = message.CheckAttachments(m)
		}
		if err != nil {
			return nil, err
		}
		messages[n] = m
	}
	return messages, nil
}

// ParseRequest reads the body of a client's request for a turn.
func ParseRequest(f protocol.ChatRequest) (protocol.ChatBody, error) {
	if f.Method != "POST" {
		return protocol.ChatBody{}, fmt.Errorf("method %.20q, want POST", f.Method)
	}
	return protocol.ParseChatBody(f.Body)
}

// NoticeID is the prefix of the ids of messages that code has put into the chat.
const NoticeID = "notice-"

// takenBack says whether a message was put into the chat by code and is no longer there. A page
// that does not know of the removal posts the message once more, in front of its own.
func takenBack(id string, have map[string]message.Head) bool {
	_, isKnown := have[id]
	return !isKnown && strings.HasPrefix(id, NoticeID)
}
