package chat

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
)

// This file is about the requests that tools make, whose responses come in by events.

// fetched hands an event of a fetch to the model call, or to the tool, that it belongs
// to.
func (h *Host) fetched(tx *durable.Tx, name string, event durable.Event) {
	if !flow.IsFetch(name) {
		h.progress(tx, name, event)
		return
	}
	if h.live == nil {
		return
	}
	for _, r := range h.live.running {
		h.delivered = r.routine.Fetched(tx, name, event) || h.delivered
	}
}

// fetching says whether a tool waits for a response.
func (l *live) fetching() bool {
	return slices.ContainsFunc(l.running, func(r running) bool { return r.routine.Fetching() })
}

// waitOn makes sure that something wakes the object while a tool waits for a response,
// which is lost with the object's memory; whatever else a tool awaits wakes it by itself.
// And a parent may have to be told that nothing comes for long.
func (h *Host) waitOn(tx *durable.Tx) {
	l := h.live
	switch watched := tx.Scheduled(dueWatch, l.key()); {
	case l.fetching() && !watched:
		h.watch(tx)
	case !l.fetching() && watched:
		tx.Unschedule(dueWatch, l.key())
	}
	h.pumpAll(tx)
}

// Drop ends the tools that are under way, in memory only: a coroutine that is left
// waiting would stay there for ever.
func (h *Host) Drop() {
	if h.live == nil {
		return
	}
	for _, r := range h.live.running {
		r.routine.Drop()
	}
}
