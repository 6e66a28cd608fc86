package durabletest

import (
	"maps"
	"slices"

	"github.com/tributary-agents/tributary/durable"
)

// World is a tree of objects with their environment. It delivers events, keeps the effects of the
// objects' commands, carries messages between objects, and notes everything.
type World struct {
	*isolate
	root *node
	// client stands for all who read responses that are streamed. It is no object.
	client *node
	// heard is called with what arrives at the client, or nil.
	heard func(durable.Event)
	// claims are those of who connects or asks next, and claimed those of the open sockets.
	claims  string
	claimed map[durable.ConnID]string

	vars    map[string]string
	secrets []string
	// queue holds the messages between objects. If it is held, the driver of the world decides what
	// arrives next.
	queue []delivery
	held  bool
	links map[string]*link
	made  int
	// posts counts the requests that had a body.
	posts int
	// witness is called for every event that was handled.
	witness func(HandledEvent)
	// losing says which object's next commands are lost.
	losing processLoss

	replies map[string]string
	out     []string
}

// NewWorld returns a world around one object of a class.
func NewWorld(engine Engine, class, object string) *World {
	return (&isolate{engine: engine, now: 1_700_000_000_000}).world(class, object, map[string]string{})
}

// deliver delivers one event to a node, performs its commands, and then delivers all messages
// between objects.
func (w *World) deliver(n *node, e durable.Event) {
	w.happen(n, e)
	w.drain()
}

func (w *World) drain() {
	for len(w.queue) > 0 && !w.held {
		next := w.queue[0]
		w.queue = w.queue[1:]
		w.arrive(next)
	}
}

// arrive delivers a message, unless its receiver ignores the link.
func (w *World) arrive(d delivery) {
	if d.stale() {
		return
	}
	d.link.arrived = d.link.arrived || d.to == d.link.to
	w.happen(d.to, d.event)
}

// happen delivers one event to a node and performs its commands. A node that is not in memory is
// opened first, which ends the work of its earlier part. If the event belongs to that work, it is
// dropped, and the node is only opened.
func (w *World) happen(n *node, e durable.Event) {
	if n.deleted {
		return
	}
	if n == w.client {
		w.read(e)
		return
	}
	ended := w.expire()
	opening := !w.awake(n)
	if opening && w.reopen(n, e) {
		e = nil
	}
	if asked, ok := e.(durable.RequestReceived); ok {
		n.requests = append(n.requests, asked.Request)
	}
	commands, err := w.engine.Step(n.object, w.now, w.opened(n, e), e)
	performed := w.survive(n, commands, err)
	for _, c := range commands[:performed] {
		w.perform(n, c)
	}
	switch {
	case err != nil:
		w.trapped(n, e, err)
	case performed < len(commands):
		w.unfinished(n, e)
	default:
		n.succeeded(e)
	}
	n.lastEventAt = w.now
	w.witness(HandledEvent{Slot: n.slot(), Object: n.object, Event: e, Opened: opening, Commands: commands, Performed: performed, Trap: err})
	if ended || err != nil {
		w.wakeAll(n)
	}
	n.awake = w.awake(n)
}

func (w *World) opened(n *node, e durable.Event) durable.Opened {
	opened := durable.Opened{Class: n.class, Name: n.object, Conns: slices.Clone(n.conns), Vars: maps.Clone(w.vars), Secrets: w.secrets, Lost: n.lost}
	if arriving, ok := e.(durable.SocketOpened); ok { // this event reports the socket
		opened.Conns = slices.DeleteFunc(opened.Conns, func(c durable.ConnID) bool { return c == arriving.Conn })
	}
	return opened
}

func (w *World) send(l *link, to *node, e durable.Event) {
	w.queue = append(w.queue, delivery{link: l, to: to, event: e})
}

func (w *World) evict(n *node) {
	w.drop(n)
	w.lose(n, "")
}

func (w *World) drop(n *node) {
	w.engine.Evict(n.object)
	n.awake = false
}

// crash discards every object's memory, and the sockets.
func (w *World) crash() {
	for _, n := range w.nodes() {
		w.drop(n)
		n.forget()
	}
	w.root.conns, w.queue = nil, nil
	clear(w.links)
}

// nodes returns the root and then the facets in the order of their slots.
func (w *World) nodes() []*node { return w.root.tree() }

// wipe deletes the object in a slot of a node, with all objects below it.
func (w *World) wipe(n *node, slot string) {
	gone := n.facets[slot]
	if gone == nil {
		return
	}
	for _, below := range gone.tree() {
		w.arriveNever(below)
		w.evict(below)
		below.deleted = true
	}
	delete(n.facets, slot)
	n.wiped[slot]++
}

// next returns what is due first: the node, the time, and a timer's name, or "" for the alarm.
func (w *World) next() (due *node, at int64, timer string) {
	for _, n := range w.nodes() {
		if n.alarm > 0 && (due == nil || n.alarm < at) {
			due, at, timer = n, n.alarm, ""
		}
		for _, name := range slices.Sorted(maps.Keys(n.timers)) {
			if due == nil || n.timers[name] < at {
				due, at, timer = n, n.timers[name], name
			}
		}
	}
	return due, at, timer
}

// tick fires the next timer or alarm that is due by a time, and says whether there was one.
func (w *World) tick(until int64) bool {
	n, at, timer := w.next()
	if n == nil || at > until {
		return false
	}
	w.now = max(w.now, at)
	if timer == "" {
		n.alarm = 0
		w.deliver(n, durable.AlarmFired{})
		return true
	}
	delete(n.timers, timer)
	w.deliver(n, durable.TimerFired{Timer: timer})
	return true
}
