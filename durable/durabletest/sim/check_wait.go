package sim

import "github.com/tributary-agents/tributary/durable/durabletest"

// This file holds that nothing begins before the time that it has to wait for, by the clock on the
// wall, and that turns are charged for their waits. Checks know the columns silence of the table turn,
// and the kind retry in the table schedule.

// isBusy notes until when the endpoint, which has refused a request, wants no other.
func (e *endpoint) isBusy(v *serving, piece int) {
	if v.answer.retryAfter > 0 && piece == len(v.answer.pieces)-1 {
		e.busyUntil[told(v.object, v.fetch)] = e.sim.world.Now() + v.answer.retryAfter
	}
}

// askedInTime holds that a model which is busy is not asked again before the time that it wants.
func (e *endpoint) askedInTime(v *serving) {
	e.sim.checked++
	if early := e.busyUntil[told(v.object, v.fetch)] - e.sim.world.Now(); early > 0 {
		e.sim.fail("wait", "%s asks a model that is busy %d ms too early", v.object, early)
	}
	delete(e.busyUntil, told(v.object, v.fetch)) // that time is over, also for a clock that is set back later
}

// debounceDelay is how long a debounced message waits for another one, in milliseconds.
const debounceDelay = 750

// debouncedOnesWait is that a message which was queued under the policy debounce waits until nothing
// more has come for a while, or until the clock was set to before that.
func debouncedOnesWait(s *Sim, h durabletest.HandledEvent) {
	if s.methodCalls == nil || s.methodCalls.Policy != "debounce" || h.Slot != "" {
		return
	}
	now := s.world.Now()
	for _, t := range s.checks.turns {
		queuedAt, seen := s.checks.queuedAt[t.seq]
		switch {
		case t.plain && t.status == "queued" && !seen:
			s.checks.queuedAt[t.seq] = now
		case seen && t.status != "queued":
			delete(s.checks.queuedAt, t.seq)
			if t.begun && now >= queuedAt && now < queuedAt+debounceDelay {
				s.fail("wait", "%s begins %d ms after it was queued, and %d is how long it waits", t.request, now-queuedAt, debounceDelay)
			}
		}
	}
}

// waitsAreCharged is D4 for the waits between attempts: a turn that asks its model later is charged
// for that wait when it is planned, so that it is not given up too late.
func waitsAreCharged(s *Sim, h durabletest.HandledEvent) {
	for _, t := range s.checks.turns {
		if t.status != "running" {
			continue
		}
		now := attempts{t.seq, t.attempt}
		if now.number > 0 && now != s.checks.attempted[h.Object] {
			s.chargedForWait(h, t)
		}
		s.checks.attempted[h.Object] = now
	}
}

func (s *Sim) chargedForWait(h durabletest.HandledEvent, t turnRow) {
	for _, row := range s.rows(h.Object, `SELECT due, silence FROM schedule JOIN turn ON id = CAST(seq AS TEXT) WHERE kind = 'retry' AND seq = ?`, t.seq) {
		if wait := row.Int(0) - s.world.Now(); wait > row.Int(1) {
			s.fail("D4", "a turn of %q waits for %d ms, and is charged for %d ms without progress", h.Slot, wait, row.Int(1))
		}
	}
}
