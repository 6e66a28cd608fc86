package run

import (
	"fmt"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// Move changes a run's status, with its result. It is the only function that does. A final run
// keeps its status: Move drops a change that comes too late, and returns false. An impossible
// change is a broken invariant.
func Move(tx *durable.Tx, r *Run, to Status, result Result) bool {
	if r.Status.Final() || r.Status == to {
		return false
	}
	if !slices.Contains(follows[r.Status], to) {
		panic(fmt.Sprintf("run: %s cannot go from %s to %s", r.ID, r.Status, to))
	}
	if to == Running {
		startClock(tx, r)
	}
	r.Status, r.Result = to, result
	if to.Final() {
		r.EndedAt, r.DroppedSignals = tx.Now, dropSignals(tx, r.ID)
	}
	change(tx, `UPDATE run SET status = ?, summary = ?, output = ?, failure = ?, reason = ?, dropped_signals = ?, ended_at = ?, next = `+nextOfLog+` WHERE seq = ?`,
		string(to), r.Summary, string(r.Output), r.Failure, string(r.Reason), r.DroppedSignals, r.EndedAt, r.Seq)
	if to.Final() {
		tx.SQL(`DELETE FROM answer WHERE run = ?`, r.ID)
	}
	return true
}

// Wait changes a run's status to [Waiting] for the answers to some calls, or notes that it now
// waits for other calls. asked describes what people are asked.
func Wait(tx *durable.Tx, r *Run, calls []string, asked []Pending) {
	if r.Status.Final() {
		return
	}
	if r.Status == Starting {
		Move(tx, r, Running, Result{})
	}
	Move(tx, r, Waiting, r.Result)
	stopClock(tx, r)
	NoteWaitsFor(tx, r, calls, asked)
}

// NoteWaitsFor notes which calls a run waits for, whatever its status. asked describes what people
// are asked.
func NoteWaitsFor(tx *durable.Tx, r *Run, calls []string, asked []Pending) {
	r.WaitsFor = calls
	change(tx, `UPDATE run SET waits_for = ?, pending = ? WHERE seq = ?`, string(limit.MustMarshal(calls)), storedPending(asked), r.Seq)
}

// Cancel makes a run final before its helper is told (invariant I9). If a helper may be at work on
// it, the run stays marked with CancelDue until [CancelAcknowledged]. Cancel returns false if there
// was nothing to cancel.
func Cancel(tx *durable.Tx, r *Run, reason Reason, words string) bool {
	result := r.Result
	result.Failure, result.Reason = words, reason
	if !Move(tx, r, Aborted, result) {
		return false
	}
	if r.Slot > 0 {
		r.CancelDue = true
		change(tx, `UPDATE run SET cancel_due = 1 WHERE seq = ?`, r.Seq)
	}
	return true
}

// CancelAcknowledged notes that the helper of a cancelled run has acknowledged it.
func CancelAcknowledged(tx *durable.Tx, id string) {
	change(tx, `UPDATE run SET cancel_due = 0 WHERE id = ?`, id)
}
