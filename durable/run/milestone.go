package run

import "github.com/tributary-agents/tributary/durable"

// Reached notes that a run has reached the milestone with a number.
func Reached(tx *durable.Tx, r *Run, n int64) {
	r.Milestones, r.HeardAt = n+1, tx.Now
	tx.SQL(`UPDATE run SET milestones = ?, heard_at = ? WHERE seq = ?`, r.Milestones, tx.Now, r.Seq)
}

// Heard notes that something was heard of a run.
func Heard(tx *durable.Tx, r *Run) {
	r.HeardAt = tx.Now
	tx.SQL(`UPDATE run SET heard_at = ? WHERE seq = ?`, tx.Now, r.Seq)
}

// AwaitMilestone notes who awaits a milestone of a run, by its name.
func AwaitMilestone(tx *durable.Tx, r Run, name string, w Waiter) {
	tx.SQL(`INSERT OR REPLACE INTO milestone_waiter (routine, position, run, name) VALUES (?, ?, ?, ?)`, w.Routine, w.Position, r.ID, name)
}

// LeaveMilestone takes back that somebody awaits one.
func LeaveMilestone(tx *durable.Tx, w Waiter) {
	tx.SQL(`DELETE FROM milestone_waiter WHERE routine = ? AND position = ?`, w.Routine, w.Position)
}

// TakeMilestoneWaiters returns who awaits a milestone of a run by its name, and forgets
// them: they are told now.
func TakeMilestoneWaiters(tx *durable.Tx, r Run, name string) []Waiter {
	return waiters(tx.SQL(`DELETE FROM milestone_waiter WHERE run = ? AND name = ? RETURNING routine, position`, r.ID, name))
}

// TakeAllMilestoneWaiters returns who awaits any milestone of a run, which will reach none
// any more.
func TakeAllMilestoneWaiters(tx *durable.Tx, r Run) []Waiter {
	return waiters(tx.SQL(`DELETE FROM milestone_waiter WHERE run = ? RETURNING routine, position`, r.ID))
}
