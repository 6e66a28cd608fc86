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
// and how many of its messages were not stored before.
func TakeList(tx *durable.Tx, p turn.Policy, body protocol.ChatBody) (t turn.Turn, fresh int, err error) {
	merged := mergedLately(tx, p, body)
	l, err := readList(askMerged(tx, body, merged), merged, storedIn(tx))
	if err != nil {
		return turn.Turn{}, 0, err
	}
	t.Cut, t.Reply, t.Continues = l.cut, l.continued, l.continued != ""
	if !t.Continues {
		t.Reply = tx.NewID()
	}
	MakeTables(tx)
	t.Place = message.TakePlaces(tx, len(l.questions)+1)
	for i, q := range l.questions {
		if !q.stored {
			q.place = t.Place - int64(len(l.questions)-i)
		}
		if q.changed {
			message.Put(tx, q.place, q.Message)
		}
		t.Origin = append(t.Origin, q.ID)
	}
	return t, l.fresh, nil
}

// lookup returns which of some messages are stored.
type lookup func([]protocol.Listed) map[string]message.Head

func storedIn(tx *durable.Tx) lookup {
	return func(messages []protocol.Listed) map[string]message.Head { return message.Known(tx, messages) }
}

// list is what a client's list asks for.
type list struct {
	// cut is the message behind which everything is cut off, or "".
	cut string
	// continued is the answer that goes on, or "" if the turn has an answer of its own.
	continued string
	// questions are the messages to answer.
	questions []question
	// fresh counts the messages that were not stored before.
	fresh int
}

// question is a user's message that is answered. If it is stored already, it has a place. It is
// written if it is not stored, or may have changed.
type question struct {
	protocol.Message
	place           int64
	stored, changed bool
}

// readList reads a client's list. A client posts its whole list, which may be older than the stored
// conversation. So only the user messages at the end of the list are taken, and the other messages
// are only looked up by their ids. A list that is shorter than the stored conversation counts as a
// cut only if all its messages are known: it was cut by an edit or for another answer. merged maps
// the id of each merged message to the id of the message that holds it.
func readList(body protocol.ChatBody, merged map[string]string, known lookup) (l list, err error) {
	end := body.List[len(body.List)-max(len(body.UserMessages), 1):]
	have, last := known(end), end[len(end)-1]
	if !AllKnown(body.Before, known(body.Before)) {
		return list{}, fmt.Errorf("%d messages behind the last answer, at most %d can be new", len(body.Before)+len(body.UserMessages), protocol.Limits.Fresh)
	}
	for _, m := range body.UserMessages {
		if s, ok := have[m.ID]; ok && s.Role != protocol.RoleUser {
			return list{}, fmt.Errorf("message %q is not the user's", m.ID)
		}
		if err := message.CheckAttachments(m); err != nil {
			return list{}, err
		}
	}
	if AllKnown(end, have) && AllKnown(body.List, known(body.List)) {
		l.cut = last.ID
	}
	switch {
	case len(body.UserMessages) > 0, body.Regenerate && l.cut != "":
	case have[last.ID].Role == protocol.RoleAssistant:
		l.continued = last.ID
	default:
		return list{}, errors.New("the last message is neither the user's nor known")
	}
	asked := withoutMerged(body, merged, have)
	l.fresh = len(body.UserMessages) - len(asked) // merged messages count: they are shown where they no longer exist
	for i, m := range asked {
		s, ok := have[m.ID]
		if !ok {
			l.fresh++
		}
		changed := !ok || i == len(asked)-1 // only the last message can have been edited; the others may have been merged
		l.questions = append(l.questions, question{m, s.Place, ok, changed})
	}
	return l, nil
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
