package durabletest

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tributary-agents/tributary/durable"
)

// This file is for whoever drives a world in place of a script.

// Set sets a variable of the deployment. Objects hear of it when they are opened.
func (w *World) Set(name, value string) { w.vars[name] = value }

// Tell lets an event happen to the root.
func (w *World) Tell(e durable.Event) {
	switch e := e.(type) {
	case durable.SocketOpened:
		w.root.conns = append(w.root.conns, e.Conn)
	case durable.SocketClosed:
		w.root.disconnect(e.Conn)
	}
	w.deliver(w.root, e)
}

// Connected returns the sockets that the root has.
func (w *World) Connected() []durable.ConnID { return slices.Clone(w.root.conns) }

// Fetched lets an event of a fetch happen to whoever has begun it, and says whether
// anybody still waits for it.
func (w *World) Fetched(slot, fetch string, e durable.Event) bool {
	n := w.node(slot)
	if n == nil || !slices.Contains(n.fetches, fetch) {
		return false
	}
	switch e.(type) {
	case durable.FetchEnded, durable.FetchFailed:
		n.fetches = slices.DeleteFunc(n.fetches, func(f string) bool { return f == fetch })
	}
	w.deliver(n, e)
	return true
}

// Now returns the time, in milliseconds since 1970.
func (w *World) Now() int64 { return w.now }

// Due returns when the next timer or alarm goes off, if there is one.
func (w *World) Due() (at int64, ok bool) {
	n, at, _ := w.next()
	return at, n != nil
}

// Tick lets the next timer or alarm go off, when its time has come.
func (w *World) Tick() { w.tick(1 << 60) }

// Advance lets time pass in which nothing happens.
func (w *World) Advance(to int64) { w.now = max(w.now, to) }

// Jump moves the clock on the wall, by which alarms go; timers do not notice.
func (w *World) Jump(by int64) {
	w.now += by
	for _, other := range w.worlds {
		for _, n := range other.nodes() {
			for name := range n.timers {
				n.timers[name] += by
			}
		}
	}
}

// Slots returns where objects live: "" for the root, and then the facets in order.
func (w *World) Slots() []string {
	var slots []string
	for _, n := range w.nodes() {
		slots = append(slots, n.slot())
	}
	return slots
}

// Object names the storage of the object in a slot, or returns "".
func (w *World) Object(slot string) string {
	if n := w.node(slot); n != nil {
		return n.object
	}
	return ""
}

// Evict takes the memory of the object in a slot, as the platform does, and says
// whether there is one.
func (w *World) Evict(slot string) bool {
	n := w.node(slot)
	if n != nil {
		w.evict(n)
	}
	return n != nil
}

// Forget takes the memory of every object that has nothing under way, for which nobody
// waits, and that has heard of nothing since a time. It returns where those live.
func (w *World) Forget(since int64) (slots []string) {
	for _, n := range w.nodes() {
		coming := slices.ContainsFunc(w.queue, func(d delivery) bool { return d.to == n && d.link.from == n })
		if w.awake(n) && n.heardAt <= since && !coming && !w.busy(n) {
			w.evict(n)
			slots = append(slots, n.slot())
		}
	}
	return slots
}

// Alarm returns when the alarm of the root goes off, or 0.
func (w *World) Alarm() int64 { return w.root.alarm }

// Retire takes the instance that all objects live in. Their timers, fetches and links
// go on until the next event of each.
func (w *World) Retire() {
	for _, n := range w.nodes() {
		w.drop(n)
	}
}

// Crash takes everything that is in memory, and the sockets.
func (w *World) Crash() { w.crash() }

// Holding returns what a world that rests must not hold.
func (w *World) Holding() []string {
	var held []string
	for _, n := range w.nodes() {
		if n.alarm > 0 {
			held = append(held, n.label+"an alarm")
		}
		for _, timer := range slices.Sorted(maps.Keys(n.timers)) {
			held = append(held, n.label+"the timer "+timer)
		}
		for _, fetch := range n.fetches {
			held = append(held, n.label+"the fetch "+fetch)
		}
	}
	for _, l := range w.sorted() {
		held = append(held, fmt.Sprintf("%s%s to %s", l.from.label, l.name, l.to.slot()))
	}
	return held
}

func (w *World) node(slot string) *node {
	for _, n := range w.nodes() {
		if n.slot() == slot {
			return n
		}
	}
	return nil
}

// Open brings the object in a slot into memory, if it is not there.
func (w *World) Open(slot string) {
	if n := w.node(slot); n != nil && !w.awake(n) {
		w.happen(n, nil)
	}
}
