package object

import (
	"slices"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// TurnsSpeakInOrder checks that no turn runs while an earlier one is queued.
func (r *Rules) TurnsSpeakInOrder(e check.Event) {
	waiting := stored.Turn{}
	for _, t := range e.Turns {
		if t.Status == "queued" && waiting.Seq == 0 {
			waiting = t
		}
		if t.Status == "running" && waiting.Seq > 0 {
			r.Fail("order", "%s runs in %q, and %s was queued before", t.Request, e.Slot, waiting.Request)
		}
	}
}

// TurnsBeginInOrder checks that turns begin in the order in which they were queued.
func (r *Rules) TurnsBeginInOrder(e check.Event) {
	for _, t := range e.Turns {
		if !t.Begun || t.Seq <= r.begun[e.Object] {
			continue
		}
		if i := slices.IndexFunc(e.Turns, func(o stored.Turn) bool { return o.Seq < t.Seq && o.Status == "queued" }); i >= 0 {
			r.Fail("order", "%s has begun, and %s was queued before", t.Request, e.Turns[i].Request)
		}
		r.begun[e.Object] = t.Seq
	}
	for _, t := range e.Turns {
		if t.Seq < r.begun[e.Object] && t.Status == "queued" {
			r.Fail("order", "%s waits, and later ones have begun", t.Request)
		}
	}
}

// PolicyIsKept checks that no more messages wait than the policy of the root allows.
func (r *Rules) PolicyIsKept(e check.Event) {
	if r.MethodCalls == nil || r.MethodCalls.Policy == "" || e.Slot != "" {
		return
	}
	most := 1
	if r.MethodCalls.Policy == "drop" {
		most = 0
	}
	plain := 0
	for _, t := range e.Turns {
		switch {
		case t.Status == "queued" && t.Plain:
			plain++
		case t.Status == "queued":
			plain = 0
		}
	}
	if plain > most {
		r.Fail("policy", "%d messages wait, and the policy is %s", plain, r.MethodCalls.Policy)
	}
}

// debounceDelay is how long a message waits for another one under the policy debounce, in
// milliseconds.
const debounceDelay = 750

// DebouncedOnesWait checks that a message that was queued under the policy debounce waits for that
// long, or until the clock was set to before that.
func (r *Rules) DebouncedOnesWait(e check.Event) {
	if r.MethodCalls == nil || r.MethodCalls.Policy != "debounce" || e.Slot != "" {
		return
	}
	now := r.World.Now()
	for _, t := range e.Turns {
		queuedAt, seen := r.queuedAt[t.Seq]
		switch {
		case t.Plain && t.Status == "queued" && !seen:
			r.queuedAt[t.Seq] = now
		case seen && t.Status != "queued":
			delete(r.queuedAt, t.Seq)
			if t.Begun && now >= queuedAt && now < queuedAt+debounceDelay {
				r.Fail("wait", "%s begins %d ms after it was queued, and has to wait for %d ms", t.Request, now-queuedAt, debounceDelay)
			}
		}
	}
}
