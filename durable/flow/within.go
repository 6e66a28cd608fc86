package flow

import (
	"slices"
	"time"

	"github.com/tributary-agents/tributary/durable"
)

// Within runs f and limits its time. When the time is over, every operation that f has begun is
// cancelled: a helper's run, a request, a sleep, a branch. From then on every await of f returns
// [ErrTimeout] at once, so that f ends soon. Within returns what f returns. The limit is a row of
// the schedule, as a [Sleep] is, and holds nothing else.
//
// If f ends in time, operations that it has begun and not waited for go on without the limit.
func Within[T any](c Awaiter, d time.Duration, f func() (T, error)) (T, error) {
	r := c.context().routine
	op := sleeping("within", d)
	op.Around = true
	limit := c.context().Await(op)
	s := r.running()
	before := s.limits
	s.limits = append(slices.Clip(before), limit.position)
	defer func() {
		s.limits = before
		if !s.over {
			r.cancel(r.journal.entries[limit.position], Left)
		}
	}()
	return f()
}

// overSince returns the number of the end of the earliest of some time limits that is over, or 0 if
// none is. A limit that was left or cancelled does not count.
func (r *Routine) overSince(limits []int) (since int) {
	for _, position := range limits {
		if e := r.journal.entries[position]; e.ended > 0 && e.failure == "" && (since == 0 || e.ended < since) {
			since = e.ended
		}
	}
	return since
}

// cancelOverdue cancels the operations under a limit that is over, the last first, and says whether there
// were any.
func (r *Routine) cancelOverdue() bool {
	expired := lastFirst(r.overdue())
	for _, e := range expired {
		r.cancel(e, TimedOut)
	}
	return len(expired) > 0
}

// overdue returns the open operations under a time limit that is over.
func (r *Routine) overdue() (list []*entry) {
	for _, e := range r.journal.entries {
		if e.open() && r.overSince(e.limits) > 0 {
			list = append(list, e)
		}
	}
	return list
}

// sleeping returns an operation that ends by itself after a duration.
func sleeping(name string, d time.Duration) Op {
	return sleepingUntil(name, func(now int64) int64 { return now + d.Milliseconds() })
}

// sleepingUntil returns an operation that ends by itself at a time, in milliseconds since 1970.
func sleepingUntil(name string, at func(now int64) int64) Op {
	return Op{
		Name:   name,
		Begin:  func(tx *durable.Tx, key Key) { tx.Schedule(DueSleep, sleepID(key), max(at(tx.Now), tx.Now)) },
		Cancel: func(tx *durable.Tx, key Key, _ Reason) { tx.Unschedule(DueSleep, sleepID(key)) },
	}
}
