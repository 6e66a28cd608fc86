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

// This file is about the runs that a tool's code starts and awaits.

// Spec describes a run: the helper, its input and its limits.
type Spec struct {
	// Class is the helper's class. Input is the helper's input as JSON. Prompt is the same in
	// words, and begins the helper's conversation.
	Class  string
	Input  json.RawMessage
	Prompt string
	// ID names the run. With "" the name is made from the tool call. If a run with this name
	// exists, it is joined.
	ID string
	// Order is the run's place among the runs of its tool call. With nil, runs are in the order in
	// which they began.
	Order *int
	// Preview is the part of the input that browsers show. Display is the name of the run in
	// browsers. Both are JSON, or nil for nothing.
	Preview, Display json.RawMessage
	// Output is the JSON Schema for the helper's answer, or nil if words are enough.
	Output json.RawMessage
	// Timeout is how long the run may take before it is closed, 0 for no limit. Time in the queue
	// counts. Time spent waiting for a person does not.
	Timeout time.Duration
	// Detached names the agent's handler that takes the end of a detached run. Nothing waits for a
	// detached run, and it outlives the turn. With "" the run is not detached.
	Detached string
	// IdleTimeout is how long a detached run may produce nothing (no chunk, no progress, no
	// milestone) before it fails. 0 means an hour.
	IdleTimeout time.Duration
	// StopWithTurn stops a detached run when a person stops the turn that began it.
	StopWithTurn bool
	// Announce says which milestones of a detached run are posted into the chat, each name once.
	Announce run.Announce
	// Visibility says which events of the run are sent to browsers.
	Visibility run.Visibility
	// NoQueue refuses the run if no place is free, instead of queueing it.
	NoQueue bool
}

// run returns the run that the spec describes, with an id.
func (s Spec) run(id string) run.Run {
	return run.Run{
		ID: id, Class: s.Class, Input: s.Input, Prompt: s.Prompt, Schema: s.Output,
		Preview: s.Preview, Display: s.Display, Visibility: s.Visibility, Timeout: s.Timeout.Milliseconds(), Handler: s.Detached,
		IdleTimeout: s.IdleTimeout.Milliseconds(), Announce: s.Announce,
	}
}

// ToolContext lets a tool's code start and await work.
type ToolContext struct {
	*flow.Context
	object *Object
	call   turn.Call
	// run is the id of the run that a program works on, "" for a tool.
	run string
	// detached says that the turn works on a detached run.
	detached bool
	// runs counts the runs that each branch has begun.
	runs map[int]int
}

// Detached says whether the helper works on a detached run. Nothing waits for such a run, and
// people watch its progress.
func (c *ToolContext) Detached() bool { return c.detached }

// PendingRun is a run that was begun.
type PendingRun struct {
	// ID names the run.
	ID      string
	pending *flow.Pending
}

// StartRun begins a run and returns at once. Several runs can be under way. A run that cannot begin
// has failed, and its outcome says so.
func (c *ToolContext) StartRun(spec Spec) PendingRun {
	branch := c.Branch()
	n := c.runs[branch]
	c.runs[branch]++
	r := spec.run(cmp.Or(spec.ID, c.runID(branch, n)))
	r.ToolCall, r.Order = c.call.ID, n
	return PendingRun{r.ID, c.Await(flow.Op{
		Name: "run " + r.Class + " " + r.ID,
		Begin: func(tx *durable.Tx, key flow.Key) {
			if branch != flow.Main {
				r.Order = key.Position // in the order in which they began, over all branches
			}
			if spec.Order != nil {
				r.Order = *spec.Order
			}
			if spec.StopWithTurn {
				r.StopsWith = c.object.loop.Turn().Seq
			}
			r.Turn = c.object.loop.Turn().Seq
			c.object.runs.Begin(tx, key, r, spec.NoQueue)
		},
		Cancel: c.object.runs.AbandonAwait,
	})}
}

// runID names the nth run that a branch begins. The name is made from the call, or from the run
// that a program works on, so that a call that is made again finds its runs. It does not depend on
// the order in which the branches ran.
func (c *ToolContext) runID(branch, n int) string {
	id, program := c.call.ID, c.run != ""
	if program {
		id = c.run
	}
	if branch != flow.Main {
		id += "-b" + strconv.Itoa(branch)
	}
	if n > 0 || program && branch == flow.Main {
		id += "-" + strconv.Itoa(n)
	}
	return id
}

// Wait returns the outcome of the run. For a detached run it returns at once and says how the run
// began. If the time to wait is over, the outcome says so. An error means that there is no outcome.
func (p PendingRun) Wait() (run.Outcome, error) {
	var o run.Outcome
	data, err := p.pending.Wait()
	switch {
	case errors.Is(err, flow.ErrTimeout):
		return run.Outcome{Run: p.ID, Status: run.Aborted, Failure: err.Error(), Reason: run.TimedOut}, nil
	case err != nil:
		return o, err
	}
	err = json.Unmarshal(data, &o)
	return o, err
}
