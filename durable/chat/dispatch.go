package chat

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is about how a run begins. If a run cannot begin, it gets a final row, takes no slot,
// and its awaits are completed.

const (
	// MaxInput is the size limit of a helper's input, in bytes.
	MaxInput = limit.RunInput
	// maxPreview and maxDisplay are the size limits of what browsers are shown of a run. Larger
	// ones are not shown.
	maxPreview = limit.RunPreview
	maxDisplay = limit.RunDisplay
	// maxDepth is how far below the root helpers can live. The platform nests facets to a depth of
	// four, with the root.
	maxDepth = 3
	// maxDispatch is how often a helper is asked to take a run if it or its parent is lost each
	// time. A slow answer does not count.
	maxDispatch = 10
)

// beginRun begins a run for the routine that awaits it, or joins the run that has its id.
func (o *Object) beginRun(tx *durable.Tx, key flow.Key, r run.Run, noQueue bool) {
	r.Turn = o.active.turn.Seq
	detached := r.Handler != ""
	if detached {
		detach(&r)
	}
	if err := checkID(r.ID); err != nil {
		o.rejectAwait(tx, key, r, run.Refused, err)
		return
	}
	have, joined, err := run.Join(tx, r)
	switch {
	case err != nil:
		o.rejectAwait(tx, key, r, run.OtherInput, err)
		return
	case joined:
		r = have
	default:
		r = o.acceptRun(tx, r, noQueue)
	}
	if detached {
		flow.Complete(tx, key, encode(outcomeOf(r)), "")
		return
	}
	run.Await(tx, r, run.Waiter(key))
	if r.Status.Final() {
		o.completeWaiters(tx, r)
	}
}

// rejectAwait fails the await of a run that cannot even be stored as a row.
func (o *Object) rejectAwait(tx *durable.Tx, key flow.Key, r run.Run, reason run.Reason, err error) {
	flow.Complete(tx, key, encode(Outcome{Run: r.ID, Status: run.Failed, Failure: err.Error(), Reason: reason}), "")
}

func checkID(id string) error {
	if !isID(id, protocol.Limits.ID) {
		return fmt.Errorf("%.40q is no id for a run: 1 to %d bytes of text are", id, protocol.Limits.ID)
	}
	return nil
}

func isID(id string, limit int) bool {
	return id != "" && len(id) <= limit && utf8.ValidString(id) && !strings.ContainsRune(id, 0)
}

// acceptRun writes a run's row, and has a helper start the run as soon as there is room.
func (o *Object) acceptRun(tx *durable.Tx, r run.Run, noQueue bool) run.Run {
	r = withoutOversized(r)
	if no := o.refusal(tx, r); no.Reason != "" {
		return o.recordRefused(tx, r, no)
	}
	limits := o.agent.Runs
	if noQueue {
		limits.Queued = 0
	}
	begun, ok := run.Begin(tx, r, limits)
	if !ok {
		return o.recordRefused(tx, r, run.Result{Reason: run.TooMany, Failure: tooMany(limits)})
	}
	o.sendRunEvent(tx, begun, 0, started(begun))
	o.armDeadline(tx, begun)
	o.armIdleTimeout(tx, begun)
	o.reconcileCount = 0
	o.dispatch(tx, begun)
	o.armReconcile(tx)
	return begun
}

// withoutOversized returns a run without the fields that are too large to be shown.
func withoutOversized(r run.Run) run.Run {
	if len(r.Preview) > maxPreview {
		r.Preview = nil
	}
	if len(r.Display) > maxDisplay {
		r.Display = nil
	}
	return r
}

func tooMany(limits run.Limits) string {
	if limits.Queued <= 0 {
		return fmt.Sprintf("all of %d helpers are at work", limits.Concurrent)
	}
	return fmt.Sprintf("all of %d helpers are at work, and %d runs wait already", limits.Concurrent, limits.Queued)
}

// refusal says why a run is refused. Its reason is empty if the run can begin.
func (o *Object) refusal(tx *durable.Tx, r run.Run) run.Result {
	if no := oversized(r.ID, r.Prompt, r.Input, r.Schema); no != "" {
		return run.Result{Reason: run.Refused, Failure: no}
	}
	if no := misnamed(r); no != "" {
		return run.Result{Reason: run.Refused, Failure: no}
	}
	if o.depth(tx) >= maxDepth {
		return run.Result{Reason: run.TooDeep, Failure: fmt.Sprintf("helpers nest %d deep, and this one is at the bottom", maxDepth)}
	}
	if r.Handler != "" {
		if no := o.detachRefusal(r); no != "" {
			return run.Result{Reason: run.Refused, Failure: no}
		}
	} else if len(r.Announce.Names()) > 0 {
		return run.Result{Reason: run.Refused, Failure: "the chat tells of the milestones of detached runs only"}
	}
	return o.refusedBy(tx, o.agent.BeforeRun, r)
}

