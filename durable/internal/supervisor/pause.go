package supervisor

import (
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/claims"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is the parent's side of runs that are paused. A paused run has no stream, no alarm and
// no place in the schedule. Its row says that it is paused before its helper is told, and the helper
// is told until it has stored that.

// Pause pauses a run. why is shown to people. The error says why the run cannot be paused; nothing
// has changed then.
func (s *Supervisor) Pause(tx *durable.Tx, id, why string) error {
	r, err := Find(tx, id)
	switch {
	case err != nil:
		return err
	case r.Hosted != nil:
		return hostedByRoot(id)
	case r.Status.Final():
		return fmt.Errorf("run %s is %s: it cannot be paused", id, r.Status)
	case r.Status == run.Paused:
		return fmt.Errorf("run %s is paused already", id)
	}
	s.pause(tx, r, protocol.CutOff(why, limit.ReportWords), false)
	s.ArmReconcile(tx)
	return nil
}

// Unpause has a paused run go on. by are the claims of the code that wants it: they have to have all scopes of
// the run, which goes on with its own. The error says why it cannot; nothing has changed then.
func (s *Supervisor) Unpause(tx *durable.Tx, id, by string) error {
	r, err := Find(tx, id)
	switch {
	case err != nil:
		return err
	case r.Hosted != nil:
		return hostedByRoot(id)
	case r.Status != run.Paused:
		return fmt.Errorf("run %s is %s: it cannot be resumed", id, r.Status)
	case r.Pause.Inherited:
		return errors.New("run " + id + " is paused with the run of its parent: resume that one")
	case !claims.Read(by).Covers(claims.Read(r.Claims)):
		return errors.New("run " + id + " works with scopes that you lack, so you cannot resume it")
	}
	s.unpause(tx, r)
	return nil
}

// PauseAll pauses every run that is not over, because the run of this object is paused. Runs that the
// root hosts go on: nothing here waits for them.
func (s *Supervisor) PauseAll(tx *durable.Tx, why string) {
	for _, r := range run.Unfinished(tx) {
		switch {
		case r.Hosted != nil:
		case r.Status != run.Paused:
			s.pause(tx, r, why, true)
		case !r.Pause.Inherited:
			run.InheritPause(tx, &r, true)
		}
	}
	s.ArmReconcile(tx)
}

// UnpauseAll has the runs go on that [Supervisor.PauseAll] has paused.
func (s *Supervisor) UnpauseAll(tx *durable.Tx) {
	for _, r := range run.Unfinished(tx) {
		switch {
		case r.Status != run.Paused || !r.Pause.Inherited:
		case r.Pause.Own:
			run.InheritPause(tx, &r, false)
		default:
			s.unpause(tx, r)
		}
	}
}

// pause pauses a run. The stream of a helper stays open until the helper has said all that was under
// way, unless the helper has not taken the run.
func (s *Supervisor) pause(tx *durable.Tx, r run.Run, why string, inherited bool) {
	run.SetPaused(tx, &r, why, inherited)
	if r.Pause.Early && r.Slot > 0 {
		delete(s.tailReaders, r.ID)
		tx.Do(durable.CancelStream{Stream: facet.TailPrefix + r.ID})
	}
	if s.tailReaders[r.ID] == nil || r.Pause.Early {
		tx.Unschedule(dueTail, r.ID)
	}
	tx.Unschedule(dueIdleTimeout, r.ID)
	s.armDeadline(tx, r)
	if acknowledged(tx, owed{owedPause, r.ID}); r.Pause.Due { // what is said now is another thing
		s.sendPause(tx, r)
	}
	s.report(tx, Paused{r})
	s.notifyOrigin(tx, &r, false)
}

// unpause has a run go on. The stream of its helper is opened when the helper has acknowledged that.
// A run that its helper had not taken waits for a slot again, or is sent to the helper again.
func (s *Supervisor) unpause(tx *durable.Tx, r run.Run) {
	run.EndPause(tx, &r)
	run.NoteActivity(tx, &r)
	s.armDeadline(tx, r)
	s.armIdleTimeout(tx, r)
	s.reconcileCount = 0
	if acknowledged(tx, owed{owedPause, r.ID}); r.Pause.Due { // what is said now is another thing
		s.sendPause(tx, r)
	}
	s.report(tx, Paused{r})
	s.notifyOrigin(tx, &r, false)
	if r.Status == run.Starting {
		s.startUnpaused(tx, r)
	}
	s.ArmReconcile(tx)
}

func (s *Supervisor) startUnpaused(tx *durable.Tx, r run.Run) {
	if r.Slot > 0 {
		s.begin(tx, r)
		return
	}
	if next, ok := run.NextQueued(tx, s.config.Runs); ok {
		s.begin(tx, next)
	}
}

// begin sends a run as it is stored to its helper. A list of runs leaves out what the helper is
// told.
func (s *Supervisor) begin(tx *durable.Tx, r run.Run) {
	if whole, ok := run.Find(tx, r.ID); ok {
		s.dispatch(tx, whole)
	}
}

func (s *Supervisor) sendPause(tx *durable.Tx, r run.Run) {
	tx.Do(durable.Call{Call: facet.CallPause + r.ID, To: facet.Of(r), Data: facet.SetPaused.Request(facet.PauseRequest{
		Run: r.ID, Paused: r.Status == run.Paused, Why: r.Pause.Why, Change: r.Pause.Change, Generation: r.Generation,
	})})
}

// sendPauses resends every pause, and every end of one, that was not acknowledged.
func (s *Supervisor) sendPauses(tx *durable.Tx, active []run.Run, again func(kind, id string) bool) {
	for _, r := range active {
		if r.Pause.Due && again(owedPause, r.ID) {
			s.sendPause(tx, r)
		}
	}
}

// pauseReturned handles a helper's answer to a pause, or to its end. A helper that cannot be reached
// is told again. A helper of an earlier use of the slot is wiped, and its successor is told.
func (s *Supervisor) pauseReturned(tx *durable.Tx, r run.Run, data []byte, failure string) {
	p, err := facet.SetPaused.Result(data)
	if failure == "" && err != nil {
		failure = err.Error()
	}
	switch {
	case r.Status.Final() || !r.Pause.Due:
		return
	case failure != "":
		tx.Log(durable.Warn, "a helper could not be told of a pause", "run", r.ID, "error", failure)
	case p.Gone:
		s.wipeStale(tx, &r)
		s.sendPause(tx, r)
	case run.PauseAcknowledged(tx, &r, p.Change):
		s.ScheduleWake(tx, r.ID, p.Waken)
		s.followPaused(tx, r)
		s.report(tx, Dormant{}) // this object's own parent may wait for this
	}
	s.ArmReconcile(tx)
}

// followPaused opens the stream of a run whose helper has stored that it is paused, or goes on. A
// helper that is paused ends the stream when it has said what was under way. A run that its helper
// has not taken has no stream yet, or has the one that hands it over.
func (s *Supervisor) followPaused(tx *durable.Tx, r run.Run) {
	if r.Status != run.Starting && !r.Pause.Early && s.tailReaders[r.ID] == nil {
		tx.Unschedule(dueTail, r.ID)
		s.openTail(tx, r)
	}
}

// pausedSaid takes the end of a helper's stream that says that nothing comes before a pause is over:
// that of the run, or those of all runs that it waits for. What the helper has said before it heard
// of the last change counts for nothing.
func (s *Supervisor) pausedSaid(tx *durable.Tx, r run.Run, p facet.Pause) {
	delete(s.tailReaders, r.ID)
	tx.Unschedule(dueTail, r.ID)
	s.ScheduleWake(tx, r.ID, p.Waken)
	switch calls := validCalls(p.WaitsFor); {
	case r.Pause.Due: // the stream is opened when the helper has acknowledged the change
	case p.Change != r.Pause.Change:
		s.openTail(tx, r)
	case r.Status == run.Paused:
		run.NoteWaitsFor(tx, &r, calls, p.Pending)
	default:
		s.waitFor(tx, r, calls, p.Pending)
		return
	}
	s.ArmReconcile(tx)
	s.report(tx, Dormant{})
}
