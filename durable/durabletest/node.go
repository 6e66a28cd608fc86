package durabletest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// node is one object of a world with what its commands have set up.
type node struct {
	object, class string
	// inside is what the names of the objects in its slots begin with.
	inside string
	// label stands before its lines in a transcript; the root has none.
	label  string
	conns  []durable.ConnID
	timers map[string]int64
	alarm  int64
	// alarmFailures is how often in a row the alarm has failed.
	alarmFailures int
	fetches       []string
	// cancelled says that the last fetch under way was cancelled, and none was begun since.
	cancelled bool
	// awake says that the in-memory part was there after the last event.
	awake bool
	// facets are the nodes in its slots. wiped counts how often a slot was wiped: an
	// object that comes after finds storage of its own.
	facets map[string]*node
	wiped  map[string]int
	// heardAt is when the last event happened to it.
	heardAt int64
	// lost is what its own last event did to its memory.
	lost durable.Loss
	// deleted nodes hear nothing more.
	deleted bool
}

func newNode(object, class, label string) *node {
	return &node{
		object: object, class: class, label: label, timers: map[string]int64{}, facets: map[string]*node{}, wiped: map[string]int{},
	}
}

// slot is where the node lives: the path of slots that leads to it, "" for the root.
func (n *node) slot() string { return strings.TrimSuffix(n.label, ": ") }

// facet returns the node in a slot, which is made when it is not there.
func (n *node) facet(f durable.Facet) *node {
	if have, ok := n.facets[f.Slot]; ok {
		return have
	}
	object, path := fmt.Sprintf("%s%s.%d", n.inside, f.Slot, n.wiped[f.Slot]), f.Slot
	if n.slot() != "" {
		path = n.slot() + "/" + path
	}
	made := newNode(object, f.Class, path+": ")
	made.inside = object + "/"
	n.facets[f.Slot] = made
	return made
}

// tree returns the node and then all below it, in the order of their slots.
func (n *node) tree() []*node {
	nodes := []*node{n}
	for _, slot := range slices.Sorted(maps.Keys(n.facets)) {
		nodes = append(nodes, n.facets[slot].tree()...)
	}
	return nodes
}

// forget loses what lives no longer than the object's in-memory part.
func (n *node) forget() {
	clear(n.timers)
	n.fetches, n.cancelled = nil, false
}

// succeeded notes that an event has not taken the node's memory.
func (n *node) succeeded(e durable.Event) {
	n.lost = durable.LostQuietly
	if _, ok := e.(durable.AlarmFired); ok {
		n.alarmFailures = 0
	}
}

func (n *node) disconnect(conn durable.ConnID) {
	n.conns = slices.DeleteFunc(n.conns, func(c durable.ConnID) bool { return c == conn })
}
