package chat

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
)

// This file is about the HTTP requests of tools. Their responses come in events.

// fetchEvent passes an event of a fetch to the model call or the tool that it belongs to.
func (o *Object) fetchEvent(tx *durable.Tx, name string, event durable.Event) {
	if !flow.IsFetch(name) {
		o.modelEvent(tx, name, event)
		return
	}
	if o.active == nil {
		return
	}
	for _, r := range o.active.running {
		o.agenda.resume = r.routine.Fetched(tx, name, event) || o.agenda.resume
	}
}

// fetching says whether a tool waits for a response.
func (a *activeTurn) fetching() bool {
	return slices.ContainsFunc(a.running, func(r running) bool { return r.routine.Fetching() })
}

// awaitTools arms the watchdog while a tool waits for a response, because the response is lost with
// the object's memory. Everything else that a tool awaits wakes the object by itself. The parent
// may have to be told that nothing will come for long.
func (o *Object) awaitTools(tx *durable.Tx) {
	a := o.active
	switch watched := tx.Scheduled(dueWatchdog, a.key()); {
	case a.fetching() && !watched:
		o.armWatchdog(tx)
	case !a.fetching() && watched:
		tx.Unschedule(dueWatchdog, a.key())
	}
	o.tails.FlushAll(tx)
}

// Drop ends the running tools, in memory only. Otherwise their coroutines would wait for ever.
func (o *Object) Drop() {
	if o.active == nil {
		return
	}
	for _, r := range o.active.running {
		r.routine.Drop()
	}
}
