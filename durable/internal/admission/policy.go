package admission

import (
	"encoding/json"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// DueTurn is the kind of the schedule's entry that begins a turn which waits.
const DueTurn = "turn"

// QuietUntil is when a plain message that comes now may begin, or 0.
func QuietUntil(tx *durable.Tx, p turn.Policy) int64 {
	if p != turn.Debounce {
		return 0
	}
	return tx.Now + turn.DebounceDelay
}

// IsPlain says whether a request brings new messages and changes no older ones. If all messages are
// queued, the answer does not matter and is not looked up.
func IsPlain(tx *durable.Tx, p turn.Policy, body protocol.ChatBody) bool {
	return isPlain(p, body, storedIn(tx))
}

func isPlain(p turn.Policy, body protocol.ChatBody, known lookup) bool {
	return p != turn.Queue && !body.Regenerate && len(body.UserMessages) > 0 && !AllKnown(body.List, known(body.List))
}

// Overtake returns the plain turns directly before a plain turn that the agent's policy skips in
// favour of that turn. All tabs are shown the messages before the turns are skipped.
func Overtake(tx *durable.Tx, p turn.Policy, before []turn.Turn, t *turn.Turn) []turn.Turn {
	switch p {
	case turn.Latest, turn.Debounce:
		markSuperseded(tx, before, t)
	case turn.Merge:
		if !merge(tx, before, t) {
			return nil
		}
	default:
		return nil
	}
	return before
}

// CloseGap returns the turns that are skipped because a cancelled turn no longer separates them
// from a later turn.
func CloseGap(tx *durable.Tx, p turn.Policy, cancelled turn.Turn) []turn.Turn {
	before := turn.PlainBefore(tx, cancelled.Seq)
	next, ok := turn.NextAfter(tx, cancelled.Seq)
	if !ok || !next.Plain || cancelled.Plain {
		return nil
	}
	gone := Overtake(tx, p, before, &next)
	turn.SetOrigin(tx, next)
	return gone
}

// markSuperseded notes in the messages of skipped turns which later message is answered instead.
func markSuperseded(tx *durable.Tx, before []turn.Turn, by *turn.Turn) {
	last := by.Origin[len(by.Origin)-1]
	for _, id := range others(tx, before, last) {
		if m, ok := message.Load(tx, id); ok {
			m.Metadata = message.WithField(m.Metadata, "supersededBy", last)
			message.Amend(tx, m)
		}
	}
}

// merge combines the messages of several turns and of a later turn into one. It is the last of all
// messages, with the parts of the others before its own. merge says whether they fit into one
// message.
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
	contained := message.MergedInto(last.Metadata)
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
	last.Metadata = message.WithField(last.Metadata, message.FieldMerged, merged)
	return last, len(last.Encode()) <= protocol.Limits.Message && len(last.Parts) <= protocol.Limits.Parts
}

// others are the messages that the turns answer, each once, except one. A page that has not seen an
// answer posts the earlier question again. A message that an earlier turn answers stays where it
// is.
func others(tx *durable.Tx, turns []turn.Turn, except string) []string {
	var all []protocol.Listed
	for _, t := range turns {
		for _, id := range t.Origin {
			if l := (protocol.Listed{ID: id}); id != except && !slices.Contains(all, l) {
				all = append(all, l)
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	var ids []string
	have, after := message.Known(tx, all), turn.PlaceBefore(tx, turns[0])
	for _, l := range all {
		if have[l.ID].Place > after {
			ids = append(ids, l.ID)
		}
	}
	return ids
}

// mergedLately maps the id of each merged message to the id of the message that holds it. It is for
// a page that does not know of the merge and posts such a message again.
func mergedLately(tx *durable.Tx, p turn.Policy, body protocol.ChatBody) map[string]string {
	if p != turn.Merge || len(body.UserMessages) < 2 && !body.Regenerate {
		return nil
	}
	return message.MergedAmong(tx, turn.MaxQueued)
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
