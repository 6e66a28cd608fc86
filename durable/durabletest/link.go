package durabletest

import (
	"maps"
	"slices"

	"github.com/tributary-agents/tributary/durable"
)

// link is a call or a stream between two nodes that is under way.
type link struct {
	from, to *node
	// name is what the one that asked calls it, id what the other does, and number
	// says in which order links were made.
	name, id string
	number   int
	stream   bool
	// arrived says that the other knows of it: what is still on its way survives the
	// loss of whoever it is for.
	arrived bool
	// fromDeaf and toDeaf say that one of the two has lost interest: no event of the
	// link reaches it any more.
	fromDeaf, toDeaf bool
}

// delivery is an event of a link on its way to one of its ends.
type delivery struct {
	link  *link
	to    *node
	event durable.Event
}

func (d delivery) stale() bool {
	return d.to == d.link.from && d.link.fromDeaf || d.to == d.link.to && d.link.toDeaf
}

// lane names the way that a delivery takes. Those of one lane arrive in order.
func (d delivery) lane() string { return d.to.slot() + ":" + d.link.name }

// broken is what the one that asked hears when the other is gone.
func (l *link) broken() durable.Event {
	if l.stream {
		return durable.StreamFailed{Stream: l.name, Error: "the helper is gone"}
	}
	return durable.CallFailed{Call: l.name, Error: "the helper is gone"}
}

// abandon tells those who wait for a node's in-memory part that it is gone, but for
// the link that just arrives, and those that are still to come.
func (w *World) abandon(n *node, arriving string) {
	for _, l := range w.sorted() {
		if l.to == n && l.arrived && l.id != arriving {
			delete(w.links, l.id)
			l.toDeaf = true
			w.send(l, l.from, l.broken())
		}
	}
}

// arriveNever lets what is on its way to a node be lost with it.
func (w *World) arriveNever(n *node) {
	for _, l := range w.sorted() {
		l.arrived = l.arrived || l.to == n
	}
}

// lose takes what lived no longer than a node's in-memory part: its timers, its
// fetches, and both ends of its links, but for the one that just arrives. Nothing that
// is on its way tells a new part of what an earlier one has begun.
func (w *World) lose(n *node, arriving string) {
	n.forget()
	w.abandon(n, arriving)
	for _, d := range w.queue {
		d.link.fromDeaf = d.link.fromDeaf || d.to == n && d.link.from == n
	}
	for _, l := range w.sorted() {
		if l.from == n {
			w.cancel(l)
		}
	}
}

// cancel ends a link for the one that asked.
func (w *World) cancel(l *link) {
	delete(w.links, l.id)
	l.fromDeaf = true
	if l.stream {
		w.send(l, l.to, durable.StreamCancelled{Stream: l.id})
	}
}

func (w *World) cancelStream(n *node, name string) {
	for _, d := range w.queue { // also of one that has ended on the other side
		d.link.fromDeaf = d.link.fromDeaf || d.link.from == n && d.link.stream && d.link.name == name
	}
	for _, l := range w.sorted() {
		if l.from == n && l.stream && l.name == name {
			w.cancel(l)
		}
	}
}

// sorted returns the links that are under way, in the order of their making.
func (w *World) sorted() []*link {
	links := slices.Collect(maps.Values(w.links))
	slices.SortFunc(links, func(a, b *link) int { return a.number - b.number })
	return links
}
