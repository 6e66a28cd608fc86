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

// This file is how a run begins. Whatever goes wrong on the way leaves a final row,
// no slot taken, and whoever awaits the run told.

const (
	// MaxInput is the size of what a helper is asked, in bytes.
	MaxInput = limit.RunInput
	// maxPreview and maxDisplay are the sizes of what browsers are shown of it. What is
	// larger is not shown.
	maxPreview = limit.RunPreview
	maxDisplay = limit.RunDisplay
	// maxDepth is how far below the root helpers can live: the platform nests facets to
	// a depth of four, the root included.
	maxDepth = 3
	// maxDispatch is how often a helper is asked to take a run, when it or its parent is lost each
	// time. That its answer is slow does not count.
	maxDispatch = 10
)

// beginRun begins a run for the routine that awaits it, or joins the one that has its
// id.
func (h *Host) beginRun(tx *durable.Tx, key flow.Key, r run.Run, noQueue bool) {
	r.Turn = h.live.turn.Seq
	detached := r.Handler != ""
	if detached {
		detach(&r)
	}
	if err := checkID(r.ID); err != nil {
		h.turnAway(tx, key, r, run.Refused, err)
		return
	}
	have, joined, err := run.Join(tx, r)
	switch {
	case err != nil:
		h.turnAway(tx, key, r, run.OtherInput, err)
		return
	case joined:
		r = have
	default:
		r = h.accept(tx, r, noQueue)
	}
	if detached {
		flow.Complete(tx, key, encode(outcomeOf(r)), "")
		return
	}
	run.Await(tx, r, run.Waiter(key))
	if r.Status.Final() {
		h.deliver(tx, r)
	}
}

