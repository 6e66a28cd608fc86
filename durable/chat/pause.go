package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/internal/loop"
	"github.com/tributary-agents/tributary/durable/internal/mcpclient"
	"github.com/tributary-agents/tributary/durable/internal/supervisor"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/wire"
)

// This file is the helper's side of a pause of its run.

// setPaused stores that the run is paused, or goes on. A run that is not here yet is paused as soon
// as it comes.
func (c helperCall) setPaused(r facet.PauseRequest) (facet.PauseResult, error) {
	o := c.object
	if err := supervisor.CheckID(r.Run); err != nil {
		return facet.PauseResult{}, &wire.Error{Code: wire.CodeRefused, Message: err.Error()}
	}
	if task.IsStale(c.tx, r.Generation) {
		return facet.PauseResult{Gone: true}, nil
	}
	if k, ok := task.Find(c.tx, r.Run); ok && k.Ended {
		return facet.PauseResult{Change: r.Change, Waken: o.tails.AnnounceWake(c.tx)}, nil
	}
	switch changed := o.tails.SetPaused(c.tx, r); {
	case changed && r.Paused:
		o.loop.Pause()
		o.runs.PauseAll(c.tx, r.Why)
	case changed:
		o.release(c.tx)
	}
	o.tails.FlushAll(c.tx)
	return facet.PauseResult{Change: o.tails.LastChange(), Waken: o.tails.AnnounceWake(c.tx)}, nil
}

// release has the work of a helper go on whose run is not paused any more.
func (o *Object) release(tx *durable.Tx) {
	o.runs.UnpauseAll(tx)
	o.loop.Release(tx)
	o.startNext(tx)
}

// endPause notes that a run is over that may have been paused. Turns that have waited go on.
func (o *Object) endPause(tx *durable.Tx, run string) {
	if o.tails.EndPause(tx, run) {
		o.loop.EndPause()
		o.agenda.next = true
	}
}

// still says that a helper whose run is paused does nothing, and that no helper below it does.
func (o *Object) still(tx *durable.Tx) bool {
	return o.loop.Rests() && len(run.UnacknowledgedCancels(tx)) == 0 && !o.runs.AwaitsHelpers(tx) && o.runs.AllDormant(tx)
}

// armed says whether the timer of a helper is set for entries of a kind.
func (o *Object) armed(kind string) bool {
	return !o.loop.Paused() || !loop.WaitsForRelease(kind) && kind != mcpclient.DuePutOff
}
