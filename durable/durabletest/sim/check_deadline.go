package sim

import "github.com/tributary-agents/tributary/durable/durabletest"

// This file follows the clocks of runs that have a timeout. A clock stands still while its run
// waits for a person.

// clock is how long a run still has: until its deadline, or for so long once it goes on.
type clock struct{ deadline, left int64 }

// remaining is how long that is at some time.
func (c clock) remaining(now int64) int64 {
	if c.deadline > 0 {
		return max(c.deadline-now, 1)
	}
	return c.left
}

// timeIsNotGivenBack is that no event leaves a run more time than it had.
func timeIsNotGivenBack(s *Sim, h durabletest.HandledEvent) {
	now := s.world.Now()
	for _, r := range s.checks.runs {
		if r.clock == (clock{}) {
			continue
		}
		key := h.Object + " " + r.id
		if had, ok := s.checks.clocks[key]; ok && !final(r.status) && r.clock.remaining(now) > had.remaining(now) {
			s.fail("deadline", "the run %s had %d ms left, and has %d ms", r.id, had.remaining(now), r.clock.remaining(now))
		}
		s.checks.clocks[key] = r.clock
	}
}
