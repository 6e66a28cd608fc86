package chat

import (
	"fmt"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/attempt"
	"github.com/tributary-agents/tributary/durable/internal/callback"
	"github.com/tributary-agents/tributary/durable/internal/loss"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/schedule"
	"github.com/tributary-agents/tributary/durable/turn"
)

// watch is what an object knows of the loss that it was opened after. An object that goes on with work
// is watched: its events are announced, until the work has got on. So a work that stops the process each
// time is charged for it. See the README of package loss.
type watch struct {
	// on says that the next event is announced. begun says that the one which comes now was announced.
	on, begun bool
	// resumes says that the object was opened, and that its work goes on in the event Resumed.
	resumes bool
	// at is the place of the work when the object was opened, and awaits are what its code waited for.
	at     string
	awaits []flow.Key
	// ends says that the next event is the last that is announced.
	ends bool
	// opened says that the object is being opened.
	opened bool
	// cause is what a turn is charged with for the loss. charged is the place at which the loss is counted,
	// or "" if something else was charged.
	cause   turn.Cause
	charged string
}

// announced notes that an event is announced, and says whether this one is the announcement. Any other
// event ends its own announcement: it is over when it commits.
func (o *Object) announced(tx *durable.Tx, event durable.Event) bool {
	if event == (durable.TimerFired{Timer: durable.Announced}) {
		o.watch.begun = true
		loss.Announce(tx)
		return true
	}
	if o.watch.begun {
		o.watch.begun = false
		loss.Over(tx)
	}
	return false
}

// charge charges what the object was about to do for a loss inside its own event.
func (o *Object) charge(tx *durable.Tx, why string) {
	delivery, call, code := o.runs.FailClaimed(tx, why), callback.FailClaimed(tx, why), flow.SliceLost(tx)
	switch {
	case delivery || call: // the handler or callback is charged, so the turn is not
		o.watch.cause = turn.InstanceLost
	case code: // the code is charged, and the turn for an attempt: a tool beside the code may have been the cause
		o.watch.cause = turn.ProviderFailed
	default:
		o.watch.charged = o.place(tx)
	}
}

// maxWatched is how many open awaits are watched. Code with more of them is watched until its turn has got
// on.
const maxWatched = 100

// watchWork has the host announce the events of an object that goes on with work, or that has lost its
// memory inside an event.
func (o *Object) watchWork(tx *durable.Tx) {
	if !o.quarantined && !o.hasWork(tx) {
		return
	}
	o.watch.on, o.watch.at = true, o.place(tx)
	if open := flow.Open(tx, maxWatched+1); len(open) <= maxWatched {
		o.watch.awaits = open
	}
}

// hasWork says whether something was under way when the memory was lost: a turn, one that waits, a call
// of another program, a delivery or a callback.
func (o *Object) hasWork(tx *durable.Tx) bool {
	if _, active := turn.Active(tx); active {
		return true
	}
	if _, waits := turn.Next(tx); waits || o.mcpServer != nil && o.mcpServer.Working(tx) {
		return true
	}
	_, called := schedule.ToCall(tx)
	return called || len(run.Deliveries(tx, attempt.Claimed)) > 0
}

// place says how far the work of the object has come: its turn, or else the runs that it follows.
func (o *Object) place(tx *durable.Tx) string {
	if place := turn.Place(tx); place != "" {
		return place
	}
	return fmt.Sprint("runs ", run.Place(tx))
}

// resumeWork has the work go on for which the object was opened.
func (o *Object) resumeWork(tx *durable.Tx) {
	if o.watch.resumes {
		o.watch.resumes = false
		flow.SpareSlice(tx)
		o.resume(tx)
	}
}

// giveUpRuns ends the runs whose streams are followed and that have not got on, if the object has been lost too
// often in events of its own and nothing else is under way that could have been the cause.
func (o *Object) giveUpRuns(tx *durable.Tx) {
	if o.watch.charged == "" || o.hasWork(tx) {
		return
	}
	placeOf := func(r run.Run) string { return fmt.Sprintf("run %s/%d", r.ID, r.Next) }
	var places []string
	active := run.Active(tx)
	for _, r := range active {
		if r.Status == run.Running {
			places = append(places, placeOf(r))
		}
	}
	givenUp := loss.AgainAt(tx, places...)
	for _, r := range active {
		if slices.Contains(givenUp, placeOf(r)) {
			o.runs.Stop(tx, r, run.Cancelled, "the run was given up: each time that its stream was read, the program has stopped")
		}
	}
}

// lookOn ends the watch at the end of an event after which the work has got on, or is over. Code has got on
// when nothing that it waited for is open any more: another part of it does not count.
func (o *Object) lookOn(tx *durable.Tx) {
	if !o.watch.on && o.watch.opened && o.runs.Following() {
		o.watch.on, o.watch.at = true, o.place(tx)
	}
	o.watch.opened = false
	switch {
	case !o.watch.on:
	case o.watch.ends || o.place(tx) != o.watch.at:
		o.watch.on, o.watch.awaits = false, nil
	default: // the code that waited goes on in this event or in the next
		o.watch.ends = o.haveEnded(tx, o.watch.awaits)
	}
}

// haveEnded says whether there were awaits, and none of them is open.
func (o *Object) haveEnded(tx *durable.Tx, awaits []flow.Key) bool {
	if len(awaits) == 0 {
		return false
	}
	open := flow.Open(tx, flow.MaxAwaits)
	return !slices.ContainsFunc(awaits, func(k flow.Key) bool { return slices.Contains(open, k) })
}
