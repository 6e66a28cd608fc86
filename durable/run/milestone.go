package run

import "github.com/tributary-agents/tributary/durable"

// NoteMilestone notes that a run has reached the milestone with a number.
func NoteMilestone(tx *durable.Tx, r *Run, n int64) {
	r.Milestones, r.LastActivity = n+1, tx.Now
	change(tx, `UPDATE run SET milestones = ?, heard_at = ? WHERE seq = ?`, r.Milestones, tx.Now, r.Seq)
}

// activityGrain is how often the chunks of a detached run are noted as activity, in milliseconds. A
// run that falls silent is given up by so much too early at most.
const activityGrain = 1_000

// NoteChunks notes that chunks of a run have come.
func NoteChunks(tx *durable.Tx, r *Run, next int64) {
	r.Next = next
	noteNext(tx, *r)
	if r.Detached() && tx.Now-r.LastActivity >= activityGrain {
		NoteActivity(tx, r)
	}
}

// NoteActivity notes the time of a sign of life from a run.
func NoteActivity(tx *durable.Tx, r *Run) {
	r.LastActivity = tx.Now
	change(tx, `UPDATE run SET heard_at = ? WHERE seq = ?`, tx.Now, r.Seq)
}

// AwaitMilestone registers a waiter for a milestone of a run, by its name.
func AwaitMilestone(tx *durable.Tx, r Run, name string, w Waiter) {
	tx.SQL(`INSERT OR REPLACE INTO milestone_waiter (routine, position, run, name) VALUES (?, ?, ?, ?)`, w.Routine, w.Position, r.ID, name)
}

// LeaveMilestone removes a waiter for a milestone.
func LeaveMilestone(tx *durable.Tx, w Waiter) {
	tx.SQL(`DELETE FROM milestone_waiter WHERE routine = ? AND position = ?`, w.Routine, w.Position)
}

// TakeMilestoneWaiters removes and returns the waiters for a milestone of a run, by its name. The
// caller tells them now.
func TakeMilestoneWaiters(tx *durable.Tx, r Run, name string) []Waiter {
	return waiters(tx.SQL(`DELETE FROM milestone_waiter WHERE run = ? AND name = ? RETURNING routine, position`, r.ID, name))
}

// TakeAllMilestoneWaiters removes and returns the waiters for any milestone of a run that will
// reach no more milestones.
func TakeAllMilestoneWaiters(tx *durable.Tx, r Run) []Waiter {
	return waiters(tx.SQL(`DELETE FROM milestone_waiter WHERE run = ? RETURNING routine, position`, r.ID))
}
