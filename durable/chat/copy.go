package chat

import (
	"errors"

	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/internal/loop"
	"github.com/tributary-agents/tributary/durable/internal/supervisor"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/wire"
)

// This file is the helper's side of a journal that is copied: see the supervisor's copy.go.

// journalPage is how large a piece of a journal is, in bytes. Its last row may be larger.
const journalPage = 256 << 10

// readJournal returns a piece of the journal of a run that is over.
func (c helperCall) readJournal(r facet.JournalRequest) (facet.JournalResult, error) {
	refused := func(why string) (facet.JournalResult, error) {
		return facet.JournalResult{}, &wire.Error{Code: wire.CodeRefused, Message: why}
	}
	if task.IsStale(c.tx, r.Generation) {
		return facet.JournalResult{}, facet.ErrStale
	}
	k, ok := task.Find(c.tx, r.Run)
	switch {
	case !ok || !k.Ended: // the parent has ended it, and this helper is told soon
		return facet.JournalResult{}, errors.New("the helper of run " + r.Run + " has no end of it")
	case c.object.agent.Program == nil:
		return refused(c.object.agent.Name + " is no program, and its runs have no steps to begin from")
	}
	rows, last, err := flow.Before(c.tx, loop.ProgramRoutine(k.Turn), r.Before, r.From, journalPage)
	if err != nil {
		return refused("run " + r.Run + " cannot begin again there: " + err.Error())
	}
	return facet.JournalResult{Rows: rows, From: r.From, Last: last, Idle: c.object.idle(c.tx)}, nil
}

// copyJournal keeps a piece of the journal that a run begins with. The run comes later.
func (c helperCall) copyJournal(r facet.CopyRequest) (facet.CopyResult, error) {
	if err := supervisor.CheckID(r.Run); err != nil {
		return facet.CopyResult{}, &wire.Error{Code: wire.CodeRefused, Message: err.Error()}
	}
	if task.IsStale(c.tx, r.Generation) {
		return facet.CopyResult{}, facet.ErrStale
	}
	if _, ok := task.Find(c.tx, r.Run); !ok { // otherwise the run has come, or was cancelled
		flow.Take(c.tx, copyOf(r.Run), r.Rows)
	}
	return facet.CopyResult{Copied: r.From + int64(len(r.Rows)), Last: r.Last}, nil
}

// copyOf names the routine of a copied journal until its run has come.
func copyOf(run string) string { return "copy-" + run }
