package run

import "github.com/tributary-agents/tributary/durable"

// This file handles the slots that helpers live in. A slot's row is free as soon as the command to
// wipe its helper is issued, and that command can be lost. So each use of a slot has a generation,
// which a helper checks. The row also notes that a wipe is outstanding until the wipe is known to
// have happened.

// takeSlot gives a run the lowest free slot, or a new one. The caller writes it to the run's row.
func takeSlot(tx *durable.Tx, r *Run) {
	rows := tx.SQL(`UPDATE slot SET run = ?, generation = generation + 1, unwiped = 0
		WHERE n = (SELECT n FROM slot WHERE run IS NULL ORDER BY n LIMIT 1) RETURNING n, generation`, r.ID)
	if len(rows) == 0 {
		rows = tx.SQL(`INSERT INTO slot (run, generation) VALUES (?, 1) RETURNING n, generation`, r.ID)
	}
	r.Slot, r.Generation = int(rows[0].Int(0)), rows[0].Int(1)
}

// Release takes the slot from a run whose helper cannot be reached. The caller wipes the facet.
func Release(tx *durable.Tx, r *Run) {
	freeSlot(tx, r.ID)
	change(tx, `UPDATE run SET slot = 0, cancel_due = 0 WHERE seq = ?`, r.Seq)
	r.Slot, r.CancelDue = 0, false
}

func freeSlot(tx *durable.Tx, run string) {
	tx.SQL(`UPDATE slot SET run = NULL, unwiped = 1 WHERE run = ?`, run)
}

// Unwiped returns the free slots whose wipe is not known to have happened.
func Unwiped(tx *durable.Tx) []int {
	var slots []int
	for _, row := range tx.SQL(`SELECT n FROM slot WHERE unwiped = 1 ORDER BY n`) {
		slots = append(slots, int(row.Int(0)))
	}
	return slots
}

// Wiped notes that all outstanding wipes have happened.
func Wiped(tx *durable.Tx) { tx.SQL(`UPDATE slot SET unwiped = 0 WHERE unwiped = 1`) }

// Dispatched counts an attempt to reach the helper.
func Dispatched(tx *durable.Tx, r *Run) {
	r.Attempt++
	change(tx, `UPDATE run SET attempt = ? WHERE seq = ?`, r.Attempt, r.Seq)
}
