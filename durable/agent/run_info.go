package agent

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/run"
)

// RunInfo is the public view of a run. Its JSON is public, and leaves out the input: the preview
// stands for it. Class is the name of the helper's agent. Input, Preview, Display and Output are
// JSON or nil. Failure says in words, and Reason for programs, why the run has no result.
type RunInfo struct {
	ID    string `json:"runId"`
	Class string `json:"agentType"`
	// Version is the helper's version when the run began. It is "" if there is none, and for a run that
	// repeats another one: its code begins under the version that the helper has by then.
	Version  string          `json:"version,omitempty"`
	ToolCall string          `json:"parentToolCallId,omitempty"`
	Order    int             `json:"order"`
	Detached bool            `json:"detached,omitempty"`
	Input    json.RawMessage `json:"-"`
	Preview  json.RawMessage `json:"inputPreview,omitempty"`
	Display  json.RawMessage `json:"display,omitempty"`

	Status  run.Status      `json:"status"`
	Summary string          `json:"summary,omitempty"`
	Output  json.RawMessage `json:"output,omitempty"`
	Failure string          `json:"error,omitempty"`
	Reason  run.Reason      `json:"reason,omitempty"`
	Usage   run.Usage       `json:"usage"`
	// PauseReason says in words why the run is paused, if it is.
	PauseReason string `json:"pauseReason,omitempty"`
	// Labels are the labels that the run was given; see [Label].
	Labels map[string]string `json:"labels,omitempty"`
	// RestartOf is the run that this one repeats, and RestartedAs the last run that repeats this one.
	RestartOf   string `json:"restartOf,omitempty"`
	RestartedAs string `json:"restartedAs,omitempty"`
	// Progress is the last progress that the helper has reported, or nil.
	Progress *run.Progress `json:"progress,omitempty"`
	// Milestones are the milestones that the run has reached. A list of runs leaves them out.
	Milestones []Milestone `json:"milestones,omitempty"`
	// Origin leads from this agent to the helper that has begun the run, if this agent hosts it for a
	// helper. It is nil for the agent's own runs.
	Origin []run.Hop `json:"origin,omitempty"`
	// DroppedSignals is how many of the signals to a run that is over its code has not received.
	DroppedSignals int64 `json:"droppedSignals,omitempty"`
	// BegunAt and EndedAt are in milliseconds since 1970; EndedAt is 0 until the run is
	// final.
	BegunAt int64 `json:"startedAt"`
	EndedAt int64 `json:"completedAt,omitempty"`
}

func infoOf(r run.Run) RunInfo {
	i := RunInfo{
		ID: r.ID, Class: r.Class, Version: r.Version, ToolCall: r.ToolCall, Order: r.Order, Detached: r.Detached(), Input: r.Input, Preview: r.Preview, Display: r.Display,
		Status: r.Status, Summary: r.Summary, Output: r.Output, Failure: r.Failure, Reason: r.Reason, Usage: r.Usage, Progress: r.Progress,
		DroppedSignals: r.DroppedSignals, BegunAt: r.BegunAt, EndedAt: r.EndedAt, Labels: r.Labels, RestartOf: r.Restart.Of, RestartedAs: r.Restart.As,
	}
	if r.Origin != nil {
		i.Origin = r.Origin.Path
	}
	if r.Status == run.Paused {
		i.PauseReason = r.Pause.Why
	}
	return i
}

// Runs is [Conversation.Runs] for a tool's code. What it returns is journaled.
func (c *Context) Runs(f run.Filter) ([]RunInfo, error) {
	return flow.Step(c, "list runs", func(tx *durable.Tx) ([]RunInfo, error) { return c.now(tx).Runs(f), nil })
}

// Run is [Conversation.Run] for a tool's code. What it returns is journaled.
func (c *Context) Run(id string) (RunInfo, error) {
	return flow.Step(c, "inspect run "+id, func(tx *durable.Tx) (RunInfo, error) { return c.now(tx).Run(id) })
}

// CancelRun is [Conversation.CancelRun] for a tool's code.
func (c *Context) CancelRun(id, why string) error {
	_, err := flow.Step(c, "cancel run "+id, func(tx *durable.Tx) (any, error) { return nil, c.now(tx).CancelRun(id, why) })
	return err
}

// DeleteRun is [Conversation.DeleteRun] for a tool's code.
func (c *Context) DeleteRun(id string) error {
	_, err := flow.Step(c, "delete run "+id, func(tx *durable.Tx) (any, error) { return nil, c.now(tx).DeleteRun(id) })
	return err
}

// now returns the conversation within the event that runs the code.
func (c *Context) now(tx *durable.Tx) *Conversation {
	return &Conversation{object: c.object, tx: tx, claims: &c.code.Claims}
}
