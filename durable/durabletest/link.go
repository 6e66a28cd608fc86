package durabletest

import (
	"maps"
	"slices"

	"github.com/tributary-agents/tributary/durable"
)

// link is a call or a stream between two nodes.
type link struct {
	from, to *node
	// name is the requester's name for the link, and id the other node's. number orders the links
	// by their creation.
	name, id string
	number   int
	stream   bool
	// arrived says that the other node has received the request. A message that has not arrived
	// survives the loss of its receiver.
	arrived bool
	// fromDeaf and toDeaf say that an end ignores the link: none of its events reach that end any
	// more.
	fromDeaf, toDeaf bool
}

// delivery is an event of a link that is on its way to one of the ends.
type delivery struct {
	link  *link
	to    *node
	event durable.Event
}

func (d delivery) stale() bool {
	return d.to == d.link.from && d.link.fromDeaf || d.to == d.link.to && d.link.toDeaf
}

// lane names the lane of a delivery. Deliveries on one lane arrive in order.
func (d delivery) lane() string { return d.to.slot() + ":" + d.link.name }

// broken returns the requester's event for the loss of the other node.
func (l *link) broken() durable.Event {
	if l.stream {
		return durable.StreamFailed{Stream: l.name, Error: "the helper is gone"}
	}
	return durable.CallFailed{Call: l.name, Error: "the helper is gone"}
}

// abandon tells the requesters of a node's links that its in-memory part is gone. It leaves out the
// link that is arriving, and links that have not arrived yet.
func (w *World) abandon(n *node, arriving string) {
	for _, l := range w.sorted() {
		if l.to == n && l.arrived && l.id != arriving {
			delete(w.links, l.id)
			l.toDeaf = true
			w.send(l, l.from, l.broken())
		}
	}
}

// arriveNever loses the messages that are on their way to a node.
func (w *World) arriveNever(n *node) {
	for _, l := range w.links {
		l.arrived = l.arrived || l.to == n
	}
}

// lose removes everything that lived only as long as a node's in-memory part: its timers, its
// fetches, and both ends of its links, except the link that is arriving. No message on its way
// tells the new part about work of the earlier one.
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

// cancel ends a link for its requester.
func (w *World) cancel(l *link) {
	delete(w.links, l.id)
	l.fromDeaf = true
	if l.stream {
		w.send(l, l.to, durable.StreamCancelled{Stream: l.id})
	}
}

func (w *World) cancelStream(n *node, name string) {
	for _, d := range w.queue { // also deliveries of a link that the other side has ended
		d.link.fromDeaf = d.link.fromDeaf || d.link.from == n && d.link.stream && d.link.name == name
	}
	for _, l := range w.sorted() {
		if l.from == n && l.stream && l.name == name {
			w.cancel(l)
		}
	}
}

// sorted returns the open links, in the order of their creation.
func (w *World) sorted() []*link {
	links := slices.Collect(maps.Values(w.links))
	slices.SortFunc(links, func(a, b *link) int { return a.number - b.number })
	return links
}
