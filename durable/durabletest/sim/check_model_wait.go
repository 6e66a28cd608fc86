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

// monotonicTime is a time by a clock that nobody sets, and how often the one on the wall had been
// set until then.
type monotonicTime struct {
	at   int64
	sets int
}

func (s *Sim) moment() monotonicTime { return monotonicTime{s.world.Now() - s.leapt, s.sets} }

// jump sets the clock on the wall.
func (s *Sim) jump(by int64) {
	s.world.Jump(by)
	s.leapt += by
	s.setBack += max(-by, 0)
	s.sets++
}

// modelWait is since when an object waits for its model, and by which model call, or "" where only
// another attempt was counted.
type modelWait struct {
	since monotonicTime
	call  string
}

// callOf returns the model call that a fetch is an attempt at.
func callOf(fetch string) string { return fetch[:strings.LastIndexByte(fetch, '-')+1] }

// waits notes that an object waits for its model, if it does not already, by its first attempt at
// a model call or by a later one.
func (e *endpoint) waits(object, fetch string) {
	if _, ok := e.silent[object]; !ok || strings.HasSuffix(fetch, "-0") {
		e.silent[object] = modelWait{e.sim.moment(), callOf(fetch)}
	}
}

// unasked notes that an object waits for an answer to what was lost with the process that should
// have asked it. The object cannot know that, and counts the wait.
func (e *endpoint) unasked(h durabletest.HandledEvent) {
	for _, c := range h.Commands[h.Performed:] {
		if f, ok := c.(durable.Fetch); ok && !ofTool(f) {
			e.waits(h.Object, f.Fetch)
		}
	}
}

// charged notes that an object waits for its model from when it has counted another attempt. That
// attempt may reach no model: its wait is charged all the same, its alarm may be lost with the
// process, and it may trap before it asks. The object cannot tell the last two from an attempt that
// was made, and charges the time until the next one.
func (e *endpoint) charged(h durabletest.HandledEvent) {
	object := h.Object
	if e.sim.armed == h.Slot || !e.sim.made(object) { // a statement of a check would count for the trap
		return
	}
	now := attempts{}
	for _, t := range e.sim.turns(object) {
		if t.status == "running" {
			now = attempts{t.seq, t.attempt}
		}
	}
	if now.number > 0 && now != e.counted[object] {
		e.waits(object, "")
	}
	e.counted[object] = now
}

// attempts is how many more times than once a turn was to ask its model.
type attempts struct{ turn, number int64 }

// spoke notes that an object has heard something of its model. The end of an answer can begin the
// next model call in the same event: that one has not spoken.
func (e *endpoint) spoke(object, fetch string) {
	if call := e.silent[object].call; call == "" || call == callOf(fetch) {
		delete(e.silent, object)
	}
}

// givesUp says whether an object may give its model up.
func (e *endpoint) givesUp(object string) bool {
	s, ok := e.silent[object]
	now := e.sim.moment()
	return ok && now.at-s.since.at+int64(now.sets-s.since.sets)*leap > patience-planned
}

// givenUp checks a turn that was given up for silence, and says whether it was.
func (s *Sim) givenUp(object string, t turnRow) bool {
	if !strings.Contains(t.reason, gaveUp) {
		return false
	}
	if !s.model.givesUp(object) {
		s.fail("D4", "a turn of %q was given up too early: %s", object, t.reason)
	}
	return true
}
