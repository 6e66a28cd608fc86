package chat

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is the parent's side of a helper that waits for a person. While it waits, no stream is
// open and no alarm is set. Whenever a message to the helper may have answered it, the stream of
// the run is opened again.

// runPaused notes that a run will bring nothing for long, because it waits for a person or sleeps.
func (o *Object) runPaused(tx *durable.Tx, r run.Run, p facet.Pause) {
	if p.IdleUntil > 0 {
		o.suspendRun(tx, r, p.IdleUntil)
		return
	}
	o.scheduleWake(tx, r.ID, p.Waken)
	calls := slices.DeleteFunc(p.WaitsFor, func(call string) bool { return !isID(call, limit.ID) })
	o.waitFor(tx, r, calls[:min(len(calls), 16*limit.ToolCalls)])
}

// waitFor notes that a run waits for people's answers to calls in its helper.
func (o *Object) waitFor(tx *durable.Tx, r run.Run, calls []string) {
	delete(o.tailReaders, r.ID)
	tx.Unschedule(dueTail, r.ID)
	tx.Unschedule(dueIdleTimeout, r.ID)
	run.Wait(tx, &r, calls)
	o.armDeadline(tx, r)
	o.armReconcile(tx)
	o.flushTails(tx) // this object's own parent may be waiting for nothing else
}

// sendToHelper sends a helper a message that may be the answer its run waits for. Until the helper
// has acknowledged the message, the run does not count as waiting.
func (o *Object) sendToHelper(tx *durable.Tx, r run.Run, call string, data []byte) {
	if o.unacknowledged == nil {
		o.unacknowledged = map[string]int{}
	}
	o.unacknowledged[r.ID]++
	tx.Do(durable.Call{Call: call, To: facet.Of(r), Data: data})
}

// acknowledged notes that a helper has acknowledged a message, and opens the stream of its run
// again.
func (o *Object) acknowledged(tx *durable.Tx, r run.Run) {
	if o.unacknowledged[r.ID]--; o.unacknowledged[r.ID] <= 0 {
		delete(o.unacknowledged, r.ID)
	}
	o.resumeDormant(tx, r)
}

// reconcileRuns asks helpers that have been silent for a while. A call may hang, and a stream may
// be silent because its writer has lost its memory. The request wakes the helper, which answers at
// least with a heartbeat.
func (o *Object) reconcileRuns(tx *durable.Tx) {
	o.reconcileCount++
	for _, r := range run.Active(tx) {
		f := o.tailReaders[r.ID]
		switch {
		case r.Status == run.Starting && !tx.Scheduled(dueTail, r.ID):
			o.retryStart(tx, r.ID)
		case r.Status == run.Starting, o.isDormant(tx, r):
		case f == nil || !f.alive && !tx.Scheduled(dueTail, r.ID):
			o.openTail(tx, r)
		default:
			f.alive = false
		}
	}
	o.sendCancels(tx)
	o.sendAnswers(tx)
	o.armReconcile(tx)
}

// resumeDormant opens the stream of a dormant run again. The run may go on because its helper was
// sent a message.
func (o *Object) resumeDormant(tx *durable.Tx, r run.Run) {
	if o.isDormant(tx, r) {
		tx.Unschedule(dueTail, r.ID)
		o.openTail(tx, r)
		o.armReconcile(tx)
	}
}