// oversized names what is too large in a run's request, or returns "". A prompt of control
// characters takes six times its size as JSON, and the whole request is stored as JSON.
func oversized(id, prompt string, input, schema []byte) string {
	switch asked := max(len(input), len(prompt)); {
	case !isID(id, protocol.Limits.ID):
		return fmt.Sprintf("%.40q is no id for a run", id)
	case asked > MaxInput:
		return fmt.Sprintf("the input has %d bytes, at most %d", asked, MaxInput)
	case len(prompt) > MaxInput/2 && len(protocol.AppendQuoted(nil, prompt)) > 4*MaxInput:
		return fmt.Sprintf("the prompt takes more than %d bytes as JSON", 4*MaxInput)
	case len(schema) > limit.RunSchema:
		return fmt.Sprintf("the schema of the output has %d bytes, at most %d", len(schema), limit.RunSchema)
	}
	return ""
}

// misnamed says which of a run's names is too long, or returns "".
func misnamed(r run.Run) string {
	for _, name := range []string{r.Class, r.Handler} {
		if len(name) > limit.ID {
			return fmt.Sprintf("a name has %d bytes, at most %d", len(name), limit.ID)
		}
	}
	return ""
}

// depth is how far below the root this object lives.
func (o *Object) depth(tx *durable.Tx) int {
	if !o.agent.Helper {
		return 0
	}
	k, _ := oneTask(tx.SQL(`SELECT ` + taskColumns + ` FROM task WHERE asked != '' LIMIT 1`))
	return k.request.Depth
}

// recordRefused stores and shows a run that was refused. Its id is free again.
func (o *Object) recordRefused(tx *durable.Tx, r run.Run, why run.Result) run.Run {
	if oversized(r.ID, r.Prompt, r.Input, r.Schema) != "" {
		r.Input, r.Prompt, r.Preview, r.Schema = nil, "", nil, nil
	}
	r.Class, r.Announce = protocol.CutOff(r.Class, limit.ID), run.Announce{}
	_, why = boundResult(run.Failed, why)
	r.Handler = "" // the caller is told at once
	r = run.Refuse(tx, r, why)
	o.sendRunEvent(tx, r, 0, started(r))
	o.runEnded(tx, r)
	return r
}

// dispatch sends a run that has a slot to its helper.
func (o *Object) dispatch(tx *durable.Tx, r run.Run) {
	switch {
	case r.Slot == 0:
	case r.Attempt >= maxDispatch:
		o.notStarted(tx, r, "it broke each time that it was asked")
	default:
		run.Dispatched(tx, &r)
		o.callStart(tx, r)
	}
}

func (o *Object) callStart(tx *durable.Tx, r run.Run) {
	tx.Do(durable.Call{Call: callStart + r.ID, To: facetOf(r), Data: startRun.Request(startRequest{
		Run: r.ID, Generation: r.Generation, Prompt: r.Prompt, Input: r.Input, Output: r.Schema, Depth: o.depth(tx) + 1, Detached: r.Handler != "",
	})})
}

// retryDispatch sends a run to its helper again after the parent has lost its memory. The helper
// may have caused the loss, so the delay grows with each attempt.
func (o *Object) retryDispatch(tx *durable.Tx, id string) {
	r, ok := run.Find(tx, id)
	switch wait := quarantineDelay(r.Attempt); {
	case !ok:
	case wait > 0:
		tx.Schedule(dueTail, id, tx.Now+wait)
	default:
		o.dispatch(tx, r)
	}
}

// retryStart sends startRun again to a helper that has not answered for a while. The first call may
// be lost, or the helper may be slow.
func (o *Object) retryStart(tx *durable.Tx, id string) {
	if r, ok := run.Find(tx, id); ok && r.Slot > 0 {
		o.callStart(tx, r)
	}
}

// startReturned handles a helper's answer to a run. If no answer came, it is unknown whether the
// helper has taken the run. The helper is asked again, after a growing delay.
func (o *Object) startReturned(tx *durable.Tx, r run.Run, data []byte, failure string) {
	if r.Status != run.Starting {
		return
	}
	result, err := startRun.Result(data)
	switch {
	case failure != "" && r.Attempt < maxDispatch:
		tx.Log(durable.Warn, "a helper could not be asked", "run", r.ID, "error", failure)
		tx.Schedule(dueTail, r.ID, tx.Now+backoffDelay(r.Attempt))
	case failure != "":
		o.notStarted(tx, r, failure)
	case err != nil:
		o.notStarted(tx, r, err.Error())
	case result.Gone:
		tx.Log(durable.Warn, "a helper that was to be wiped is still there, and is wiped", "run", r.ID)
		o.wipeSlot(tx, r.Slot)
		o.dispatch(tx, r)
	default:
		run.Move(tx, &r, run.Running, run.Result{})
		o.openTail(tx, r)
	}
}

// notStarted ends a run that no helper has taken. It wipes the slot, because nothing else would
// clean up a helper there.
func (o *Object) notStarted(tx *durable.Tx, r run.Run, why string) {
	if !run.Move(tx, &r, run.Failed, run.Result{Reason: run.NotStarted, Failure: "the helper could not be started: " + why}) {
		return
	}
	o.releaseSlot(tx, &r)
	o.runEnded(tx, r)
}
