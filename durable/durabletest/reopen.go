package durabletest

import (
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
	// Trap is what took the event, and everything in memory, or nil.
	Trap error
}

// awake says whether a node's in-memory part is there. An engine that does not tell
// is believed to have it always.
func (w *World) awake(n *node) bool {
	k, ok := w.engine.(Keeper)
	return !ok || k.Awake(n.object)
}

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
	w.orphan(n)
	switch e := e.(type) {
	case durable.SocketOpened:
		w.hangUp(n, e.Conn)
	case durable.SocketMessage:
		w.hangUp(n, e.Conn)
	case durable.AlarmFired:
		n.alarm = w.now + alarmAgain
	}
}

// orphan opens every other node that has lost its memory to a trap, if anything of it is
// under way: nobody shall wait for what is not there any more.
func (w *World) orphan(trapped *node) {
	for _, n := range w.nodes() {
		if n != trapped && !w.awake(n) && w.busy(n) {
			w.queue = append(w.queue, delivery{link: &link{from: n, name: "open"}, to: n})
		}
	}
}

func (w *World) busy(n *node) bool {
	for _, l := range w.links {
		if l.from == n || l.to == n && l.arrived {
			return true
		}
	}
	return len(n.timers) > 0 || len(n.fetches) > 0
}

// alarmAgain is how long the platform waits before an alarm that failed goes off
// again, in milliseconds.
const alarmAgain = 2000

func (w *World) hangUp(n *node, conn durable.ConnID) {
	w.note(n, "close %s 1011 the object failed", conn)
	n.disconnect(conn)
}
