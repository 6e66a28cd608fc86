package run

import (
	"time"

	"github.com/tributary-agents/tributary/durable"
)

// Keep says how many final runs are kept, and how long. A run is deleted when either limit is
// exceeded.
type Keep struct {
	// Runs is the number of final runs that are kept. The newest stay.
	Runs int
	// Age is the maximum time since a run ended.
	Age time.Duration
	// Status overrides Keep for runs that ended with a given status. Only the override applies to
	// them: its zero value keeps none. These runs do not count among the others.
	Status map[Status]Keep
}

// Least returns the smallest number of runs and the shortest time that any final run is kept for.
func (k Keep) Least() (runs int, age time.Duration) {
	runs, age = k.Runs, k.Age
	for _, own := range k.Status {
		runs, age = min(runs, own.Runs), min(age, own.Age)
	}
	return runs, age
}

// Final returns the number of final runs, and when the first of them ended.
func Final(tx *durable.Tx) (runs int, first int64) {
	row := tx.SQL(`SELECT COUNT(*), MIN(ended_at) FROM run WHERE ended_at > 0`)[0]
	return int(row.Int(0)), row.Int(1)
}

// Unkept returns the final runs that are no longer kept: those of the statuses that have limits of their
// own, and then all others, each oldest first. A run is kept if its helper has not acknowledged the
// cancellation, if its delivery is pending, or if a run repeats it that is not over: that one may still
// need the journal.
func Unkept(tx *durable.Tx, keep Keep) []Run {
	var others []Status
	var expired []Run
	for _, s := range []Status{Completed, Failed, Aborted} {
		if own, ok := keep.Status[s]; ok {
			expired = append(expired, beyond(tx, own, s)...)
			continue
		}
		others = append(others, s)
	}
	return append(expired, beyond(tx, keep, others...)...)
}

// beyond returns the runs with the given statuses that exceed what is kept.
func beyond(tx *durable.Tx, keep Keep, statuses ...Status) []Run {
	list := statusList(statuses)
	return all(tx.SQL(`SELECT `+brief+` FROM run WHERE ended_at > 0 AND cancel_due = 0 AND id NOT IN (SELECT run FROM letter WHERE state != 'dead')
		AND id NOT IN (SELECT COALESCE(IIF(json_valid(restart), restart ->> 'of', ''), '') FROM run WHERE ended_at = 0 AND restart != '')
		AND status IN (SELECT value FROM json_each(?)) AND (ended_at < ? OR seq NOT IN (
			SELECT seq FROM run WHERE ended_at > 0 AND status IN (SELECT value FROM json_each(?)) ORDER BY seq DESC LIMIT ?)) ORDER BY seq`,
		list, tx.Now-keep.Age.Milliseconds(), list, keep.Runs))
}

// Delete deletes a final run and frees its slot, which it returns, or 0. The caller wipes the
// helper in that slot.
func Delete(tx *durable.Tx, r Run) int {
	if !r.Status.Final() {
		panic("run: " + r.ID + " is " + string(r.Status) + " and cannot be deleted")
	}
	change(tx, `DELETE FROM run WHERE seq = ?`, r.Seq)
	tx.SQL(`DELETE FROM letter WHERE run = ?`, r.ID)
	forgetSignals(tx, r.ID)
	freeSlot(tx, r.ID)
	return r.Slot
}
