package object

import (
	"fmt"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// This file checks that a parent evicts a helper only if nobody misses its memory. It reads the
// tables schedule (kind, id, due) and drill (run).

// IdleHelpersAreEvicted checks that a helper that is evicted has stored the end of its run at its
// parent, that no page shows it, and that whatever is due in it is due at its parent, which wakes
// it.
func (r *Rules) IdleHelpersAreEvicted(e check.Event) {
	for _, c := range e.Commands[:e.Performed] {
		if c, ok := c.(durable.EvictFacet); ok {
			r.isIdle(e, c.Slot)
		}
	}
}

func (r *Rules) isIdle(e check.Event, slot string) {
	i := slices.IndexFunc(e.Runs, func(run stored.Run) bool { return slot == fmt.Sprint("helper-", run.Slot) })
	if i < 0 {
		return
	}
	run := e.Runs[i]
	if !stored.Final(run.Status) {
		r.Fail("I6", "the helper of %s is evicted, and the run is %s", run.ID, run.Status)
	}
	if len(r.Rows(e.Object, `SELECT 1 FROM drill WHERE run = ?`, run.ID)) > 0 {
		r.Fail("I6", "the helper of %s is evicted, and a page shows it", run.ID)
	}
	helper := r.helper(e.Slot, run.Slot)
	if helper == "" || !r.Made(helper) {
		return
	}
	for _, t := range r.Turns(helper) {
		if !stored.Final(t.Status) {
			r.Fail("I6", "the helper of %s is evicted, and its turn %s is %s", run.ID, t.Request, t.Status)
		}
	}
	woken := r.Number(e.Object, `SELECT due FROM schedule WHERE kind = 'waken' AND id = ?`, run.ID)
	for _, row := range r.Rows(helper, `SELECT kind, due FROM schedule`) {
		if due := row.Int(1); woken == 0 || woken > due {
			r.Fail("I6", "the helper of %s is evicted, its %s is due at %d, and it is woken at %d", run.ID, row.Text(0), due, woken)
		}
	}
}
