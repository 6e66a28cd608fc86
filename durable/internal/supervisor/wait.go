package supervisor

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

// runPaused notes that a run will bring nothing for long, because it waits for a person, sleeps or
// is paused.
func (s *Supervisor) runPaused(tx *durable.Tx, r run.Run, p facet.Pause) {
	if s.isOutdated(tx, r, p) {
		s.openTail(tx, r)
		return
	}
	if p.Held || r.Status == run.Paused {
		s.pausedSaid(tx, r, p)
		return
	}
	if p.IdleUntil > 0 {
		s.suspendRun(tx, r, p.IdleUntil)
		return
	}
	s.ScheduleWake(tx, r.ID, p.Waken)
	s.waitFor(tx, r, validCalls(p.WaitsFor), p.Pending)
}

// validCalls returns the ids of calls that a helper has sent, without those that can be none.
func validCalls(calls []string) []string {
	calls = slices.DeleteFunc(calls, func(call string) bool { return !limit.IsID(call, limit.ID) })
	return calls[:min(len(calls), 16*limit.ToolCalls)]
}

// waitFor notes that a run waits for people's answers to calls in its helper.
func (s *Supervisor) waitFor(tx *durable.Tx, r run.Run, calls []string, asked []run.Pending) {
	delete(s.tailReaders, r.ID)
	tx.Unschedule(dueTail, r.ID)
	tx.Unschedule(dueIdleTimeout, r.ID)
	run.Wait(tx, &r, calls, asked)
	s.armDeadline(tx, r)
	s.ArmReconcile(tx)
	s.report(tx, Dormant{}) // this object's own parent may be waiting for nothing else
	s.notifyOrigin(tx, &r, false)
}

// Send sends a helper a message that may be the answer its run waits for. Until the helper
// has acknowledged the message, the run does not count as waiting.
func (s *Supervisor) Send(tx *durable.Tx, r run.Run, call string, data []byte) {
	if s.unacknowledged == nil {
		s.unacknowledged = map[string]int{}
	}
	s.unacknowledged[r.ID]++
	tx.Do(durable.Call{Call: call, To: facet.Of(r), Data: data})
}

// Acknowledged notes that a helper has acknowledged a message, and opens the stream of its run
// again.
func (s *Supervisor) Acknowledged(tx *durable.Tx, r run.Run) {
	if s.unacknowledged[r.ID]--; s.unacknowledged[r.ID] <= 0 {
		delete(s.unacknowledged, r.ID)
	}
	s.resumeDormant(tx, r)
}

// reconcileRuns asks helpers that have been silent for a while. A call may hang, and a stream may
// be silent because its writer has lost its memory. The request wakes the helper, which answers at
// least with a heartbeat.
func (s *Supervisor) reconcileRuns(tx *durable.Tx) {
	s.reconcileCount++
	active, before := run.Active(tx), repeated(tx)
	for _, r := range active {
		f := s.tailReaders[r.ID]
		switch {
		case r.Status == run.Starting && !tx.Scheduled(dueTail, r.ID):
			if r.Slot > 0 && repeat(tx, before, owedOf(r)) {
				s.retryStart(tx, r.ID)
			}
		case r.Status == run.Starting, s.isDormant(tx, r):
		case f == nil || !f.alive && !tx.Scheduled(dueTail, r.ID):
			s.askSilent(tx, before, r)
		default:
			f.alive = false
		}
	}
	s.sendUnacknowledged(tx, active, false)
	s.ArmReconcile(tx)
}

// askSilent opens the stream of a silent run again. The first time is not counted: a helper may have nothing to say.
func (s *Supervisor) askSilent(tx *durable.Tx, before map[owed]repetitions, r run.Run) {
	f := s.tailReaders[r.ID]
	if f != nil && f.asked > 0 && !repeat(tx, before, owed{owedStream, r.ID}) {
		return
	}
	s.openTail(tx, r)
	s.tailReaders[r.ID].asked++
}

// sendUnacknowledged sends helpers again what they have not acknowledged, when that is due. An object that is opened
// sends it at once, because the call may have been lost with the memory. Behind the short pauses it waits then too.
func (s *Supervisor) sendUnacknowledged(tx *durable.Tx, active []run.Run, opened bool) {
	before := repeated(tx)
	again := func(kind, id string) bool {
		o := owed{kind, id}
		return repeat(tx, before, o) || opened && before[o].tries < shortPauses
	}
	s.sendAllSignals(tx, again)
	s.sendCancels(tx, again)
	s.sendAnswers(tx, again)
	s.sendPauses(tx, active, again)
}

// resumeDormant opens the stream of a dormant run again. The run may go on because its helper was
// sent a message. A run that was paused before its helper had taken it has no stream.
func (s *Supervisor) resumeDormant(tx *durable.Tx, r run.Run) {
	if early := r.Status == run.Paused && r.Pause.Early; !early && s.isDormant(tx, r) {
		tx.Unschedule(dueTail, r.ID)
		s.openTail(tx, r)
		s.ArmReconcile(tx)
	}
}
