package chat

import (
	"encoding/json"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file is about messages that a person sends while another turn is active or queued. Only
// plain messages are concerned. An edit, a request for another answer, a submission, and everything
// queued between messages keep their places.

// Policy says how such messages are handled.
type Policy string

// The policies. A message that is skipped is marked by its metadata. The end of its request has the
// outcome skipped.
const (
	// Queue answers every message, one after the other. It is the default.
	Queue Policy = ""
	// Latest answers only the last message. The others stay in the conversation, and the model sees
	// them.
	Latest Policy = "latest"
	// Merge combines the messages into the last one, which is answered.
	Merge Policy = "merge"
	// Drop refuses the messages. They are removed from the page that sent them.
	Drop Policy = "drop"
	// Debounce is like Latest, but the last message is answered only when no other has come for 750
	// ms.
	Debounce Policy = "debounce"
)

var policies = []Policy{Queue, Latest, Merge, Drop, Debounce}

// debounceDelay is the delay of Debounce, in milliseconds.
const debounceDelay = 750

// quietUntil is when a plain message that comes now may begin, or 0.
func (o *Object) quietUntil(tx *durable.Tx) int64 {
	if o.agent.DuringTurn != Debounce {
		return 0
	}
	return tx.Now + debounceDelay
}

// isPlain says whether a request brings new messages and changes no older ones. If all messages are
// queued, the answer does not matter and is not looked up.
func (o *Object) isPlain(tx *durable.Tx, body protocol.ChatBody) bool {
	return o.agent.DuringTurn != Queue && !body.Regenerate && len(body.UserMessages) > 0 && !allKnown(body.List, knownMessages(tx, body.List))
}

// dropRequest refuses a message, and removes it from the page that shows it already.
func (o *Object) dropRequest(tx *durable.Tx, conn durable.ConnID, request string, body protocol.ChatBody) {
	var origin []string
	for _, m := range body.UserMessages {
		origin = append(origin, m.ID)
	}
	o.sendTranscript(tx, conn)
	send(tx, protocol.Response{ID: request, Done: true, Outcome: protocol.Skipped, MessageIDs: origin}.Encode(), conn)
}

// overtake returns the plain turns directly before a plain turn that the agent's policy skips in
// favour of that turn. All tabs are shown the messages before the turns are skipped.
func (o *Object) overtake(tx *durable.Tx, before []turn.Turn, t *turn.Turn) []turn.Turn {
	switch o.agent.DuringTurn {
	case Latest, Debounce:
		markSuperseded(tx, before, t)
	case Merge:
		if !merge(tx, before, t) {
			return nil
		}
	default:
		return nil
	}
	return before
}

// closeGap returns the turns that are skipped because a cancelled turn no longer separates them
// from a later turn.
func (o *Object) closeGap(tx *durable.Tx, cancelled turn.Turn) []turn.Turn {
	before := turn.PlainBefore(tx, cancelled.Seq)
	next, ok := turn.NextAfter(tx, cancelled.Seq)
	if !ok || !next.Plain || cancelled.Plain {
		return nil
	}
	gone := o.overtake(tx, before, &next)
	turn.SetOrigin(tx, next)
	return gone
}

// markSuperseded notes in the messages of skipped turns which later message is answered instead.
func markSuperseded(tx *durable.Tx, before []turn.Turn, by *turn.Turn) {
	last := by.Origin[len(by.Origin)-1]
	for _, id := range others(tx, before, last) {
		if m, ok := loadMessage(tx, id); ok {
			m.Metadata = withField(m.Metadata, "supersededBy", last)
			amendMessage(tx, m)
		}
	}
}

// skipTurns ends turns that have not begun.
func (o *Object) skipTurns(tx *durable.Tx, turns []turn.Turn) {
	for _, t := range turns {
		o.dequeue(tx, &t, turn.Skipped)
		o.sendEnd(tx, t, o.conns.all()...)
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
	all, ok := loadMessage(tx, last)
	if !ok {
		return false
	}
	ids := others(tx, append(before, *into), last)
	contained := mergedInto(all.Metadata)
	messages := make([]protocol.Message, len(ids))
	for i, id := range ids {
		messages[i], _ = loadMessage(tx, id)
		contained = append(contained, mergedInto(messages[i].Metadata)...)
	}
	var parts []json.RawMessage
	var merged []string
	for i, id := range ids {
		if slices.Contains(contained, id) { // a page that missed a clear has posted it again, as part of another message
			continue
		}
		parts = append(parts, messages[i].Parts...)
		merged = append(append(merged, mergedInto(messages[i].Metadata)...), id)
	}
	all.Parts = append(parts, all.Parts...)
	all.Metadata = withField(all.Metadata, fieldMerged, merged)
	if len(all.Encode()) > protocol.Limits.Message || len(all.Parts) > protocol.Limits.Parts {
		return false
	}
	amendMessage(tx, all)
	for _, id := range ids {
		tx.SQL(`DELETE FROM message WHERE id = ?`, id)
	}
	into.Origin = []string{last}
	return true
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
	have, after := knownMessages(tx, all), turn.PlaceBefore(tx, turns[0])
	for _, l := range all {
		if have[l.ID].place > after {
			ids = append(ids, l.ID)
		}
	}
	return ids
}

// fieldMerged is the metadata field that names the messages that were merged into a message.
const fieldMerged = "merged"

func mergedInto(metadata json.RawMessage) []string {
	var fields struct {
		Merged []string `json:"merged"`
	}
	_ = json.Unmarshal(metadata, &fields) // a client may have stored anything there
	return fields.Merged
}

// mergedLately maps the id of each merged message to the id of the message that holds it. It is for
// a page that does not know of the merge and posts such a message again.
func (o *Object) mergedLately(tx *durable.Tx, body protocol.ChatBody) map[string]string {
	if o.agent.DuringTurn != Merge || len(body.UserMessages) < 2 && !body.Regenerate {
		return nil
	}
	into := map[string]string{}
	for _, row := range tx.SQL(`SELECT id, CASE WHEN json_valid(body) THEN json_extract(body, '$.metadata') END FROM message WHERE role = ?
		ORDER BY place DESC LIMIT ?`, protocol.RoleUser, turn.MaxQueued) {
		for _, id := range mergedInto(row.JSON(1)) {
			into[id] = row.Text(0)
		}
	}
	return into
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
	if _, stored := loadMessage(tx, last.ID); stored {
		return body
	}
	m, ok := loadMessage(tx, merged[last.ID])
	if !ok {
		return body
	}
	*last, list[len(list)-1] = m, protocol.Listed{ID: m.ID, Role: m.Role}
	body.UserMessages, body.List = asked, list
	return body
}

// withoutMerged returns the user messages of a body, without messages that were merged into others
// or were taken back. The last message is always kept.
func withoutMerged(body protocol.ChatBody, merged map[string]string, have map[string]stored) []protocol.Message {
	if len(body.UserMessages) == 0 {
		return nil
	}
	before, last := body.UserMessages[:len(body.UserMessages)-1], body.UserMessages[len(body.UserMessages)-1]
	kept := slices.DeleteFunc(slices.Clone(before), func(m protocol.Message) bool {
		return merged[m.ID] != "" || m.ID == last.ID || takenBack(m.ID, have)
	})
	return append(kept, last)
}

// withField returns a message's metadata with one more field. Metadata that is no object is
// replaced.
func withField(metadata json.RawMessage, name string, value any) json.RawMessage {
	fields := map[string]json.RawMessage{}
	if json.Unmarshal(metadata, &fields) != nil || fields == nil {
		fields = map[string]json.RawMessage{}
	}
	fields[name] = encode(value)
	return encode(fields)
}
