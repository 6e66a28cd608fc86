package hostile

import (
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest"
)

// These are times of containment, in milliseconds: a tree that traps twice within trapWindow gets
// an instance of its own, until it has not trapped for recoveryTime. So a neighbour loses at most
// two lives to it.
const (
	trapWindow   = 60_000
	recoveryTime = 600_000
)

// tree is the harm that an object and its helpers have done by their traps.
type tree struct {
	// lastTrap is when it has trapped last, if it ever has.
	lastTrap int64
	ever     bool
	// contained says that it must have an instance of its own since.
	contained bool
}

// isContained checks that a tree that has trapped twice within a minute takes the memory of no
// other root that does not trap itself.
func (r *Root) isContained(e durabletest.HandledEvent) {
	now := r.World.Now()
	name, _, _ := strings.Cut(e.Object, "/")
	t := r.trees[name]
	if t == nil {
		t = &tree{}
		r.trees[name] = t
	}
	r.Report.Checks++
	t.contained = t.contained && now-t.lastTrap < recoveryTime
	for _, other := range r.Others() {
		if t.contained && other.Traps == 0 {
			r.spares(other, name)
		}
	}
	t.contained = t.contained || t.ever && now-t.lastTrap < trapWindow
	t.lastTrap, t.ever = now, true
}

func (r *Root) spares(other Other, tree string) {
	for _, slot := range other.World.Slots() {
		if other.World.Bereft(slot) {
			r.Report.Fail("neighbour", "%s has trapped twice within a minute, and its next trap takes the memory of %q", tree, other.World.Object(slot))
		}
	}
}
