package durabletest

import (
	"errors"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// HandledEvent is an event that an object has handled, with its outcome.
type HandledEvent struct {
	// Slot is where the object lives, "" for the root. Object names its storage.
	Slot, Object string
	// Event is nil if the object was only opened.
	Event durable.Event
	// Opened says that the object was not in memory before. The first commands are then its answer
	// to being opened.
	Opened   bool
	Commands []durable.Command
	// Performed is how many of the commands were performed, from the first on. The others were lost
	// with the process, see [World.Lose].
	Performed int
	// Trap is the error that lost the event and all memory, or nil.
	Trap error
}

// awake says whether a node's object is in memory.
func (w *World) awake(n *node) bool { return w.engine.Awake(n.object) }

// reopen ends the work and the waiters of a node's earlier in-memory part, except for the link that
// is arriving. It says whether the event belongs to that earlier work.
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

// trapped does what the platform does for an event that was lost: it tells the other ends of links,
// closes the socket of the event, or repeats an alarm.
func (w *World) trapped(n *node, e durable.Event, err error) {
	if errors.Is(err, ErrKilled) {
		_, alarm := e.(durable.AlarmFired)
		w.killed(n, alarm)
		return
	}
	if refused := (RefusedError{}); errors.As(err, &refused) {
		w.refused(n, e, refused)
		return
	}
	w.note(n, "trap")
	n.lost = durable.LostByTrap
	if strings.Contains(err.Error(), "out of memory") {
		n.lost = durable.LostByMemory
	}
	w.abandon(n, "")
	n.requests = nil
	switch e := e.(type) {
	case durable.SocketOpened:
		w.disconnect(n, e.Conn)
	case durable.SocketMessage:
		w.disconnect(n, e.Conn)
	case durable.AlarmFired:
		w.repeatAlarm(n)
	}
}

// refused does what the platform does for an event of an object that was not opened. Whoever waits
// for the object is told to come again later.
func (w *World) refused(n *node, e durable.Event, why RefusedError) {
	w.note(n, "refused: %s", why.Reason)
	w.abandon(n, "")
	switch e := e.(type) {
	case durable.RequestReceived:
		n.answer(e.Request)
		w.note(n, "respond %s 503", e.Request)
	case durable.SocketOpened:
		w.note(n, "respond %s 503", e.Conn)
		n.disconnect(e.Conn)
	case durable.SocketMessage:
		w.note(n, "close %s 1013 not available", e.Conn)
		n.disconnect(e.Conn)
	case durable.AlarmFired:
		n.alarm, n.alarmFailures = w.now+refusedAgain, 0
	}
}

// wake reopens at once the busy objects that the end of an instance has discarded, except the node
// whose event ended it. It leaves alone objects that were not in memory before.
func (w *World) wake(heard *node) {
	var lost []*node
	for _, n := range w.nodes() {
		if n.awake && !w.awake(n) {
			n.awake = false
			lost = append(lost, n)
		}
	}
	for _, n := range lost {
		if n != heard && !w.awake(n) && w.busy(n) {
			w.happen(n, nil)
		}
	}
}

// busy says whether a node has work under way, or another object waits for it.
func (w *World) busy(n *node) bool {
	for _, l := range w.links {
		if l.from == n || l.to == n {
			return true
		}
	}
	return len(n.timers) > 0 || len(n.fetches) > 0
}

func (w *World) disconnect(n *node, conn durable.ConnID) {
	w.note(n, "close %s 1011 the object failed", conn)
	n.disconnect(conn)
}
