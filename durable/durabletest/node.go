package durabletest

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
)

// node is one object of a world with what its commands have set up.
type node struct {
	object, class string
	// label stands before its lines in a transcript; the root has none.
	label   string
	conns   []durable.ConnID
	timers  map[string]int64
	alarm   int64
	fetches []string
	// deleted nodes hear nothing more.
	deleted bool
}

func newNode(object, class, label string) *node {
	return &node{object: object, class: class, label: label, timers: map[string]int64{}}
}

// forget loses what lives no longer than the object's in-memory part.
func (n *node) forget() {
	clear(n.timers)
	n.fetches = nil
}

func (n *node) disconnect(conn durable.ConnID) {
	n.conns = slices.DeleteFunc(n.conns, func(c durable.ConnID) bool { return c == conn })
}

// link is a call or a stream between two nodes that is under way.
type link struct {
	from, to *node
	// name is what the one that asked calls it, id what the other does.
	name, id string
	stream   bool
}

// broken is what the one that asked hears when the other is gone.
func (l *link) broken() durable.Event {
	if l.stream {
		return durable.StreamFailed{Stream: l.name, Error: "the helper is gone"}
	}
	return durable.CallFailed{Call: l.name, Error: "the helper is gone"}
}
