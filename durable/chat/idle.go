package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is about a helper in which nothing happens for a long time, because its tools sleep. It
// tells its parent, which closes its stream and wakes it in time. So an hour's sleep holds no
// stream and no timer in either object.

// idleUntil returns the time of the next event in a run's turn. It is 0 if the turn is at work, or
// if the next event does not depend on the schedule alone.
func (o *Object) idleUntil(tx *durable.Tx, k task.Task) int64 {
	if !o.loop.Has(k.Turn) {
		return 0
	}
	return o.loop.SleepsUntil(tx)
}

// pauseOf says why a run produces nothing for a long time, if it does not: it waits for a person,
// here or in a helper below, or nothing happens before a certain time.
func (o *Object) pauseOf(tx *durable.Tx, k task.Task) (facet.Pause, bool) {
	if o.loop.Asking(k.Turn) { // a model answers
		return facet.Pause{}, false
	}
	if calls := waitsFor(tx, k); len(calls) > 0 {
		return facet.Pause{WaitsFor: calls, Waken: o.nextWakeNeeded(tx)}, true
	}
	if calls := o.waitsBelow(tx); len(calls) > 0 && o.loop.Has(k.Turn) {
		return facet.Pause{WaitsFor: calls, Waken: o.nextWakeNeeded(tx)}, true
	}
	until := o.idleUntil(tx, k)
	return facet.Pause{IdleUntil: until}, until > 0
}

// waitsBelow returns the calls in helpers below that the active turn waits for, if it waits for
// nothing else.
func (o *Object) waitsBelow(tx *durable.Tx) []string {
	if !o.loop.AwaitsTools() || durable.NextDueOf(tx, isWorkKind) > 0 || len(run.UnacknowledgedCancels(tx)) > 0 {
		return nil
	}
	return o.runs.WaitsFor(tx)
}

// work tells the parent's streams of the object's work.
type work struct{ o *Object }

// Usage implements [task.Work].
func (w work) Usage(k task.Task) run.Usage { return w.o.taskUsage(k) }

// Pause implements [task.Work].
func (w work) Pause(tx *durable.Tx, k task.Task) (facet.Pause, bool) { return w.o.pauseOf(tx, k) }

// NextWake implements [task.Work].
func (w work) NextWake(tx *durable.Tx) int64 { return w.o.nextWakeNeeded(tx) }
