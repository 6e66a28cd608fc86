package durabletest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// node is one object of a world, with the timers, fetches and other effects of its commands.
type node struct {
	object, class string
	// inside is the prefix of the names of the objects in its slots.
	inside string
	// label is the prefix of its lines in a transcript. It is empty for the root.
	label  string
	conns  []durable.ConnID
	timers map[string]int64
	alarm  int64
	// alarmFailures is how many times in a row the alarm has failed.
	alarmFailures int
	fetches       []string
	// requests are those that wait for their answers.
	requests []string
	// cancelled says that the last fetch was cancelled, and that no fetch has begun since.
	cancelled bool
	// awake says that the object was in memory after the last event.
	awake bool
	// facets are the nodes in its slots. wiped counts how often a slot was wiped: a later object in
	// it gets storage of its own.
	facets map[string]*node
	wiped  map[string]int
	// lastEventAt is when the node handled its last event.
	lastEventAt int64
	// lost is the loss that its own last event caused.
	lost durable.Loss
	// deleted nodes receive no more events.
	deleted bool
}

func newNode(object, class, label string) *node {
	return &node{
		object: object, class: class, label: label, timers: map[string]int64{}, facets: map[string]*node{}, wiped: map[string]int{},
	}
}

// slot returns the path of slots that leads to the node, or "" for the root.
func (n *node) slot() string { return strings.TrimSuffix(n.label, ": ") }

// facet returns the node in a slot, and creates it if it does not exist.
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

// forget removes everything that lives only as long as the object's in-memory part.
func (n *node) forget() {
	clear(n.timers)
	n.fetches, n.requests, n.cancelled = nil, nil, false
}

// succeeded records an event that did not trap.
func (n *node) succeeded(e durable.Event) {
	n.lost = durable.LostQuietly
	if _, ok := e.(durable.AlarmFired); ok {
		n.alarmFailures = 0
	}
}

func (n *node) disconnect(conn durable.ConnID) {
	n.conns = slices.DeleteFunc(n.conns, func(c durable.ConnID) bool { return c == conn })
}
