package durabletest

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tributary-agents/tributary/durable"
)

// This file is for programs that drive a world in place of a script.

// Set sets a variable of the deployment. Objects see it when they are next opened.
func (w *World) Set(name, value string) { w.vars[name] = value }

// Tell delivers an event to the root.
func (w *World) Tell(e durable.Event) {
	switch e := e.(type) {
	case durable.SocketOpened:
		w.deliver(w.root, w.connect(e))
		return
	case durable.SocketMessage:
		w.deliver(w.root, w.claim(e))
		return
	case durable.SocketClosed:
		w.root.disconnect(e.Conn)
	}
	w.deliver(w.root, e)
}

// Connected returns the root's open sockets.
func (w *World) Connected() []durable.ConnID { return slices.Clone(w.root.conns) }

// Fetched delivers an event of a fetch to the object that has begun it. It returns false if no
// object waits for the fetch.
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

// Tick fires the next timer or alarm, at its due time.
func (w *World) Tick() { w.tick(1 << 60) }

// Advance moves time forward without firing anything.
func (w *World) Advance(to int64) { w.now = max(w.now, to) }

// Jump moves the wall clock, which alarms follow. Timers are not affected.
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

// Slots returns the slots of all objects: "" for the root, then the facets in order.
func (w *World) Slots() []string {
	var slots []string
	for _, n := range w.nodes() {
		slots = append(slots, n.slot())
	}
	return slots
}

// Object returns the name of the storage of the object in a slot, or "".
func (w *World) Object(slot string) string {
	if n := w.node(slot); n != nil {
		return n.object
	}
	return ""
}

// Class returns the class of the object in a slot, or "".
func (w *World) Class(slot string) string {
	if n := w.node(slot); n != nil {
		return n.class
	}
	return ""
}

// Evict discards the memory of the object in a slot, as the platform does. It returns false if
// there is no such object.
func (w *World) Evict(slot string) bool {
	n := w.node(slot)
	if n != nil {
		w.evict(n)
	}
	return n != nil
}

// Forget discards the memory of every object that is idle, that no object waits for, and that has
// had no event since a time. It returns the slots of these objects.
func (w *World) Forget(since int64) (slots []string) {
	for _, n := range w.nodes() {
		coming := slices.ContainsFunc(w.queue, func(d delivery) bool { return d.to == n && d.link.from == n })
		if w.awake(n) && n.lastEventAt <= since && !coming && !w.busy(n) {
			w.evict(n)
			slots = append(slots, n.slot())
		}
	}
	return slots
}

// Alarm returns when the root's alarm goes off, or 0.
func (w *World) Alarm() int64 { return w.root.alarm }

// Retire ends the instance that all objects live in. Their timers, fetches and links go on until
// each object's next event.
func (w *World) Retire() {
	for _, n := range w.nodes() {
		w.drop(n)
	}
}

// Crash discards all memory and all sockets.
func (w *World) Crash() { w.crash() }

// Holding returns what the world still holds and must not hold when it is at rest.
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

// Open opens the object in a slot if it is not in memory.
func (w *World) Open(slot string) {
	if n := w.node(slot); n != nil && !w.awake(n) {
		w.happen(n, nil)
	}
}

// Restart begins the world at a time, with the root's alarm as the platform has kept it, or 0 for
// none. It is for storage that was written before the world was made.
func (w *World) Restart(now, alarm int64) {
	w.now, w.root.alarm = now, alarm
}
