package chat

import (
	"encoding/json"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file is about messages that a person sends while a turn speaks or waits. Only plain
// ones are concerned: an edit, an answer that is to be given anew, a submission, and
// whatever is queued between messages keep their places.

// Policy says what becomes of them.
type Policy string

// The policies. A message that gives way is told so by the end of its request, with the
// outcome skipped, and by its metadata.
const (
	// Queue has every message answered, one after the other. It is the usual one.
	Queue Policy = ""
	// Latest has the last of them answered. The others stay in the conversation, where the
	// model finds them.
	Latest Policy = "latest"
	// Merge has them made into one message, the last, which is answered.
	Merge Policy = "merge"
	// Drop takes none of them: they are gone from the page that sent them.
	Drop Policy = "drop"
	// Debounce is like Latest, and the last begins only when nothing has come for a while,
	// 750 ms.
	Debounce Policy = "debounce"
)

var policies = []Policy{Queue, Latest, Merge, Drop, Debounce}

// quiet is how long that is, in milliseconds.
const quiet = 750

// quietUntil is when a plain message that comes now may begin, or 0.
func (h *Host) quietUntil(tx *durable.Tx) int64 {
	if h.agent.DuringTurn != Debounce {
		return 0
	}
	return tx.Now + quiet
}

// isPlain says whether a request brings new messages and changes nothing that was there.
// Where all messages are queued it does not matter, and is not looked up.
func (h *Host) isPlain(tx *durable.Tx, body protocol.ChatBody) bool {
	return h.agent.DuringTurn != Queue && !body.Regenerate && len(body.Asked) > 0 && !allKnown(body.List, known(tx, body.List))
}

// drop refuses a message and takes it back from the page that shows it already.
func (h *Host) drop(tx *durable.Tx, conn durable.ConnID, request string, body protocol.ChatBody) {
	var origin []string
	for _, m := range body.Asked {
		origin = append(origin, m.ID)
	}
	h.show(tx, conn)
	send(tx, protocol.Response{ID: request, Done: true, Outcome: protocol.Skipped, MessageIDs: origin}.Encode(), conn)
}

// giveWay returns those of the plain turns right before another plain one that make room for
// it, as the agent wants it. Everybody is shown the messages before those turns are skipped.
func (h *Host) giveWay(tx *durable.Tx, before []turn.Turn, t *turn.Turn) []turn.Turn {
	switch h.agent.DuringTurn {
	case Latest, Debounce:
		supersede(tx, before, t)
	case Merge:
		if !merge(tx, before, t) {
			return nil
		}
	default:
		return nil
	}
	return before
}

// closeGap returns the turns that make room for a later one because a turn between them was
// cancelled, which had kept them apart.
func (h *Host) closeGap(tx *durable.Tx, cancelled turn.Turn) []turn.Turn {
	before := turn.PlainBefore(tx, cancelled.Seq)
	next, ok := turn.NextAfter(tx, cancelled.Seq)
	if !ok || !next.Plain || cancelled.Plain {
		return nil
	}
	gone := h.giveWay(tx, before, &next)
	turn.SetOrigin(tx, next)
	return gone
}

// supersede notes at the messages of turns which later one is in their place.
func supersede(tx *durable.Tx, before []turn.Turn, by *turn.Turn) {
	last := by.Origin[len(by.Origin)-1]
	for _, id := range others(tx, before, last) {
		if m, ok := load(tx, id); ok {
			m.Metadata = withField(m.Metadata, "supersededBy", last)
			amendMessage(tx, m)
		}
	}
}

// skip ends turns that have not begun.
func (h *Host) skip(tx *durable.Tx, turns []turn.Turn) {
	for _, t := range turns {
		h.leave(tx, &t, turn.Skipped)
		h.announce(tx, t, h.roster.all()...)
	}
}

// merge makes one message of those that turns were to answer and those that a later one
// brings: the last of all, with the parts of the others before its own. It says whether
// they fit into one.
func merge(tx *durable.Tx, before []turn.Turn, into *turn.Turn) bool {
	last := into.Origin[len(into.Origin)-1]
	ids := others(tx, append(before, *into), last)
	all, ok := load(tx, last)
	if len(before) == 0 || !ok {
		return false
	}
	var parts []json.RawMessage
	var merged []string
	for _, id := range ids {
		m, _ := load(tx, id)
		parts = append(parts, m.Parts...)
		merged = append(append(merged, mergedInto(m.Metadata)...), id)
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

// others are the messages that turns answer, each once, but for one. A page that has not
// seen an answer posts the question before its own once more: what an earlier turn answers
// stays where it is.
func others(tx *durable.Tx, turns []turn.Turn, except string) []string {
	var all []protocol.Listed
	for _, t := range turns {
		for _, id := range t.Origin {
			if l := (protocol.Listed{ID: id}); id != except && !slices.Contains(all, l) {
				all = append(all, l)
			}
		}
	}
	var ids []string
	have := known(tx, all)
	for _, l := range all {
		if have[l.ID].place > turn.PlaceBefore(tx, turns[0]) {
			ids = append(ids, l.ID)
		}
	}
	return ids
}

// fieldMerged is the field of a message's metadata that names those which it is made of.
const fieldMerged = "merged"

func mergedInto(metadata json.RawMessage) []string {
	var fields struct {
		Merged []string `json:"merged"`
	}
	_ = json.Unmarshal(metadata, &fields) // a client may have put anything there
	return fields.Merged
}

// mergedLately returns, by its id, in which message each one is that was merged. It is for a
// page that has not heard of the merge and posts such a message once more.
func (h *Host) mergedLately(tx *durable.Tx, body protocol.ChatBody) map[string]string {
	if h.agent.DuringTurn != Merge || len(body.Asked) < 2 && !body.Regenerate {
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

// askMerged returns the body of a request for a new answer with the question that is stored. A
// page may name a message that was merged into another one: that one holds its text now, and
// the text would be said twice if the message were stored again.
func askMerged(tx *durable.Tx, body protocol.ChatBody, merged map[string]string) protocol.ChatBody {
	if !body.Regenerate || len(body.Asked) == 0 {
		return body
	}
	asked, list := slices.Clone(body.Asked), slices.Clone(body.List)
	last := &asked[len(asked)-1]
	if _, stored := load(tx, last.ID); stored {
		return body
	}
	m, ok := load(tx, merged[last.ID])
	if !ok {
		return body
	}
	*last, list[len(list)-1] = m, protocol.Listed{ID: m.ID, Role: m.Role}
	body.Asked, body.List = asked, list
	return body
}

// withoutMerged returns what a body asks, without messages that are part of others or were taken
// back, and the last of it in any case.
func withoutMerged(body protocol.ChatBody, merged map[string]string, have map[string]stored) []protocol.Message {
	if len(body.Asked) == 0 {
		return nil
	}
	before, last := body.Asked[:len(body.Asked)-1], body.Asked[len(body.Asked)-1]
	kept := slices.DeleteFunc(slices.Clone(before), func(m protocol.Message) bool {
		return merged[m.ID] != "" || m.ID == last.ID || takenBack(m.ID, have)
	})
	return append(kept, last)
}

// withField is a message's metadata with one more field. What is no object is replaced.
func withField(metadata json.RawMessage, name string, value any) json.RawMessage {
	fields := map[string]json.RawMessage{}
	if json.Unmarshal(metadata, &fields) != nil || fields == nil {
		fields = map[string]json.RawMessage{}
	}
	fields[name] = encode(value)
	return encode(fields)
}
