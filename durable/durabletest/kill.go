package durabletest

import (
	"errors"
	"slices"
)

// ErrKilled is the error of an event inside of which the process was killed. Code under test panics with it
// for a frozen event whose process is ended from outside. The event is rolled back, all memory is lost, and
// nobody is left who knows why.
var ErrKilled = errors.New("durabletest: the process was killed inside the event")

// kill discards the memory of all objects.
func (n *Native) kill() {
	n.containment = containment{}
	var awake []string
	for name, c := range n.cells {
		if c.object != nil {
			awake = append(awake, name)
		}
	}
	slices.Sort(awake)
	for _, name := range awake {
		n.cells[name].discard()
	}
}

// killed does what the platform does after an event inside of which the process was killed: all memory and
// all sockets are gone, and the alarm of the event is repeated.
func (w *World) killed(n *node, alarm bool) {
	w.note(n, "killed")
	for _, other := range w.worlds {
		other.crash()
		for _, each := range other.nodes() {
			each.lost = ""
		}
	}
	if alarm {
		w.repeatAlarm(n)
	}
}
