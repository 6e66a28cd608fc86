package object

import (
	"maps"
	"slices"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// This file is about the detached runs that helpers begin, and that the root hosts. Each of them ends
// once: at the helper, at the nearest agent above it that has the handler, or as a dead letter.

// hosted is what is known of such runs.
type hosted struct {
	// handlers are their handlers, by run.
	handlers map[string]string
	// records are the records of a helper that were seen last, by object, and written is how much had
	// been written to its settings then.
	records map[string]contract.Records
	written map[string]int
	// runs are the runs of a helper after its last event, by object.
	runs map[string][]stored.Run
	// took counts how often a handler of a helper has accepted the end of a run. given are the runs
	// whose end a handler of a helper has refused as often as it may.
	took  map[string]int
	given map[string]bool
	// traps counts the events of helpers that have trapped.
	traps int
}

func newHosted() hosted {
	return hosted{
		handlers: map[string]string{}, records: map[string]contract.Records{}, written: map[string]int{}, runs: map[string][]stored.Run{},
		took: map[string]int{}, given: map[string]bool{},
	}
}

// HostedRunsEndOnce checks that the end of a run that a helper has begun is accepted once, in all
// objects together, and with the status that the run has.
func (r *Rules) HostedRunsEndOnce(e check.Event) {
	if !r.Mode.Office || !r.Made(e.Object) {
		return
	}
	if e.Trap != nil {
		if e.Slot != "" {
			r.hosted.traps++
		}
		return
	}
	if e.Slot != "" {
		r.takenBelow(e)
		return
	}
	for _, run := range e.Runs {
		if run.Origin != "" && run.Handler != "" {
			r.hosted.handlers[run.ID] = run.Handler
		}
	}
	taken := r.Records(e.Object).Taken
	for _, id := range slices.Sorted(maps.Keys(r.hosted.handlers)) {
		r.endsOnce(id, taken[id].Took)
	}
}

// takenBelow notes what the handlers of a helper have accepted since its last event. A helper that
// was wiped has no records.
func (r *Rules) takenBelow(e check.Event) {
	runs := r.hosted.runs[e.Object]
	r.hosted.runs[e.Object] = e.Runs
	written := r.Storage(e.Object).Written("setting")
	if r.hosted.written[e.Object] == written {
		return
	}
	r.hosted.written[e.Object] = written
	before, now := r.hosted.records[e.Object].Taken, r.Records(e.Object)
	r.hosted.records[e.Object] = now
	for _, id := range slices.Sorted(maps.Keys(now.Taken)) {
		t := now.Taken[id]
		r.hosted.given[id] = r.hosted.given[id] || t.Tries >= contract.MaxTries
		if t.Took <= before[id].Took {
			continue
		}
		r.hosted.took[id] += t.Took - before[id].Took
		r.endsOnce(id, r.Records(r.World.Object("")).Taken[id].Took)
		run, known := runOf(e.Runs, id)
		if !known { // a run that was cleared is forgotten with the event in which its end is taken
			run, known = runOf(runs, id)
		}
		switch {
		case !known:
			r.Fail("ledger", "%q is told of the end of %s, and has no such run", e.Slot, id)
		case run.Status != t.Status || !stored.Final(t.Status):
			r.Fail("ledger", "the end of %s is delivered to %q as %s, and is %s there", id, e.Slot, t.Status, run.Status)
		case r.detached[id] != "" && r.detached[id] != t.Status:
			r.Fail("ledger", "the end of %s is delivered to %q as %s, and is %s", id, e.Slot, t.Status, r.detached[id])
		}
	}
}

func (r *Rules) endsOnce(run string, atRoot int) {
	r.Checks++
	if below := r.hosted.took[run]; below+atRoot > 1 {
		r.Fail("ledger", "the end of %s is accepted %d times by helpers, and %d times by the root", run, below, atRoot)
	}
}

// mayBeDead says whether the end of a run may be accepted by nobody: its handler has failed, or
// nobody has the handler any more.
func (h *hosted) mayBeDead(run string) bool {
	return h.given[run] || h.traps > 0 || h.handlers[run] == contract.CourierHandler
}

func runOf(runs []stored.Run, id string) (found stored.Run, ok bool) {
	i := slices.IndexFunc(runs, func(run stored.Run) bool { return run.ID == id })
	if i < 0 {
		return found, false
	}
	return runs[i], true
}
