package run

import (
	"slices"
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

// Expired returns the final runs that are no longer kept, oldest first. A run is kept if its helper
// has not acknowledged the cancellation, if its delivery is pending, or if a run repeats it that is
// not over: that one may still need the journal. The runs are pointers because the module already has
// the code that sorts pointers.
func Expired(tx *durable.Tx, keep Keep) []*Run {
	var others []Status
	var expired []*Run
	for _, s := range []Status{Completed, Failed, Aborted} {
		if own, ok := keep.Status[s]; ok {
			expired = append(expired, beyond(tx, own, s)...)
			continue
		}
		others = append(others, s)
	}
	expired = append(expired, beyond(tx, keep, others...)...)
	slices.SortFunc(expired, func(a, b *Run) int { return int(a.Seq - b.Seq) })
	return expired
}

// beyond returns the runs with the given statuses that exceed what is kept.
func beyond(tx *durable.Tx, keep Keep, statuses ...Status) []*Run {
	list := statusList(statuses)
	runs := all(tx.SQL(`SELECT `+brief+` FROM run WHERE ended_at > 0 AND cancel_due = 0 AND id NOT IN (SELECT run FROM letter WHERE state != 'dead')
		AND id NOT IN (SELECT COALESCE(IIF(json_valid(restart), restart ->> 'of', ''), '') FROM run WHERE ended_at = 0 AND restart != '')
		AND status IN (SELECT value FROM json_each(?)) AND (ended_at < ? OR seq NOT IN (
			SELECT seq FROM run WHERE ended_at > 0 AND status IN (SELECT value FROM json_each(?)) ORDER BY seq DESC LIMIT ?))`,
		list, tx.Now-keep.Age.Milliseconds(), list, keep.Runs))
	pointers := make([]*Run, len(runs))
	for i := range runs {
		pointers[i] = &runs[i]
	}
	return pointers
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
