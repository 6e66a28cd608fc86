package durabletest

import "github.com/tributary-agents/tributary/durable"

// losing is the object whose process dies between the commit of its next event and the
// performance of what came of it.
type losing struct {
	node *node
	// after is how many commands are performed before that.
	after int
}

// Lose has the process of the object in a slot die when its next event that brings about more
// than so many commands has committed and these are performed: the others are lost. Whoever
// asks for it takes the memory away, when the witness is told of fewer commands performed than
// there were.
func (w *World) Lose(slot string, after int) {
	w.losing = losing{node: w.node(slot), after: after}
}

// survive returns how many of the commands of an event are performed.
func (w *World) survive(n *node, commands []durable.Command, trap error) int {
	if trap != nil || n != w.losing.node || len(commands) <= w.losing.after {
		return len(commands)
	}
	w.losing.node = nil
	return w.losing.after
}

// unfinished does what the platform does for an event whose process died before it returned:
// an alarm goes off again.
func (w *World) unfinished(n *node, e durable.Event) {
	if _, ok := e.(durable.AlarmFired); ok && n.alarm == 0 {
		w.repeatAlarm(n)
	}
}
