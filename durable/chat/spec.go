package chat

import (
	"cmp"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file is what a tool's code says of the runs that it wants, and hears of them.

// Spec says what a helper shall do.
type Spec struct {
	// Class is the helper's class, Input what it is asked, JSON, and Prompt the same
	// in words, as its conversation begins.
	Class  string
	Input  json.RawMessage
	Prompt string
	// ID names the run, "" for a name that comes from the tool call. A run that is
	// there already is joined.
	ID string
	// Order is the run's place among those of its tool call, nil for the order in
	// which they are begun.
	Order *int
	// Preview is what browsers are shown of the input, and Display how they name the
	// run; JSON or nil for nothing.
	Preview, Display json.RawMessage
	// Output is the JSON Schema that the helper's answer has to fit, or nil where
	// words will do.
	Output json.RawMessage
	// Timeout is how long the run may take before it is closed, 0 for ever. Its time in
	// the queue counts, its time of waiting for a person does not.
	Timeout time.Duration
	// Detached names the handler of the agent that takes the run's end. The run is begun
	// and not waited for; it outlives the turn. With "" it is not detached.
	Detached string
	// Silence is how long nothing may be heard of a detached run before it is given up: no
	// chunk, no progress, no milestone. 0 is as usual, an hour.
	Silence time.Duration
	// StopWithTurn has a detached run stopped too when a person stops the turn that begins
	// it.
	StopWithTurn bool
	// Tells are the milestones of a detached run that the chat tells of, each name once.
	Tells run.Tells
	// Delivery says which of the run's events browsers get.
	Delivery run.Delivery
	// NoQueue has the run refused, instead of queued, where all places are taken.
	NoQueue bool
}

// run is the run that is asked for, under an id.
func (s Spec) run(id string) run.Run {
	return run.Run{
		ID: id, Class: s.Class, Input: s.Input, Prompt: s.Prompt, Schema: s.Output,
		Preview: s.Preview, Display: s.Display, Delivery: s.Delivery, Timeout: s.Timeout.Milliseconds(), Handler: s.Detached,
		Silence: s.Silence.Milliseconds(), Tells: s.Tells,
	}
}

// Outcome is what came of a run: a summary or an output, or a failure in words.
type Outcome struct {
	Run     string          `json:"run"`
	Status  run.Status      `json:"status"`
	Summary string          `json:"summary,omitempty"`
	Output  json.RawMessage `json:"output,omitempty"`
	Failure string          `json:"failure,omitempty"`
	Reason  run.Reason      `json:"reason,omitempty"`
}

func outcomeOf(r run.Run) Outcome {
	return Outcome{Run: r.ID, Status: r.Status, Summary: r.Summary, Output: r.Output, Failure: r.Failure, Reason: r.Reason}
}

// ToolContext is what a tool's code awaits with.
type ToolContext struct {
	*flow.Context
	host *Host
	call turn.Call
	// run is the run that a program works on, "" for a tool.
	run string
	// detached says that the run which all this is for is detached.
	detached bool
	// runs counts the runs that each branch has begun.
	runs map[int]int
}

// Detached says whether the helper works on a detached run: nobody waits for it, and people
// watch how far it comes.
func (c *ToolContext) Detached() bool { return c.detached }

// PendingRun is a run that was begun.
type PendingRun struct {
	// ID names the run.
	ID      string
	pending *flow.Pending
}

// StartRun begins a run and returns at once; several can be under way. A run that
// cannot be begun is one that has failed: its outcome says so.
func (c *ToolContext) StartRun(spec Spec) PendingRun {
	branch := c.Branch()
	n := c.runs[branch]
	c.runs[branch]++
	r := spec.run(cmp.Or(spec.ID, c.runID(branch, n)))
	r.ToolCall, r.Order = c.call.ID, n
	return PendingRun{r.ID, c.Await(flow.Op{
		Name: "run " + r.Class + " " + r.ID,
		Begin: func(tx *durable.Tx, key flow.Key) {
			if branch != flow.Trunk {
				r.Order = key.Position // as they are begun, over all branches
			}
			if spec.Order != nil {
				r.Order = *spec.Order
			}
			if spec.StopWithTurn {
				r.StopsWith = c.host.live.turn.Seq
			}
			c.host.beginRun(tx, key, r, spec.NoQueue)
		},
		Cancel: c.host.leaveRun,
	})}
}

// runID names the run that a branch begins as its nth: by the call, so that one which
// is made again finds its runs, or by the run that a program works on; and not by
// which branch came first.
func (c *ToolContext) runID(branch, n int) string {
	id, program := c.call.ID, c.run != ""
	if program {
		id = c.run
	}
	if branch != flow.Trunk {
		id += "-b" + strconv.Itoa(branch)
	}
	if n > 0 || program && branch == flow.Trunk {
		id += "-" + strconv.Itoa(n)
	}
	return id
}

// leaveRun takes back that a routine awaits a run. One that nobody else awaits ends,
// where the routine wants that; otherwise it ends with its turn.
func (h *Host) leaveRun(tx *durable.Tx, key flow.Key, why flow.Reason) {
	r, alone := run.Leave(tx, run.Waiter(key))
	switch {
	case !alone, r.Handler != "":
	case why == flow.TimedOut:
		h.stopRun(tx, r, run.TimedOut, "the tool that began it has no more time")
	case why == flow.Cancelled:
		h.stopRun(tx, r, run.Cancelled, "the tool that began it has cancelled it")
	}
}

// Wait returns what came of the run, and at once how a detached one has begun. Where there
// is no time for that any more, the outcome says so. The error says that there is none.
func (p PendingRun) Wait() (Outcome, error) {
	var o Outcome
	data, err := p.pending.Wait()
	switch {
	case errors.Is(err, flow.ErrTimeout):
		return Outcome{Run: p.ID, Status: run.Aborted, Failure: err.Error(), Reason: run.TimedOut}, nil
	case err != nil:
		return o, err
	}
	err = json.Unmarshal(data, &o)
	return o, err
}
