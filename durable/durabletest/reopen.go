package durabletest

import (
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// Happening is one event that has happened to an object, with what came of it.
type Happening struct {
	// Slot is where the object lives, "" for the root; Object names its storage.
	Slot, Object string
	// Event is nil where opening was all that happened.
	Event durable.Event
	// Opened says that the object was not in memory before, and that the first of the
	// commands are what it had to say to that.
	Opened   bool
	Commands []durable.Command
	// Performed is how many of the commands were performed, from the first on. The rest was
	// lost with the process, see [World.Lose].
	Performed int
	// Trap is what took the event, and everything in memory, or nil.
	Trap error
}

// awake says whether a node's in-memory part is there.
func (w *World) awake(n *node) bool { return w.engine.Awake(n.object) }

// reopen ends what a node's earlier in-memory part had begun and what waited for it,
// but for what just arrives, and says whether that is what the event tells of.
func (w *World) reopen(n *node, e durable.Event) bool {
	arriving := ""
	switch e := e.(type) {
	case durable.CallReceived:
		arriving = e.Call
	case durable.StreamRequested:
		arriving = e.Stream
	}
	w.lose(n, arriving)
	switch e.(type) {
	case durable.TimerFired, durable.FetchResponded, durable.FetchChunk, durable.FetchEnded, durable.FetchFailed,
		durable.CallAnswered, durable.CallFailed, durable.StreamData, durable.StreamEnded, durable.StreamFailed, durable.StreamDrained:
		return true
	}
	return false
}

// trapped does what the platform does for an event that was lost: who can be told is
// told, and an alarm goes off again.
func (w *World) trapped(n *node, e durable.Event, err error) {
	w.note(n, "trap")
	n.lost = durable.LostByTrap
	if strings.Contains(err.Error(), "out of memory") {
		n.lost = durable.LostByMemory
	}
	w.abandon(n, "")
	switch e := e.(type) {
	case durable.SocketOpened:
		w.hangUp(n, e.Conn)
	case durable.SocketMessage:
		w.hangUp(n, e.Conn)
	case durable.AlarmFired:
		w.repeatAlarm(n)
	}
}

// wake opens at once what a trap has taken beside the node that trapped, where
// anything of it is under way. What was not there before is left alone.
func (w *World) wake(trapped *node) {
	var lost []*node
	for _, n := range w.nodes() {
		if n.awake && !w.awake(n) {
			n.awake = false
			lost = append(lost, n)
		}
	}
	for _, n := range lost {
		if n != trapped && !w.awake(n) && w.busy(n) {
			w.happen(n, nil)
		}
	}
}

// busy says whether anything that a node has begun is under way, or anybody waits for
// it.
func (w *World) busy(n *node) bool {
	linked := func(l *link) bool { return l.from == n || l.to == n }
	return len(n.timers) > 0 || len(n.fetches) > 0 || slices.ContainsFunc(w.sorted(), linked)
}

func (w *World) hangUp(n *node, conn durable.ConnID) {
	w.note(n, "close %s 1011 the object failed", conn)
	n.disconnect(conn)
}
