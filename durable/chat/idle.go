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

// minIdle is the shortest sleep that is handled this way, in milliseconds.
const minIdle = 60_000

// idleUntil returns the time of the next event in a run's turn. It is 0 if the turn is at work, or
// if the next event does not depend on the schedule alone.
func (o *Object) idleUntil(tx *durable.Tx, k task.Task) int64 {
	if o.active == nil || o.active.turn.Seq != k.Turn {
		return 0
	}
	return o.sleepsUntil(tx)
}

// sleepsUntil does the same for the active turn.
func (o *Object) sleepsUntil(tx *durable.Tx) int64 {
	a := o.active
	if a.answer != nil || len(a.running) == 0 || a.fetching() || len(run.UnacknowledgedCancels(tx)) > 0 {
		return 0
	}
	if !o.runs.AllDormant(tx) {
		return 0
	}
	due := durable.NextDue(tx)
	if due-tx.Now < minIdle {
		return 0
	}
	return due
}

// pauseOf says why a run produces nothing for a long time, if it does not: it waits for a person,
// here or in a helper below, or nothing happens before a certain time.
func (o *Object) pauseOf(tx *durable.Tx, k task.Task) (facet.Pause, bool) {
	if a := o.active; a != nil && a.turn.Seq == k.Turn && a.answer != nil { // a model answers
		return facet.Pause{}, false
	}
	if calls := waitsFor(tx, k); len(calls) > 0 {
		return facet.Pause{WaitsFor: calls, Waken: o.nextWakeNeeded(tx)}, true
	}
	if calls := o.waitsBelow(tx); len(calls) > 0 && o.active.turn.Seq == k.Turn {
		return facet.Pause{WaitsFor: calls, Waken: o.nextWakeNeeded(tx)}, true
	}
	until := o.idleUntil(tx, k)
	return facet.Pause{IdleUntil: until}, until > 0
}

// waitsBelow returns the calls in helpers below that the active turn waits for, if it waits for
// nothing else.
func (o *Object) waitsBelow(tx *durable.Tx) []string {
	a := o.active
	if a == nil || a.answer != nil || len(a.running) == 0 || durable.NextDueOf(tx, isWorkKind) > 0 || len(run.UnacknowledgedCancels(tx)) > 0 {
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
