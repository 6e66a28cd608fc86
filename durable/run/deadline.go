package run

import "github.com/tributary-agents/tributary/durable"

// startClock starts the clock of a run that has a timeout, with the time that it has left. The
// owner of the schedule wakes at the deadline.
func startClock(tx *durable.Tx, r *Run) {
	if r.Timeout > 0 && r.Deadline == 0 {
		setClock(tx, r, tx.Now+r.TimeLeft, 0)
	}
}

// stopClock stops the clock while the run waits for a person.
func stopClock(tx *durable.Tx, r *Run) {
	if r.Deadline > 0 {
		setClock(tx, r, 0, max(r.Deadline-tx.Now, 1))
	}
}

func setClock(tx *durable.Tx, r *Run, deadline, left int64) {
	r.Deadline, r.TimeLeft = deadline, left
	change(tx, `UPDATE run SET deadline = ?, time_left = ? WHERE seq = ?`, deadline, left, r.Seq)
}