// turnAway tells a routine of a run that cannot even have a row.
func (h *Host) turnAway(tx *durable.Tx, key flow.Key, r run.Run, reason run.Reason, err error) {
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

// accept writes a run's row and has its helper take it, in its turn.
func (h *Host) accept(tx *durable.Tx, r run.Run, noQueue bool) run.Run {
	r = presentable(r)
	if no := h.objection(tx, r); no.Reason != "" {
		return h.refuseRun(tx, r, no)
	}
	limits := h.agent.Runs
	if noQueue {
		limits.Queued = 0
	}
	begun, ok := run.Begin(tx, r, limits)
	if !ok {
		return h.refuseRun(tx, r, run.Result{Reason: run.TooMany, Failure: tooMany(limits)})
	}
	h.showEvent(tx, begun, 0, started(begun))
	h.keepTime(tx, begun)
	h.listen(tx, begun)
	h.looks = 0
	h.dispatch(tx, begun)
	h.watchRuns(tx)
	return begun
}

// presentable is a run without what is too large to be shown of it.
func presentable(r run.Run) run.Run {
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

// objection is why a run will not be begun; it has no reason where nothing stands
// against it.
func (h *Host) objection(tx *durable.Tx, r run.Run) run.Result {
	if no := oversized(r.ID, r.Prompt, r.Input, r.Schema); no != "" {
		return run.Result{Reason: run.Refused, Failure: no}
	}
	if no := misnamed(r); no != "" {
		return run.Result{Reason: run.Refused, Failure: no}
	}
	if h.depth(tx) >= maxDepth {
		return run.Result{Reason: run.TooDeep, Failure: fmt.Sprintf("helpers nest %d deep, and this one is at the bottom", maxDepth)}
	}
	if r.Handler != "" {
		if no := h.cannotDetach(r); no != "" {
			return run.Result{Reason: run.Refused, Failure: no}
		}
	} else if len(r.Tells.Names()) > 0 {
		return run.Result{Reason: run.Refused, Failure: "the chat tells of the milestones of detached runs only"}
	}
	return h.refusedBy(tx, h.agent.BeforeRun, r)
}

// oversized says what of a run is too large to be asked, or "". A prompt of control characters
// takes six times its size where it is kept as JSON, with all else that is asked.
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
func (h *Host) depth(tx *durable.Tx) int {
	if !h.agent.Helper {
		return 0
	}
	k, _ := oneTask(tx.SQL(`SELECT ` + taskColumns + ` FROM task WHERE asked != '' LIMIT 1`))
	return k.asked.Depth
}

// refuseRun shows a run that will not be begun. It can be asked for again, under the
// same id.
func (h *Host) refuseRun(tx *durable.Tx, r run.Run, why run.Result) run.Run {
	if oversized(r.ID, r.Prompt, r.Input, r.Schema) != "" {
		r.Input, r.Prompt, r.Preview, r.Schema = nil, "", nil, nil
	}
	r.Class, r.Tells = cutOff(r.Class, limit.ID), run.Tells{}
	_, why = bounded(run.Failed, why)
	r.Handler = "" // who wants it is told at once
	r = run.Refuse(tx, r, why)
	h.showEvent(tx, r, 0, started(r))
	h.ended(tx, r)
	return r
}

// dispatch hands a run that has a slot to its helper.
func (h *Host) dispatch(tx *durable.Tx, r run.Run) {
	switch {
	case r.Slot == 0:
	case r.Attempt >= maxDispatch:
		h.notStarted(tx, r, "it broke each time that it was asked")
	default:
		run.Dispatched(tx, &r)
		h.callStart(tx, r)
	}
}

func (h *Host) callStart(tx *durable.Tx, r run.Run) {
	tx.Do(durable.Call{Call: callStart + r.ID, To: facetOf(r), Data: startRun.Request(startRequest{
		Run: r.ID, Generation: r.Generation, Prompt: r.Prompt, Input: r.Input, Output: r.Schema, Depth: h.depth(tx) + 1, Detached: r.Handler != "",
	})})
}

// dispatchAgain hands a run to its helper once more, because its parent was lost. The helper may
// have been the cause, so each attempt comes later than the one before.
func (h *Host) dispatchAgain(tx *durable.Tx, id string) {
	r, ok := run.Find(tx, id)
	switch wait := againApart(r.Attempt); {
	case !ok:
	case wait > 0:
		tx.Schedule(dueFollow, id, tx.Now+wait)
	default:
		h.dispatch(tx, r)
	}
}

// callStartAgain sends startRun once more to a helper that has not answered for a while: the first
// call may be lost, or the helper slow.
func (h *Host) callStartAgain(tx *durable.Tx, id string) {
	if r, ok := run.Find(tx, id); ok && r.Slot > 0 {
		h.callStart(tx, r)
	}
}

// startAnswered deals with a helper's answer to a run. Where there was none the
// helper is asked again, later each time: nobody knows what it has heard.
func (h *Host) startAnswered(tx *durable.Tx, r run.Run, data []byte, failure string) {
	if r.Status != run.Starting {
		return
	}
	result, err := startRun.Result(data)
	switch {
	case failure != "" && r.Attempt < maxDispatch:
		tx.Log(durable.Warn, "a helper could not be asked", "run", r.ID, "error", failure)
		tx.Schedule(dueFollow, r.ID, tx.Now+backoffOf(r.Attempt))
	case failure != "":
		h.notStarted(tx, r, failure)
	case err != nil:
		h.notStarted(tx, r, err.Error())
	case result.Gone:
		tx.Log(durable.Warn, "a helper that was to be wiped is still there, and is wiped", "run", r.ID)
		h.wipeSlot(tx, r.Slot)
		h.dispatch(tx, r)
	default:
		run.Move(tx, &r, run.Running, run.Result{})
		h.follow(tx, r)
	}
}

// notStarted ends a run that no helper has taken. What may be in its slot is wiped:
// nobody would ever look after it.
func (h *Host) notStarted(tx *durable.Tx, r run.Run, why string) {
	if !run.Move(tx, &r, run.Failed, run.Result{Reason: run.NotStarted, Failure: "the helper could not be started: " + why}) {
		return
	}
	h.wipeSlot(tx, r.Slot)
	run.Release(tx, &r)
	h.ended(tx, r)
}
