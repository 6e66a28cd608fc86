package object

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/stored"
)

// StatusesGoForward checks I6: a turn and a run reach one final status, and keep it.
func (r *Rules) StatusesGoForward(e check.Event) {
	for _, t := range e.Turns {
		key := fmt.Sprintf("%s turn %d", e.Object, t.Seq)
		r.goesForward(key, t.Status)
		if t.Status == "error" && r.status[key] != "error" {
			r.turnFailed(e, t)
		}
		r.status[key] = t.Status
	}
	for _, run := range e.Runs {
		key := fmt.Sprintf("%s run %s", e.Object, run.ID)
		r.goesForward(key, run.Status)
		if run.Status == "error" && r.status[key] != "error" {
			r.runFailed(e, run)
		}
		r.status[key] = run.Status
	}
}

func (r *Rules) goesForward(key, status string) {
	if before := r.status[key]; stored.Final(before) && before != status {
		r.Fail("I6", "%s went from %s to %s", key, before, status)
	}
}

// interrupted is in the reason of a turn that has used up its attempts.
const interrupted = "interrupted too often"

// givenUp is in the reason of a turn whose events have stopped the instance or the process.
const givenUp = "each attempt to go on with it has stopped the program"

// minLost is inside of how many events a turn is lost at least before it is given up: three losses, of which one may
// have been between an announcement and its event, which nobody can tell from one inside.
const minLost = 2

// turnFailed checks D1: a turn fails only if its model has failed or said nothing, or if the
// agent's code has trapped. It is given up only if the memory was lost inside its events.
func (r *Rules) turnFailed(e check.Event, t stored.Turn) {
	lost := r.lost[e.Object]
	r.lost[e.Object] = 0
	if strings.Contains(t.Reason, givenUp) {
		if lost < minLost {
			r.Fail("D1", "a turn of %q was given up, and %d of its events were lost", e.Object, lost)
		}
		return
	}
	broken := r.broken[e.Object] && strings.Contains(t.Reason, interrupted)
	r.broken[e.Object] = false
	if r.Mode.Own != nil && (r.Mode.Own.Hooked || !r.requests.HasAsked(e.Object)) {
		return // the author's limits, or a program
	}
	if !r.requests.GivenUp(e.Object, t) && !r.requests.HasFailed(e.Object) && !broken {
		r.Fail("D1", "a turn of %q failed: %s", e.Object, t.Reason)
	}
}

// runFailed checks D1 for runs: a run fails only if the turn of its helper has, or if it could not
// be started because nothing could be written.
func (r *Rules) runFailed(e check.Event, run stored.Run) {
	if run.Hosted {
		return // the root's row is the run
	}
	helper := r.helper(e.Slot, run.Slot)
	if r.Mode.Own != nil && (run.Reason != "" || r.Mode.Own.Hooked || helper == "" || len(r.Turns(helper)) == 0) {
		return // the author's limits, or a program
	}
	if run.Reason == "not-started" && (len(r.WasFull) > 0 || run.Restart.From != "" && strings.Contains(run.Failure, contract.NoStep)) {
		return
	}
	if helper == "" || !r.Made(helper) || !slices.ContainsFunc(r.Turns(helper), func(t stored.Turn) bool {
		return t.Status == "error" && t.Reason == run.Failure
	}) {
		r.Fail("D1", "the run %s failed, and its helper did not: %s", run.ID, run.Failure)
	}
}

// helper returns the object in a helper's slot.
func (r *Rules) helper(parent string, slot int64) string {
	return r.World.Object(path.Join(parent, fmt.Sprintf("helper-%d", slot)))
}

// StopReachesRuns checks I9: when a turn has ended, the runs that it awaited have ended in the same
// event.
func (r *Rules) StopReachesRuns(e check.Event) {
	for _, run := range e.Runs {
		speaks := func(t stored.Turn) bool { return t.Seq == run.Turn && t.Status == "running" }
		if detached := run.Turn == 0; !stored.Final(run.Status) && !detached && !slices.ContainsFunc(e.Turns, speaks) {
			r.Fail("I9", "the run %s is %s, and its turn is over", run.ID, run.Status)
		}
	}
}

// FacetsOwnNothing checks I7: sockets, requests and alarms belong to the root.
func (r *Rules) FacetsOwnNothing(e check.Event) {
	if e.Slot == "" {
		return
	}
	for _, c := range e.Commands {
		switch c.(type) {
		case durable.Send, durable.Close, durable.Respond, durable.SetAlarm:
			r.Fail("I7", "%s: %T", e.Slot, c)
		}
	}
}

// EverythingIsFinal checks I6 for a world at rest.
func (r *Rules) EverythingIsFinal() {
	for _, slot := range r.World.Slots() {
		object := r.World.Object(slot)
		if !r.Made(object) {
			continue
		}
		for _, t := range r.Turns(object) {
			if !stored.Final(t.Status) {
				r.Fail("I6", "the turn %s of %q rests as %s", t.Request, slot, t.Status)
			}
		}
		for _, run := range r.Runs(object) {
			if !stored.Final(run.Status) {
				r.Fail("I6", "the run %s rests as %s", run.ID, run.Status)
			}
		}
	}
}
