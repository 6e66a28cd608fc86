package run

import (
	"slices"
	"time"

	"github.com/tributary-agents/tributary/durable"
)

// Keep says how many final runs are kept, and how long.
type Keep struct {
	// Runs is the number of final runs, the newest of them.
	Runs int
	// Age is the time since a run ended.
	Age time.Duration
	// Status says otherwise for runs that ended with a status: they are kept by that
	// alone, where 0 is none, and do not count among the others.
	Status map[Status]Keep
}

// Expired returns the final runs that are beyond what is kept, oldest first. A run
// whose helper has still to be told of its cancellation is kept, and one whose end has
// still to be handed over. Pointers, since the module has the code that sorts them already.
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

// beyond returns the runs of some statuses that are beyond what is kept of them.
func beyond(tx *durable.Tx, keep Keep, statuses ...Status) []*Run {
	list := statusList(statuses)
	runs := all(tx.SQL(`SELECT `+brief+` FROM run WHERE ended_at > 0 AND cancel_due = 0 AND id NOT IN (SELECT run FROM letter WHERE state != 'dead')
		AND status IN (SELECT value FROM json_each(?)) AND (ended_at < ? OR seq NOT IN (
			SELECT seq FROM run WHERE ended_at > 0 AND status IN (SELECT value FROM json_each(?)) ORDER BY seq DESC LIMIT ?))`,
		list, tx.Now-keep.Age.Milliseconds(), list, keep.Runs))
	pointers := make([]*Run, len(runs))
	for i := range runs {
		pointers[i] = &runs[i]
	}
	return pointers
}

// Delete forgets a final run and frees its slot, which it returns, or 0. The
// caller wipes the helper that lives there.
func Delete(tx *durable.Tx, r Run) int {
	if !r.Status.Final() {
		panic("run: " + r.ID + " is " + string(r.Status) + " and cannot be deleted")
	}
	tx.SQL(`DELETE FROM run WHERE seq = ?`, r.Seq)
	tx.SQL(`DELETE FROM letter WHERE run = ?`, r.ID)
	freeSlot(tx, r.ID)
	return r.Slot
}
