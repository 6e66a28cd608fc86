package message

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/claims"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file is about whose messages are. A message has the claims of the request that has brought it, or
// of the turn whose answer it is. One of a release before has none, as where nobody signs in: there
// everybody may change it, and nobody who signs in.

// Owners returns the claims that stored messages belong to, by their ids.
func Owners(tx *durable.Tx, messages []protocol.Listed) map[string]string {
	owners := map[string]string{}
	for _, list := range idLists(messages) {
		for _, row := range tx.SQL(`SELECT id, claims FROM message WHERE id IN (SELECT value FROM json_each(?))`, list) {
			owners[row.Text(0)] = row.Text(1)
		}
	}
	return owners
}

// foreign returns which of some stored messages do not belong to claims.
func foreign(tx *durable.Tx, messages []protocol.Listed, by string) map[string]bool {
	others := map[string]bool{}
	for id, owner := range Owners(tx, messages) {
		if !claims.Equal(owner, by) {
			others[id] = true
		}
	}
	return others
}

// AreOf says whether all of some stored messages belong to claims.
func AreOf(tx *durable.Tx, ids []string, by string) bool {
	var messages []protocol.Listed
	for _, id := range ids {
		messages = append(messages, protocol.Listed{ID: id})
	}
	return len(foreign(tx, messages, by)) == 0
}

// Owned returns those messages of a client's list that a client with claims may write: those that are not
// stored, and those that belong to the same claims. at are the places of messages in the list.
func Owned(tx *durable.Tx, list []protocol.Listed, at []int, by string) (owned []int) {
	var messages []protocol.Listed
	for _, i := range at {
		messages = append(messages, list[i])
	}
	others := foreign(tx, messages, by)
	for _, i := range at {
		if !others[list[i].ID] {
			owned = append(owned, i)
		}
	}
	return owned
}
