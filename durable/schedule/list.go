package schedule

import "github.com/tributary-agents/tributary/durable"

// Find returns a schedule by its id.
func Find(tx *durable.Tx, id string) (Entry, bool) {
	return one(tx.SQL(`SELECT `+columns+` FROM callback WHERE id = ?`, id))
}

// List returns all schedules without their payloads: first the waiting ones in the order of their
// times, then the failed ones, the latest first.
func List(tx *durable.Tx) []Entry {
	var list []Entry
	for _, row := range tx.SQL(`SELECT ` + brief + ` FROM callback ORDER BY state = 'failed', CASE state WHEN 'failed' THEN -due ELSE due END, seq`) {
		list = append(list, scan(row))
	}
	return list
}

// Next returns when the next attempt is due, or 0 if nothing waits. A damaged entry does not count,
// because nothing would ever remove it.
func Next(tx *durable.Tx) int64 {
	return tx.Number(`SELECT MIN(due) FROM callback WHERE state IN (?, ?)`, string(Waits), string(Claimed))
}

// Cancel deletes a schedule, and says whether there was one.
func Cancel(tx *durable.Tx, id string) bool {
	return len(tx.SQL(`DELETE FROM callback WHERE id = ? RETURNING seq`, id)) > 0
}

// CancelAll deletes every schedule.
func CancelAll(tx *durable.Tx) { tx.SQL(`DELETE FROM callback`) }
