package durabletest

import (
	"slices"
	"strings"

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

// slot is where the node lives in its parent, "" for the root.
func (n *node) slot() string { return strings.TrimSuffix(n.label, ": ") }

// forget loses what lives no longer than the object's in-memory part.
func (n *node) forget() {
	clear(n.timers)
	n.fetches = nil
}

func (n *node) disconnect(conn durable.ConnID) {
	n.conns = slices.DeleteFunc(n.conns, func(c durable.ConnID) bool { return c == conn })
}
