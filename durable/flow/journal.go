package flow

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable"
)

// Schema is the journal's table. A row is one await of one routine.
var Schema = durable.Schema{Room: "flow", Steps: []string{
	`CREATE TABLE await (
		routine TEXT NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL,
		done INTEGER NOT NULL DEFAULT 0, result BLOB, failure TEXT NOT NULL DEFAULT '',
		PRIMARY KEY (routine, position)) WITHOUT ROWID`,
}}

// Key names one await: the routine and the position in it. Whoever brings the
// result keeps it in a row of its own.
type Key struct {
	Routine  string
	Position int
}

// entry is one await as the journal holds it.
type entry struct {
	name    string
	done    bool
	result  []byte
	failure string
}

func read(tx *durable.Tx, routine string) []entry {
	var entries []entry
	for _, row := range tx.SQL(`SELECT position, name, done, result, failure FROM await WHERE routine = ? ORDER BY position`, routine) {
		if row.Int(0) != int64(len(entries)) {
			break // damaged: what is behind the gap is asked again
		}
		entries = append(entries, entry{name: row.Text(1), done: row.Bool(2), result: row.Blob(3), failure: row.Text(4)})
	}
	return entries
}

func begun(tx *durable.Tx, key Key, name string) {
	tx.SQL(`INSERT OR REPLACE INTO await (routine, position, name) VALUES (?, ?, ?)`, key.Routine, key.Position, name)
}

// Complete journals what an await has brought: a result, or a failure in words. It
// says whether the await was there and open; a second completion changes nothing.
// The routine goes on at [Routine.Resume].
func Complete(tx *durable.Tx, key Key, result []byte, failure string) bool {
	if result == nil {
		result = []byte{}
	}
	return len(tx.SQL(`UPDATE await SET done = 1, result = ?, failure = ? WHERE routine = ? AND position = ? AND done = 0
		RETURNING position`, result, failure, key.Routine, key.Position)) > 0
}

// Forget deletes a routine's journal and wakes its sleeps no more.
func Forget(tx *durable.Tx, routine string) {
	if len(tx.SQL(`DELETE FROM await WHERE routine = ? RETURNING position`, routine)) > 0 {
		tx.UnscheduleAll(DueSleep, routine+"#")
	}
}

// DivergedError says that code which was run again asked something else than it
// had asked before: it depends on something that is not journaled.
type DivergedError struct {
	Key        Key
	Was, Asked string
}

func (e *DivergedError) Error() string {
	return fmt.Sprintf("flow: %s diverged at await %d: it asked for %s before, and for %s now; whatever decides that belongs into a Step",
		e.Key.Routine, e.Key.Position, e.Was, e.Asked)
}
