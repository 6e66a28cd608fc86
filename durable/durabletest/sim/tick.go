package sim

import (
	"slices"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// maxTransit is how long a frame may be on its way, in milliseconds. A connection that takes longer
// is lost.
const maxTransit = 2_000

// hibernation is how long an object has nothing to do before the platform takes its memory, in
// milliseconds.
const hibernation = 10_000

// tick lets the next timer or alarm of the isolate go off. If that is too far away, a frame arrives
// first that is on its way.
func (r *root) tick() {
	var next *root
	var when int64
	for _, n := range r.everyone() {
		if at, ok := n.nextDue(); ok && (next == nil || at < when) {
			next, when = n, at
		}
	}
	for _, n := range r.everyone() {
		if lane := n.people.Underway(); lane != "" && when > r.world.Now()+maxTransit {
			n.lanes.Deliver(lane)
			return
		}
	}
	if h := r.enemy(); h.DueBefore(when, next != nil) {
		h.Tick()
		return
	}
	if next == nil {
		return
	}
	for _, n := range r.everyone() { // the time passes only now
		n.hibernate(when)
	}
	next.tickOwn()
}

// nextDue returns when something is due next, for an object, a tab, or the model's server.
func (r *root) nextDue() (at int64, ok bool) {
	at, ok = r.world.Due()
	if t, due := r.people.NextDue(); t != nil && (!ok || due < at) {
		at, ok = due, true
	}
	if next, more := r.model.Next(); more && (!ok || next < at) {
		at, ok = next, true
	}
	return at, ok
}

// tickOwn makes happen what is due next in this root.
func (r *root) tickOwn() {
	at, ok := r.world.Due()
	tab, due := r.people.NextDue()
	if tab != nil && ok && due >= at {
		tab = nil
	}
	if tab != nil {
		at, ok = due, true
	}
	if next, more := r.model.Next(); more && (!ok || next < at) {
		r.world.Advance(next)
		r.model.Speak()
		return
	}
	if tab == nil {
		r.world.Tick()
		return
	}
	r.world.Advance(at)
	tab.Page.Tick()
	r.people.Attend(tab)
}

// hibernate takes the memory of the objects that have had nothing to do until a time, if the
// subject is forgetful.
func (r *root) hibernate(until int64) {
	if !r.subject.Forgetful {
		return
	}
	for _, slot := range r.world.Forget(until - hibernation) {
		if slices.ContainsFunc(r.view.Turns(r.world.Object(slot)), func(t stored.Turn) bool { return t.Status == "running" }) {
			r.everyone()[0].sleptInTurn = true
		}
	}
}
