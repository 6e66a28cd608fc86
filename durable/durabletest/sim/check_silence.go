package sim

import (
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// This file is D4 for silence: a turn is given up for it when its model has said nothing for five
// minutes, and not because the object was gone meanwhile or because the clock was set.

const (
	// patience is how long a model may say nothing, in milliseconds.
	patience = 5 * 60_000
	// leap is how much of it a clock that is set can pretend to have passed, each time.
	leap = 90_000
	// planned is how much of it the wait before the next attempt can take, in milliseconds: it is
	// charged before it begins.
	planned = 30_000
	// gaveUp is in the reason of a turn that was given up for silence.
	gaveUp = "made no progress for too long"
)

// moment is a time by a clock that nobody sets, and how often the one on the wall had been set
// until then.
type moment struct {
	at   int64
	sets int
}

func (s *Sim) moment() moment { return moment{s.world.Now() - s.leapt, s.sets} }

// jump sets the clock on the wall.
func (s *Sim) jump(by int64) {
	s.world.Jump(by)
	s.leapt += by
	s.sets++
}

// waits notes that an object waits for its model, if it does not already, by its first attempt at
// a model call or by a later one.
func (e *endpoint) waits(object, fetch string) {
	if _, ok := e.silentSince[object]; !ok || strings.HasSuffix(fetch, "-0") {
		e.silentSince[object] = e.sim.moment()
	}
}

// unasked notes that an object waits for an answer to what was lost with the process that should
// have asked it. The object cannot know that, and counts the wait.
func (e *endpoint) unasked(h durabletest.Happening) {
	for _, c := range h.Commands[h.Performed:] {
		if f, ok := c.(durable.Fetch); ok {
			e.waits(h.Object, f.Fetch)
		}
	}
}

// spoke notes that an object has heard something of its model.
func (e *endpoint) spoke(object string) { delete(e.silentSince, object) }

// silent says whether an object may give its model up.
func (e *endpoint) silent(object string) bool {
	since, ok := e.silentSince[object]
	now := e.sim.moment()
	return ok && now.at-since.at+int64(now.sets-since.sets)*leap > patience-planned
}

// givenUp checks a turn that was given up for silence, and says whether it was.
func (s *Sim) givenUp(object string, t turnRow) bool {
	if !strings.Contains(t.reason, gaveUp) {
		return false
	}
	if !s.model.silent(object) {
		s.fail("D4", "a turn of %q was given up too early: %s", object, t.reason)
	}
	return true
}
