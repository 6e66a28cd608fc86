package sim

import "github.com/tributary-agents/tributary/durable/durabletest"

// This file is the rule of containment, as neighbours see it: whoever traps twice within a minute
// has an instance of its own until it has been well for ten minutes.

// Times in milliseconds.
const (
	trapsAgain = 60_000
	wellFor    = 600_000
)

// trapped holds that an object which has trapped twice within a minute takes nobody's life with
// its next traps.
func (h *hostile) trapped(e durabletest.Happening) {
	now := h.world.Now()
	was := h.harm[e.Object]
	if was == nil {
		was = &harm{}
		h.harm[e.Object] = was
	}
	h.first.checked++
	well := now-was.last >= wellFor
	for _, n := range h.first.everyone() {
		for _, slot := range n.world.Slots() {
			if was.moved && !well && n.world.Bereft(slot) {
				h.first.fail("neighbour", "%s has trapped twice within a minute, and its next trap takes the life of %q", e.Object, n.world.Object(slot))
			}
		}
	}
	was.moved = was.moved && !well || was.ever && now-was.last <= trapsAgain
	was.last, was.ever = now, true
}
