package chat

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/turn"
	"github.com/tributary-agents/tributary/durable/wire"
)

// This file is the parent's side of helpers: it dispatches runs, follows their
// streams into a log of its own, shows them, and hands their results to the tools
// that await them.

// RunLimits bounds the helpers of one conversation.
var RunLimits = run.Limits{Concurrent: 16, Queued: 1024}

// KeepRuns is how many final runs are kept, and how long.
var KeepRuns = run.Keep{Runs: 500, Age: 7 * 24 * 3600 * 1000}

// Spec says what a helper shall do.
type Spec struct {
	// Class is the helper's class, Input what it is asked, JSON, and Prompt the same
	// in words, as its conversation begins.
	Class  string
	Input  json.RawMessage
	Prompt string
	// Display names the run for browsers, JSON or nil.
	Display json.RawMessage
}

// Outcome is what came of a run: a summary, or a failure in words.
type Outcome struct {
	Run     string     `json:"run"`
	Status  run.Status `json:"status"`
	Summary string     `json:"summary,omitempty"`
	Failure string     `json:"failure,omitempty"`
	Reason  string     `json:"reason,omitempty"`
}

// ToolContext is what a tool's code awaits with.
type ToolContext struct {
	*flow.Context
	host *Host
	call turn.Call
	runs int
}

// PendingRun is a run that was begun.
type PendingRun struct{ pending *flow.Pending }

// StartRun begins a run and returns at once; several can be under way.
func (c *ToolContext) StartRun(spec Spec) PendingRun {
	order := c.runs
	c.runs++
	id := c.call.ID
	if order > 0 {
		id += "-" + strconv.Itoa(order)
	}
	return PendingRun{c.Await(flow.Op{Name: "run " + spec.Class + " " + id, Begin: func(tx *durable.Tx, key flow.Key) {
		c.host.beginRun(tx, key, run.Run{
			ID: id, Class: spec.Class, ToolCall: c.call.ID, Order: order, Input: spec.Input, Preview: spec.Input, Display: spec.Display,
		}, spec.Prompt)
	}})}
}

// Wait returns what came of the run. Its error says that there was none.
func (p PendingRun) Wait() (Outcome, error) {
	var o Outcome
	data, err := p.pending.Wait()
	if err != nil {
		return o, err
	}
	err = json.Unmarshal(data, &o)
	return o, err
}

// following is the stream of one run, as it comes in.
type following struct {
	reader *wire.Reader
	// attempts counts the streams that broke since the last chunk.
	attempts int
	// heard says that something has come since the run was last looked after.
	heard bool
}

func (h *Host) beginRun(tx *durable.Tx, key flow.Key, r run.Run, prompt string) {
	r.Waiter, r.WaiterPosition = key.Routine, key.Position
	r.Prompt = prompt
	r, joined, err := run.Begin(tx, r, RunLimits)
	switch {
	case err != nil:
		flow.Complete(tx, key, nil, err.Error())
	case joined && r.Status.Final():
		h.deliver(tx, r)
	case joined:
	default:
		h.showEvent(tx, r, 0, started(r))
		h.dispatch(tx, r)
		h.watchRuns(tx)
	}
}

func facetOf(r run.Run) durable.Facet {
	return durable.Facet{Slot: "helper-" + strconv.Itoa(r.Slot), Class: r.Class}
}

// The names of calls and streams begin with what they are for; the run's id follows.
const (
	callStart  = "start/"
	callCancel = "cancel/"
	callPage   = "page/"
	callAnswer = "answer/"
	tailOf     = "tail/"
)

// dispatch hands a run that has a slot to its helper.
func (h *Host) dispatch(tx *durable.Tx, r run.Run) {
	if r.Slot > 0 {
		tx.Do(durable.Call{Call: callStart + r.ID, To: facetOf(r), Data: startRun.Request(startRequest{Run: r.ID, Prompt: r.Prompt})})
	}
}

// follow opens the stream of a run behind the last chunk that came.
func (h *Host) follow(tx *durable.Tx, r run.Run) {
	if h.followed == nil {
		h.followed = map[string]*following{}
	}
	f := h.followed[r.ID]
	if f == nil {
		f = &following{}
		h.followed[r.ID] = f
	}
	f.reader, f.heard = &wire.Reader{}, true
	tx.Do(durable.OpenStream{Stream: tailOf + r.ID, From: facetOf(r), Data: tailRun.Request(tailRequest{Run: r.ID, From: r.Next})})
}

// watchRuns makes sure that the platform wakes a parent while runs are under way: a
// helper cannot. Nothing is armed when there are none, or all wait for somebody.
func (h *Host) watchRuns(tx *durable.Tx) {
	idle := func(r run.Run) bool { return r.Status == run.Waiting }
	if len(slices.DeleteFunc(run.Active(tx), idle)) == 0 && len(run.ToCancel(tx)) == 0 {
		tx.Unschedule(dueRuns, "")
		return
	}
	tx.Schedule(dueRuns, "", tx.Now+watchEvery)
}

// rejoin goes on with every run of an earlier life, all of them side by side.
func (h *Host) rejoin(tx *durable.Tx) {
	for _, r := range run.Active(tx) {
		if r.Status == run.Starting {
			h.dispatch(tx, r)
			continue
		}
		h.follow(tx, r)
	}
	for _, r := range run.ToCancel(tx) {
		h.tellCancelled(tx, r)
	}
}

// take reads what has come of a run's stream.
func (h *Host) take(tx *durable.Tx, id string, data []byte) {
	r, ok := run.Find(tx, id)
	f := h.followed[id]
	if !ok || f == nil || r.Status.Final() {
		return
	}
	f.heard = true
	frames, err := f.reader.Feed(data)
	var chunks [][]byte
	for _, frame := range frames {
		switch frame.Kind {
		case wire.KindChunk:
			next := r.Next + int64(len(chunks))
			if frame.Index > next {
				err = fmt.Errorf("chunk %d came where %d was next", frame.Index, next)
			} else if frame.Index == next {
				chunks = append(chunks, frame.Body)
			}
		case wire.KindEnd:
			h.keepChunks(tx, &r, chunks)
			chunks = nil
			var o outcome
			if failed := json.Unmarshal(frame.Body, &o); failed != nil {
				o = outcome{Status: string(run.Failed), Failure: "the helper's answer was garbled"}
			}
			h.endRun(tx, r, o)
			return
		case wire.KindWaiting:
			h.keepChunks(tx, &r, chunks)
			var calls []string
			if json.Unmarshal(frame.Body, &calls) == nil {
				h.waitFor(tx, r, calls)
			}
			return
		case wire.KindError:
			err = frame.Err()
		}
	}
	h.keepChunks(tx, &r, chunks)
	if err != nil {
		tx.Do(durable.CancelStream{Stream: tailOf + id})
		h.lost(tx, r, err.Error())
	}
}
