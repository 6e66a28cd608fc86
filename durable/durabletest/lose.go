package durabletest

import "github.com/tributary-agents/tributary/durable"

// processLoss is an object whose process dies between the commit of its next event and the end of
// the event's commands.
type processLoss struct {
	node *node
	// after is how many commands are performed before the process dies.
	after int
}

// Lose makes the process of the object in a slot die after its next event that has more than after
// commands. The event commits, the first after commands are performed, and the others are lost. The
// caller discards the memory when the witness reports fewer performed commands than there were.
func (w *World) Lose(slot string, after int) {
	w.losing = processLoss{node: w.node(slot), after: after}
}

// survive returns how many commands of an event are performed.
func (w *World) survive(n *node, commands []durable.Command, trap error) int {
	if trap != nil || n != w.losing.node || len(commands) <= w.losing.after {
		return len(commands)
	}
	w.losing.node = nil
	return w.losing.after
}

// unfinished does what the platform does for an event whose process died before it returned: it
// repeats an alarm.
func (w *World) unfinished(n *node, e durable.Event) {
	if _, ok := e.(durable.AlarmFired); ok && n.alarm == 0 {
		w.repeatAlarm(n)
	}
}
