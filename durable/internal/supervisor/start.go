package supervisor

import (
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is about how a run begins. If a run cannot begin, it gets a final row, takes no slot,
// and its awaits are completed.

const (
	// maxDepth is how far below the root helpers can live. The platform nests facets to a depth of
	// four, with the root.
	maxDepth = 3
	// maxDispatch is how often a helper is asked to take a run if it or its parent is lost each
	// time. A slow answer does not count.
	maxDispatch = 10
)

// Begin begins a run for the routine that awaits it, or joins the run that has its id.
func (s *Supervisor) Begin(tx *durable.Tx, key flow.Key, r run.Run, noQueue bool) {
	detached := r.Handler != ""
	if detached {
		Detach(&r)
	}
	if err := CheckID(r.ID); err != nil {
		s.rejectAwait(tx, key, r, run.Refused, err)
		return
	}
	have, joined, err := run.Join(tx, r)
	switch {
	case err != nil:
		s.rejectAwait(tx, key, r, run.OtherInput, err)
		return
	case joined:
		r = have
	default:
		r = s.Accept(tx, r, noQueue)
	}
	if r.Hosted != nil && r.Hosted.Asked && detached {
		run.AwaitHost(tx, r, run.Waiter(key))
		return
	}
	if detached {
		flow.Complete(tx, key, limit.MustMarshal(r.Outcome()), "")
		return
	}
	run.Await(tx, r, run.Waiter(key))
	if r.Status.Final() {
		s.completeWaiters(tx, r)
	}
}

// rejectAwait fails the await of a run that cannot even be stored as a row.
func (s *Supervisor) rejectAwait(tx *durable.Tx, key flow.Key, r run.Run, reason run.Reason, err error) {
	flow.Complete(tx, key, limit.MustMarshal(run.Outcome{Run: r.ID, Status: run.Failed, Failure: err.Error(), Reason: reason}), "")
}

// CheckID says what is wrong with the id of a run.
func CheckID(id string) error {
	if !limit.IsID(id, protocol.Limits.ID) {
		return fmt.Errorf("%.40q is no id for a run: 1 to %d bytes of text are", id, protocol.Limits.ID)
	}
	return nil
}

// Accept writes a run's row, and has a helper start the run as soon as there is room.
func (s *Supervisor) Accept(tx *durable.Tx, r run.Run, noQueue bool) run.Run {
	r = withoutOversized(r)
	if no := s.refusal(tx, r); no.Reason != "" {
		return s.recordRefused(tx, r, no)
	}
	if s.config.Helper && r.Handler != "" {
		return s.askToHost(tx, r, noQueue)
	}
	limits := s.config.Runs
	if noQueue {
		limits.Queued = 0
	}
	begun, ok := run.Begin(tx, r, limits)
	if !ok {
		return s.recordRefused(tx, r, run.Result{Reason: run.TooMany, Failure: run.Refusal(tx, r, limits)})
	}
	s.report(tx, Begun{begun})
	s.armDeadline(tx, begun)
	s.armIdleTimeout(tx, begun)
	s.reconcileCount = 0
	s.dispatch(tx, begun)
	s.ArmReconcile(tx)
	return begun
}

// withoutOversized returns a run without the fields that are too large to be shown.
func withoutOversized(r run.Run) run.Run {
	if len(r.Preview) > limit.RunPreview {
		r.Preview = nil
	}
	if len(r.Display) > limit.RunDisplay {
		r.Display = nil
	}
	return r
}

// refusal says why a run is refused. Its reason is empty if the run can begin.
func (s *Supervisor) refusal(tx *durable.Tx, r run.Run) run.Result {
	if no := Oversized(r.ID, r.Prompt, r.Input, r.Schema); no != "" {
		return run.Result{Reason: run.Refused, Failure: no}
	}
	if no := misnamed(r); no != "" {
		return run.Result{Reason: run.Refused, Failure: no}
	}
	if err := run.CheckLabels(r.Labels); err != nil {
		return run.Result{Reason: run.Refused, Failure: err.Error()}
	}
	hosted := s.config.Helper && r.Detached() // by the root, and so as deep as a helper of the root
	if !hosted && s.config.Depth(tx) >= maxDepth {
		return run.Result{Reason: run.TooDeep, Failure: fmt.Sprintf("helpers nest %d deep, and this one is at the bottom", maxDepth)}
	}
	if r.Detached() {
		if no := s.detachRefusal(r); no != "" {
			return run.Result{Reason: run.Refused, Failure: no}
		}
	} else if len(r.Announce.Names()) > 0 {
		return run.Result{Reason: run.Refused, Failure: "the chat tells of the milestones of detached runs only"}
	}
	return s.config.Refuse(tx, r)
}

// Oversized names what is too large in a run's request, or returns "". A prompt of control
// characters takes six times its size as JSON, and the whole request is stored as JSON.
func Oversized(id, prompt string, input, schema []byte) string {
	switch asked := max(len(input), len(prompt)); {
	case !limit.IsID(id, protocol.Limits.ID):
		return fmt.Sprintf("%.40q is no id for a run", id)
	case asked > limit.RunInput:
		return fmt.Sprintf("the input has %d bytes, at most %d", asked, limit.RunInput)
	case len(prompt) > limit.RunInput/2 && len(protocol.AppendQuoted(nil, prompt)) > 4*limit.RunInput:
		return fmt.Sprintf("the prompt takes more than %d bytes as JSON", 4*limit.RunInput)
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

// recordRefused stores and shows a run that was refused. Its id is free again.
func (s *Supervisor) recordRefused(tx *durable.Tx, r run.Run, why run.Result) run.Run {
	if Oversized(r.ID, r.Prompt, r.Input, r.Schema) != "" {
		r.Input, r.Prompt, r.Preview, r.Schema = nil, "", nil, nil
	}
	r.Class, r.Announce = protocol.CutOff(r.Class, limit.ID), run.Announce{}
	_, why = boundResult(run.Failed, why)
	if run.CheckLabels(r.Labels) != nil {
		r.Labels = nil
	}
	r.Handler = "" // the caller is told at once
	r = run.Refuse(tx, r, why)
	s.report(tx, Begun{r})
	s.runEnded(tx, r)
	return r
}

// dispatch sends a run that has a slot to its helper.
func (s *Supervisor) dispatch(tx *durable.Tx, r run.Run) {
	switch {
	case r.Slot == 0:
	case r.Attempt >= maxDispatch:
		s.notStarted(tx, r, "it broke each time that it was asked")
	default:
		run.Dispatched(tx, &r)
		s.openStart(tx, r)
	}
}

// openStart opens the stream that hands a run to its helper, which has the journal that the run
// begins with.
func (s *Supervisor) openStart(tx *durable.Tx, r run.Run) {
	if r.Restart.Copying() {
		s.copyJournal(tx, r)
		return
	}
	s.openStream(tx, r, facet.Start.Request(facet.StartRequest{
		Run: r.ID, Generation: r.Generation, Prompt: r.Prompt, Input: r.Input, Output: r.Schema, Depth: s.config.Depth(tx) + 1, Detached: r.Detached(),
		Version: r.Version, Base: r.Restart.Base, Rows: int64(r.Restart.Copied), Claims: r.Claims,
	}))
}

// retryDispatch sends a run to its helper again after the parent has lost its memory. The helper
// may have caused the loss, so the delay grows with each attempt.
func (s *Supervisor) retryDispatch(tx *durable.Tx, id string) {
	r, ok := run.Find(tx, id)
	switch wait := durable.BackoffAfterCrash(r.Attempt); {
	case !ok:
	case wait > 0:
		tx.Schedule(dueTail, id, tx.Now+wait)
	default:
		s.dispatch(tx, r)
	}
}

// retryStart sends the run again to a helper that has not answered for a while. The first request
// may be lost, or the helper may be slow.
func (s *Supervisor) retryStart(tx *durable.Tx, id string) {
	if r, ok := run.Find(tx, id); ok && r.Slot > 0 {
		s.openStart(tx, r)
	}
}

// startBroke handles a stream that broke before its first frame. It is unknown whether the helper
// has taken the run. The helper is asked again, after a growing delay.
func (s *Supervisor) startBroke(tx *durable.Tx, r run.Run, why string) {
	if r.Attempt >= maxDispatch {
		s.notStarted(tx, r, why)
		return
	}
	delete(s.tailReaders, r.ID)
	tx.Log(durable.Warn, "a helper could not be asked", "run", r.ID, "error", why)
	tx.Schedule(dueTail, r.ID, tx.Now+reachBackoff.Wait(r.Attempt))
}

// startRefused handles a stream that begins with an error, or cannot be read: the helper does not
// take the run. A helper of an earlier use of the slot is wiped, and its successor is asked.
func (s *Supervisor) startRefused(tx *durable.Tx, id string, why error) {
	r, _ := run.Find(tx, id)
	tx.Do(durable.CancelStream{Stream: facet.TailPrefix + id})
	if !errors.Is(why, facet.CodeStale) {
		s.notStarted(tx, r, why.Error())
		return
	}
	tx.Log(durable.Warn, "a helper that was to be wiped is still there, and is wiped", "run", id)
	s.wipeStale(tx, &r)
	s.dispatch(tx, r)
}

// notStarted ends a run that no helper has taken. It wipes the slot, because nothing else would
// clean up a helper there.
func (s *Supervisor) notStarted(tx *durable.Tx, r run.Run, why string) {
	delete(s.tailReaders, r.ID)
	if !run.Move(tx, &r, run.Failed, run.Result{Reason: run.NotStarted, Failure: "the helper could not be started: " + why}) {
		return
	}
	s.releaseSlot(tx, &r)
	s.runEnded(tx, r)
}
