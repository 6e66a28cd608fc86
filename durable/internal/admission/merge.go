package admission

import (
	"encoding/json"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/internal/share"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// merge combines the messages of several turns and of a later turn into one. It is the last of all
// messages, with the parts of the others before its own. merge says whether they fit into one
// message. They do not if one belongs to claims other than those of the turns, for example because
// somebody asks for another answer to the message of somebody else: only its owner changes it.
func merge(tx *durable.Tx, before []turn.Turn, into *turn.Turn) bool {
	if len(before) == 0 {
		return false
	}
	last := into.Origin[len(into.Origin)-1]
	all, ok := message.Load(tx, last)
	if !ok {
		return false
	}
	ids := others(tx, append(before, *into), last)
	if !message.AreOf(tx, append(slices.Clone(ids), last), into.Claims) {
		return false
	}
	messages := make([]protocol.Message, len(ids))
	for i, id := range ids {
		messages[i], _ = message.Load(tx, id)
		messages[i].ID = id // a damaged message has none
	}
	all, ok = combine(messages, all)
	if !ok {
		return false
	}
	message.Amend(tx, all)
	for _, id := range ids {
		message.Delete(tx, id)
	}
	into.Origin = []string{last}
	return true
}

// combine returns a message with the parts of earlier messages before its own. It says whether they
// fit into one message.
func combine(earlier []protocol.Message, last protocol.Message) (protocol.Message, bool) {
	own := message.MergedInto(last.Metadata)
	contained := slices.Clone(own)
	for _, m := range earlier {
		contained = append(contained, message.MergedInto(m.Metadata)...)
	}
	var parts []json.RawMessage
	var merged []string
	for _, m := range earlier {
		if slices.Contains(contained, m.ID) { // a page that missed a clear has posted it again, as part of another message
			continue
		}
		parts = append(parts, m.Parts...)
		merged = append(append(merged, message.MergedInto(m.Metadata)...), m.ID)
	}
	last.Parts = append(parts, last.Parts...)
	last.Metadata = message.WithField(last.Metadata, message.FieldMerged, append(merged, own...))
	return last, len(last.Encode()) <= protocol.Limits.Message && len(last.Parts) <= protocol.Limits.Parts
}

// mergedLately maps the id of each merged message to the id of the message that holds it. It is for
// a page that does not know of the merge and posts such a message again.
func mergedLately(tx *durable.Tx, p turn.Policy, body protocol.ChatBody) map[string]string {
	if p != turn.Merge || len(body.UserMessages) < 2 && !body.Regenerate {
		return nil
	}
	return message.MergedAmong(tx, share.Turns.Most)
}

// askMerged returns the body of a request for a new answer, with the stored question. A page may
// name a message that was merged into another one. The other message has its text now. If the
// message were stored again, the text would be said twice.
func askMerged(tx *durable.Tx, body protocol.ChatBody, merged map[string]string) protocol.ChatBody {
	if !body.Regenerate || len(body.UserMessages) == 0 {
		return body
	}
	asked, list := slices.Clone(body.UserMessages), slices.Clone(body.List)
	last := &asked[len(asked)-1]
	if _, stored := message.Load(tx, last.ID); stored {
		return body
	}
	m, ok := message.Load(tx, merged[last.ID])
	if !ok {
		return body
	}
	*last, list[len(list)-1] = m, protocol.Listed{ID: m.ID, Role: m.Role}
	body.UserMessages, body.List = asked, list
	return body
}

// withoutMerged returns the user messages of a body, without messages that were merged into others
// or were taken back. The last message is always kept.
func withoutMerged(body protocol.ChatBody, merged map[string]string, have map[string]message.Head) []protocol.Message {
	if len(body.UserMessages) == 0 {
		return nil
	}
	before, last := body.UserMessages[:len(body.UserMessages)-1], body.UserMessages[len(body.UserMessages)-1]
	kept := slices.DeleteFunc(slices.Clone(before), func(m protocol.Message) bool {
		return merged[m.ID] != "" || m.ID == last.ID || takenBack(m.ID, have)
	})
	return append(kept, last)
}
