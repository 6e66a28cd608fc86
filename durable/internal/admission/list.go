package admission

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/claims"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// Asked is what a client's list asks for: a turn, which is not queued yet. Fresh is how many messages
// of the list were not stored before. Edit is the new text of a stored message, or nil: it is kept with
// the turn until that begins, because the turns before it answer the text that they were asked with.
type Asked struct {
	turn.Turn
	Fresh int
	Edit  *protocol.Message
}

// TakeList stores what is new in a client's list. by are the client's claims, and busy says that other
// turns come before the one that the list asks for. Only claims that equal those of a message change it.
// A client can ask for another answer to the message of somebody else: the turn has only what both may.
func TakeList(tx *durable.Tx, p turn.Policy, body protocol.ChatBody, by string, busy bool) (t Asked, err error) {
	merged := mergedLately(tx, p, body)
	body = askMerged(tx, body, merged)
	l, err := readList(body, merged, storedIn(tx))
	if err == nil {
		err = l.checkOwners(tx, body.Regenerate, by)
	}
	if err != nil {
		return Asked{}, err
	}
	t.Claims, t.History, t.Fresh = l.claims, l.told, l.fresh
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
		switch {
		case !q.changed:
		case q.stored && busy:
			m := protocol.Compact(q.Message, protocol.Limits.Message)
			t.Edit = &m
		default:
			message.Put(tx, q.place, q.Message, by)
		}
		t.Origin = append(t.Origin, q.ID)
	}
	return t, nil
}

// checkOwners finds out for whom the turn works that a list asks for, and refuses a list that would
// change a message or an answer of other claims. Of the messages at the end of the list it leaves out those of others, except the
// last: they are not what this client asks.
func (l *list) checkOwners(tx *durable.Tx, regenerate bool, by string) error {
	l.claims = by
	if l.continued != "" {
		return l.checkContinued(tx, by)
	}
	var known []protocol.Listed
	for _, q := range l.questions {
		if q.stored {
			known = append(known, protocol.Listed{ID: q.ID})
		}
	}
	if len(known) == 0 {
		return nil
	}
	owners := message.Owners(tx, known)
	last := &l.questions[len(l.questions)-1]
	if last.stored {
		m, _ := message.Load(tx, last.ID)
		owner := owners[last.ID]
		switch {
		case claims.Equal(owner, by):
			last.changed = string(m.Encode()) != string(last.Encode())
		case !regenerate && !slices.EqualFunc(m.Parts, last.Parts, sameJSON):
			return fmt.Errorf("message %q belongs to somebody else, who alone can change it", last.ID)
		default:
			last.changed, l.claims = false, claims.Meet(by, owner)
		}
	}
	at := len(l.questions) - 1
	l.questions = append(slices.DeleteFunc(slices.Clone(l.questions[:at]), func(q question) bool {
		return q.stored && !claims.Equal(owners[q.ID], by)
	}), l.questions[at])
	return nil
}

func sameJSON(a, b json.RawMessage) bool { return string(a) == string(b) }

// checkContinued does the same for an answer that goes on. The model is told what it was told before.
func (l *list) checkContinued(tx *durable.Tx, by string) error {
	id := protocol.Listed{ID: l.continued}
	owner, stored := message.Owners(tx, []protocol.Listed{id})[id.ID]
	t, found := turn.OfReply(tx, id.ID)
	switch {
	case found:
		l.told = t.NextHistory()
	default:
		l.told = turn.Turn{Place: message.Known(tx, []protocol.Listed{id})[id.ID].Place}.NextHistory()
	}
	if !stored {
		owner = t.Claims
	}
	if !claims.Equal(owner, by) {
		return fmt.Errorf("the answer %q was given to somebody else, who alone can have it go on", id.ID)
	}
	return nil
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
	// claims are those that the turn works for, and told is what it is told.
	claims string
	told   turn.History
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
