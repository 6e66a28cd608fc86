package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/model"
)

// This file is about the ids of tool calls. A call's run, its question to a person and its part in
// a browser's list are found by its id, over all turns and also where its message was replaced. A
// provider's id serves if it is new; some providers count from nought in each answer.

// maxCallID is the longest id of a provider that is taken, in bytes.
const maxCallID = 128

// callIDs are the ids that the calls of one answer have here, by the provider's, in the order in
// which they came: an answer may give two calls the same.
type callIDs map[string][]string

// rename gives the calls in deltas of one answer ids that no call of the conversation has had.
func (ids callIDs) rename(tx *durable.Tx, deltas []model.Delta) {
	for i, d := range deltas {
		switch d := d.(type) {
		case model.ToolCallStarted:
			deltas[i] = model.ToolCallStarted{ID: ids.add(tx, d.ID), Name: d.Name}
		case model.ToolCallDelta:
			deltas[i] = model.ToolCallDelta{ID: ids.last(tx, d.ID), Text: d.Text}
		case model.ToolCall:
			d.ID = ids.take(tx, d.ID)
			deltas[i] = d
		}
	}
}

func (ids callIDs) add(tx *durable.Tx, theirs string) string {
	own := newCallID(tx, theirs)
	ids[theirs] = append(ids[theirs], own)
	return own
}

func (ids callIDs) last(tx *durable.Tx, theirs string) string {
	if have := ids[theirs]; len(have) > 0 {
		return have[len(have)-1]
	}
	return ids.add(tx, theirs)
}

// take returns the id of the first call by a provider's id that is not complete yet.
func (ids callIDs) take(tx *durable.Tx, theirs string) string {
	if len(ids[theirs]) == 0 {
		ids.add(tx, theirs)
	}
	own := ids[theirs][0]
	ids[theirs] = ids[theirs][1:]
	return own
}

// newCallID returns a provider's id where it is new, and one of ours otherwise.
func newCallID(tx *durable.Tx, theirs string) string {
	if isID(theirs, maxCallID) && useCallID(tx, theirs) {
		return theirs
	}
	own := "call_" + tx.NewID()
	useCallID(tx, own)
	return own
}

// useCallID notes an id, and says whether it is new.
func useCallID(tx *durable.Tx, id string) bool {
	return len(tx.SQL(`INSERT INTO call_id (id) VALUES (?) ON CONFLICT (id) DO NOTHING RETURNING id`, id)) > 0
}

// forgetCallIDs forgets the ids of a conversation that was cleared, but for those of runs that
// are still kept.
func forgetCallIDs(tx *durable.Tx) {
	tx.SQL(`DELETE FROM call_id WHERE id NOT IN (SELECT id FROM run)`)
}
