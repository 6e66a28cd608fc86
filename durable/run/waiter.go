package run

import (
	"cmp"
	"slices"

	"github.com/tributary-agents/tributary/durable"
)

// Waiter is a routine that awaits a run, with its position. Several waiters can await one run.
type Waiter struct {
	Routine  string
	Position int
}

// Await registers a waiter of a run.
func Await(tx *durable.Tx, r Run, w Waiter) {
	tx.SQL(`INSERT OR REPLACE INTO waiter (routine, position, run) VALUES (?, ?, ?)`, w.Routine, w.Position, r.ID)
}

// Leave removes a waiter of a run. If no waiter is left and the run is not final, it returns the
// run and true.
func Leave(tx *durable.Tx, w Waiter) (r Run, alone bool) {
	for _, row := range tx.SQL(`DELETE FROM waiter WHERE routine = ? AND position = ? RETURNING run`, w.Routine, w.Position) {
		if len(tx.SQL(`SELECT 1 FROM waiter WHERE run = ? LIMIT 1`, row.Text(0))) > 0 {
			return Run{}, false
		}
		r, alone = Find(tx, row.Text(0))
	}
	return r, alone && !r.Status.Final()
}

// TakeWaiters removes and returns the waiters of a run. The caller tells them now.
func TakeWaiters(tx *durable.Tx, r Run) []Waiter {
	return waiters(tx.SQL(`DELETE FROM waiter WHERE run = ? RETURNING routine, position`, r.ID))
}

// waiters reads rows, in an order that does not depend on the storage.
func waiters(rows []durable.Row) []Waiter {
	var list []Waiter
	for _, row := range rows {
		w := Waiter{Routine: row.Text(0), Position: int(row.Int(1))}
		at, _ := slices.BinarySearchFunc(list, w, compareWaiters)
		list = slices.Insert(list, at, w)
	}
	return list
}

func compareWaiters(a, b Waiter) int {
	return cmp.Or(cmp.Compare(a.Routine, b.Routine), a.Position-b.Position)
}
