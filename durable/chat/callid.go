package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
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
	return !o.agent.Helper && limit.IsID(id, protocol.Limits.ID) &&
		len(tx.SQL(`INSERT INTO call_id (id) SELECT ? WHERE NOT EXISTS (SELECT 1 FROM call_id WHERE id = '')
			ON CONFLICT (id) DO NOTHING RETURNING id`, id)) > 0
}

// closeCallIDs replaces the ids of a conversation that was cleared by the empty id, which stands for
// all of them: from then on, no id of a provider is used. A page that stays open knows the runs of
// the calls that it has seen, and would drop the events of a new run with the id of an old one.
func closeCallIDs(tx *durable.Tx) {
	tx.SQL(`INSERT INTO call_id (id) SELECT '' FROM call_id LIMIT 1 ON CONFLICT (id) DO NOTHING`)
	tx.SQL(`DELETE FROM call_id WHERE id <> ''`)
}
