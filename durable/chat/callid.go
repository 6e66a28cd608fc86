package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file is about the ids of tool calls. An id finds the call's run, its question to a person
// and its part in a browser's list. It must be unique over all turns, also after its message was
// replaced. A provider's id is used if it is new: some providers count from zero in each answer. A
// helper never uses a provider's id, because a person answers the calls of all helpers at the root,
// by id alone.

// takeCallID records a provider's id, and says whether it can be used: no other call of the
// conversation has had it.
func (o *Object) takeCallID(tx *durable.Tx, id string) bool {
	return !o.agent.Helper && isID(id, protocol.Limits.ID) &&
		len(tx.SQL(`INSERT INTO call_id (id) VALUES (?) ON CONFLICT (id) DO NOTHING RETURNING id`, id)) > 0
}

// forgetCallIDs deletes the ids of a conversation that was cleared, except those of runs that are
// still kept.
func forgetCallIDs(tx *durable.Tx) {
	tx.SQL(`DELETE FROM call_id WHERE id NOT IN (SELECT id FROM run)`)
}
