package message

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// Cut deletes the messages after one message and before a place. The messages that queued
// turns will answer are kept. Cut returns the place of the first one that is gone, and says
// whether there were any.
func Cut(tx *durable.Tx, behind string, before int64) (first int64, found bool) {
	rows := tx.SQL(`DELETE FROM message
		WHERE place > (SELECT place FROM message WHERE id = ?) AND place < ? AND id NOT IN (
			SELECT value FROM turn, json_each(turn.origin) WHERE turn.status = 'queued')
		RETURNING place`, behind, before)
	first = before
	for _, row := range rows {
		first = min(first, row.Int(0))
	}
	durable.Kept[recent](tx).forget(first)
	return first, len(rows) > 0
}

// OldestShown returns the place of the oldest message that clients are sent, and says whether there
// are any.
func OldestShown(tx *durable.Tx) (place int64, found bool) {
	place, budgets, _ := oldestWithin(tx, 0, 1<<53, Budget{}, shownBudget)
	return place, len(budgets) > 0
}

// DeleteExcept deletes the messages from a place on that are not in a list. Those that do not belong to
// the claims stay, and it says whether there are any.
func DeleteExcept(tx *durable.Tx, from int64, messages []protocol.Listed, by string) (kept bool) {
	durable.Kept[recent](tx).forget(from)
	listed := map[string]bool{}
	for _, m := range messages {
		listed[m.ID] = true
	}
	var gone []protocol.Listed
	for _, row := range tx.SQL(`SELECT id FROM message WHERE place >= ? AND json_valid(body)`, from) { // damaged messages are set aside when they are read
		if id := row.Text(0); !listed[id] {
			gone = append(gone, protocol.Listed{ID: id})
		}
	}
	others := foreign(tx, gone, by)
	gone = slices.DeleteFunc(gone, func(m protocol.Listed) bool { return others[m.ID] })
	for _, list := range idLists(gone) {
		tx.SQL(`DELETE FROM message WHERE id IN (SELECT value FROM json_each(?))`, list)
	}
	return len(others) > 0
}

// TakeBack deletes the messages that a turn would have answered, and returns their places. A
// message stays if it is the last of those that a later turn answers.
func TakeBack(tx *durable.Tx, turn int64) (places []int64) {
	for _, row := range tx.SQL(`DELETE FROM message WHERE id IN (SELECT value FROM turn, json_each(turn.origin) WHERE seq = ?)
		AND id NOT IN (SELECT json_extract(origin, '$[#-1]') FROM turn WHERE seq > ? AND origin <> '[]') RETURNING place`, turn, turn) {
		durable.Kept[recent](tx).forget(row.Int(0))
		places = append(places, row.Int(0))
	}
	return places
}

// Delete deletes one message.
func Delete(tx *durable.Tx, id string) {
	durable.Kept[recent](tx).forgetMessage(id)
	tx.SQL(`DELETE FROM message WHERE id = ?`, id)
}

// DeleteAll deletes every message.
func DeleteAll(tx *durable.Tx) {
	durable.Kept[recent](tx).forget(0)
	tx.SQL(`DELETE FROM message`)
}
