package run

import "github.com/tributary-agents/tributary/durable"

// takeSlot gives a run the lowest slot that is free, or a new one.
func takeSlot(tx *durable.Tx, r *Run) {
	for _, row := range tx.SQL(`SELECT n FROM slot WHERE run IS NULL ORDER BY n LIMIT 1`) {
		r.Slot = int(row.Int(0))
		tx.SQL(`UPDATE slot SET run = ? WHERE n = ?`, r.ID, r.Slot)
	}
	if r.Slot == 0 {
		r.Slot = int(tx.SQL(`INSERT INTO slot (run) VALUES (?) RETURNING n`, r.ID)[0].Int(0))
	}
	tx.SQL(`UPDATE run SET slot = ? WHERE seq = ?`, r.Slot, r.Seq)
}

// Release takes a run's slot from it, where no helper can be reached. The caller wipes
// what may be there.
func Release(tx *durable.Tx, r *Run) {
	tx.SQL(`UPDATE slot SET run = NULL WHERE n = ?`, r.Slot)
	tx.SQL(`UPDATE run SET slot = 0, cancel_due = 0 WHERE seq = ?`, r.Seq)
	r.Slot, r.CancelDue = 0, false
}

// Dispatched counts an attempt to reach the helper.
func Dispatched(tx *durable.Tx, r *Run) {
	r.Attempt++
	tx.SQL(`UPDATE run SET attempt = ? WHERE seq = ?`, r.Attempt, r.Seq)
}
