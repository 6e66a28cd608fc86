package run

import "github.com/tributary-agents/tributary/durable"

// Keep says how many final runs are kept, and how long.
type Keep struct {
	// Runs is the number of final runs.
	Runs int
	// Age is the time since a run ended, in milliseconds.
	Age int64
}

// Expired returns the final runs that are beyond what is kept, oldest first. A run
// whose helper has still to be told of its cancellation is kept.
func Expired(tx *durable.Tx, keep Keep) []Run {
	return all(tx.SQL(`SELECT `+columns+` FROM run WHERE ended_at > 0 AND cancel_due = 0 AND (ended_at < ? OR seq NOT IN (
		SELECT seq FROM run WHERE ended_at > 0 ORDER BY seq DESC LIMIT ?)) ORDER BY seq`, tx.Now-keep.Age, keep.Runs))
}

// Delete forgets a final run and frees its slot, which it returns, or 0. The
// caller wipes the helper that lives there.
func Delete(tx *durable.Tx, r Run) int {
	if !r.Status.Final() {
		panic("run: " + r.ID + " is " + string(r.Status) + " and cannot be deleted")
	}
	tx.SQL(`DELETE FROM run WHERE seq = ?`, r.Seq)
	tx.SQL(`UPDATE slot SET run = NULL WHERE run = ?`, r.ID)
	return r.Slot
}
