package loop

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
)

// This file is about the events that tools wait for in memory: the responses to their HTTP requests, and
// timers.

// Fetched passes an event of a fetch to the code of the tool that has made it.
func (l *Loop) Fetched(tx *durable.Tx, name string, event durable.Event) {
	if l.active == nil {
		return
	}
	for _, r := range l.active.running {
		if r.routine.Fetched(tx, name, event) {
			l.report(tx, Awaited{})
		}
	}
}

// SliceFired passes the event of a slice's timer to the code that goes on with it. Code of a held loop goes on later.
func (l *Loop) SliceFired(tx *durable.Tx, timer string) {
	if l.active != nil && !l.paused && slices.ContainsFunc(l.active.running, func(r running) bool { return r.routine.Fired(timer) }) {
		l.report(tx, Awaited{})
	}
}

// AskWorkflow has the tool that waits for a Workflow ask how it goes on. A tool that is not running
// asks when it is run again.
func (l *Loop) AskWorkflow(tx *durable.Tx, id string) {
	if l.active == nil {
		return
	}
	for _, r := range l.active.running {
		r.routine.Ask(tx, id)
	}
}

// fetching says whether a tool waits for a response.
func (a *activeTurn) fetching() bool {
	return slices.ContainsFunc(a.running, func(r running) bool { return r.routine.Fetching() })
}

// waitsInMemory says whether a tool waits for what is lost with the object's memory: a response, or the
// timer with which code of a model goes on.
func (l *Loop) waitsInMemory() bool { return l.active.fetching() || l.WaitsForSlice() }

// WaitsForSlice says whether code of a model waits for the timer with which it goes on. It has none while the
// loop is held.
func (l *Loop) WaitsForSlice() bool {
	return l.active != nil && !l.paused && slices.ContainsFunc(l.active.running, func(r running) bool { return r.routine.WaitsForSlice() })
}

// awaitTools arms the watchdog while a tool waits for what is lost with the object's memory. Everything
// else that a tool awaits wakes the object by itself. The parent may have to be told that nothing will
// come for long.
func (l *Loop) awaitTools(tx *durable.Tx) {
	a := l.active
	switch due := tx.DueAt(dueWatchdog, a.key()); {
	case l.waitsInMemory():
		if due == 0 || due-tx.Now > l.watchdogDelay(tx.Now) {
			l.armWatchdog(tx)
		}
	case due > 0:
		tx.Unschedule(dueWatchdog, a.key())
	}
	l.Flush(tx)
	l.report(tx, Changed{})
}

// Drop ends the running tools, in memory only. Otherwise their coroutines would wait for ever.
func (l *Loop) Drop() {
	if l.active == nil {
		return
	}
	for _, r := range l.active.running {
		r.routine.Drop()
	}
}
