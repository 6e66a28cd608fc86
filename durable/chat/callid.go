package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file is about the ids of tool calls. A call's run, its question to a person and its part in
// a browser's list are found by its id, over all turns and also where its message was replaced. A
// provider's id serves if it is new; some providers count from nought in each answer. In a helper no
// provider's id serves: a person answers the calls of all helpers at the root, by their ids alone.

// takeCallID notes a provider's id, and says whether it can serve: no call of the conversation has
// had it.
func (h *Host) takeCallID(tx *durable.Tx, id string) bool {
	return !h.agent.Helper && isID(id, protocol.Limits.ID) &&
		len(tx.SQL(`INSERT INTO call_id (id) VALUES (?) ON CONFLICT (id) DO NOTHING RETURNING id`, id)) > 0
}

// forgetCallIDs forgets the ids of a conversation that was cleared, but for those of runs that
// are still kept.
func forgetCallIDs(tx *durable.Tx) {
	tx.SQL(`DELETE FROM call_id WHERE id NOT IN (SELECT id FROM run)`)
}
