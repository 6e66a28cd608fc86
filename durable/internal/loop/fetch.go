package loop

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
)

// This file is about the HTTP requests of tools. Their responses come in events.

// FetchEvent passes an event of a fetch to the model call or the tool that it belongs to.
func (l *Loop) FetchEvent(tx *durable.Tx, name string, event durable.Event) {
	if flow.Terminated(tx, name, event) {
		return
	}
	if !flow.IsFetch(name) {
		l.ModelEvent(tx, name, event)
		return
	}
	if l.active == nil {
		return
	}
	for _, r := range l.active.running {
		if r.routine.Fetched(tx, name, event) {
			l.report(tx, Awaited{})
		}
	}
}

// askWorkflow has the tool that waits for a Workflow ask how it goes on. A tool that is not running
// asks when it is run again.
func (l *Loop) askWorkflow(tx *durable.Tx, id string) {
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

// awaitTools arms the watchdog while a tool waits for a response, because the response is lost with
// the object's memory. Everything else that a tool awaits wakes the object by itself. The parent
// may have to be told that nothing will come for long.
func (l *Loop) awaitTools(tx *durable.Tx) {
	a := l.active
	switch watched := tx.Scheduled(dueWatchdog, a.key()); {
	case a.fetching() && !watched:
		l.armWatchdog(tx)
	case !a.fetching() && watched:
		tx.Unschedule(dueWatchdog, a.key())
	}
	l.KeepClocks(tx)
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
