package sim

import (
	"strings"

	"github.com/tributary-agents/tributary/durable/durabletest"
)

// This file is the rule of containment, as neighbours see it: whoever traps twice within a minute
// has an instance of its own until it has been well for ten minutes. So a neighbour loses at most
// two lives to it, and its turn has two requests to the model more at most, see [attempt].

// Times in milliseconds.
const (
	trapsAgain = 60_000
	wellFor    = 600_000
)

// trapped holds that a tree which has trapped twice within a minute takes the life of nobody who
// does not trap.
func (h *hostile) trapped(e durabletest.HandledEvent) {
	now := h.world.Now()
	tree, _, _ := strings.Cut(e.Object, "/")
	was := h.harm[tree]
	if was == nil {
		was = &trapRecord{}
		h.harm[tree] = was
	}
	h.first.checked++
	was.moved = was.moved && now-was.last < wellFor
	for _, n := range h.first.everyone() {
		if was.moved && n.traps == 0 {
			h.sparesAll(n, tree)
		}
	}
	was.moved = was.moved || was.ever && now-was.last < trapsAgain
	was.last, was.ever = now, true
}

func (h *hostile) sparesAll(n *Sim, tree string) {
	for _, slot := range n.world.Slots() {
		if n.world.Bereft(slot) {
			h.first.fail("neighbour", "%s has trapped twice within a minute, and its next trap takes the life of %q", tree, n.world.Object(slot))
		}
	}
}
