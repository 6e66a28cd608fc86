package object

import (
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// TimeIsNotGivenBack checks that no event leaves a run with a timeout more time than it had.
func (r *Rules) TimeIsNotGivenBack(e check.Event) {
	now := r.World.Now()
	for _, run := range e.Runs {
		if run.Clock == (stored.Clock{}) {
			continue
		}
		key := e.Object + " " + run.ID
		if had, ok := r.clocks[key]; ok && !stored.Final(run.Status) && run.Clock.Remaining(now) > had.Remaining(now) {
			r.Fail("deadline", "the run %s had %d ms left, and has %d ms", run.ID, had.Remaining(now), run.Clock.Remaining(now))
		}
		r.clocks[key] = run.Clock
	}
}
