package supervisor

import (
	"errors"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/wire"
)

// This file is about a run that begins at a step of the run that it repeats. The journal of that run
// travels from its helper to the new one, piece by piece, before the new helper is handed the run.
// The row of the run says how many awaits the new helper has. Each piece may come twice.

// copyJournal asks the helper of the old run for the next piece of the journal.
func (s *Supervisor) copyJournal(tx *durable.Tx, r run.Run) {
	old, ok := run.FindBrief(tx, r.Restart.Of)
	if !ok || old.Slot == 0 {
		s.notStarted(tx, r, "the helper of run "+r.Restart.Of+" is gone")
		return
	}
	tx.Do(durable.Call{Call: facet.CallJournal + r.ID, To: facet.Of(old), Data: facet.ReadJournal.Request(facet.JournalRequest{
		Run: old.ID, Generation: old.Generation, Before: r.Restart.From, From: int64(r.Restart.Copied),
	})})
}

// journalReturned passes a piece of the journal on to the new helper.
func (s *Supervisor) journalReturned(tx *durable.Tx, r run.Run, data []byte, failure string) {
	if r.Status != run.Starting || !r.Restart.Copying() || r.Slot == 0 {
		return
	}
	p, err := facet.ReadJournal.Result(data)
	switch {
	case failure != "":
		s.copyFailed(tx, r, failure)
	case errors.Is(err, facet.CodeStale), errors.Is(err, wire.CodeRefused):
		s.notStarted(tx, r, err.Error())
	case err != nil:
		s.copyFailed(tx, r, err.Error())
	default:
		if old, ok := run.FindBrief(tx, r.Restart.Of); ok && p.Last {
			s.NoteIdle(tx, old, p.Idle)
		}
		tx.Do(durable.Call{Call: facet.CallCopy + r.ID, To: facet.Of(r), Data: facet.CopyJournal.Request(facet.CopyRequest{
			Run: r.ID, Generation: r.Generation, From: p.From, Rows: p.Rows, Last: p.Last,
		})})
	}
}

// copyReturned asks for the next piece, or hands the run over if the new helper has all of them.
func (s *Supervisor) copyReturned(tx *durable.Tx, r run.Run, data []byte, failure string) {
	if r.Status != run.Starting || !r.Restart.Copying() || r.Slot == 0 {
		return
	}
	c, err := facet.CopyJournal.Result(data)
	switch {
	case failure != "":
		s.copyFailed(tx, r, failure)
	case errors.Is(err, facet.CodeStale):
		s.wipeStale(tx, &r)
		s.copyFailed(tx, r, err.Error())
	case err != nil:
		s.copyFailed(tx, r, err.Error())
	case int(c.Copied) < r.Restart.Copied: // the answer to a piece that came twice
	default:
		run.NoteCopied(tx, &r, int(c.Copied), c.Last)
		if r.Restart.Copying() {
			s.copyJournal(tx, r)
			return
		}
		s.openStart(tx, r)
	}
}

// copyFailed tries a piece again, after a growing delay.
func (s *Supervisor) copyFailed(tx *durable.Tx, r run.Run, why string) {
	if r.Attempt >= maxDispatch {
		s.notStarted(tx, r, why)
		return
	}
	tx.Log(durable.Warn, "a journal could not be copied", "run", r.ID, "error", why)
	tx.Schedule(dueTail, r.ID, tx.Now+reachBackoff.Wait(r.Attempt))
}
