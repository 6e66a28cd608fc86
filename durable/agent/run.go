package agent

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/supervisor"
	"github.com/tributary-agents/tributary/durable/run"
)

// This file is about runs that are paused, go on and are restarted.

// PauseRun pauses a run, also one that waits in the queue. Nothing is thrown into the helper's code:
// the code is only not continued. What it awaits goes on, and is journaled. No model call, tool or
// await begins. A model call that is under way comes to its end, and is kept; if it is the last one,
// the run ends. Helpers below are paused, too. The run's timeouts stand still, and the run can be
// answered and cancelled. why is shown to people, and is cut to 1 KiB. The error says that there is
// no such run, that it is over, that it is paused already, or that this is a helper whose root hosts
// the run, where it can be paused. Nothing has changed then.
func (c *Conversation) PauseRun(id, why string) error {
	return c.object.Runs().Pause(c.tx, id, why)
}

// ResumeRun has a paused run go on, with what has come meanwhile. The run goes on with its own claims, so
// the caller needs all scopes of these. The error says that there is no such run, that it is not paused,
// that it is paused because the run of this helper is, that the root hosts it, or that the caller lacks a
// scope.
func (c *Conversation) ResumeRun(id string) error {
	return c.object.Runs().Unpause(c.tx, id, c.acting())
}

// RestartOptions say how a run is restarted.
type RestartOptions struct {
	// From is a step of the run's program, by the name that it is shown under: "charge", and
	// "charge (2)" for the second step of that name. The journal up to the beginning of that step is
	// copied, so that nothing is done again that is in it. With "" the run begins anew.
	From string `json:"from"`
}

// RestartRun begins a new run with the helper, the input and the options of a run that is over. The
// new run has the id of the old one, a dot and a number. Each of the two names the other:
// [RunInfo.RestartOf] and [RunInfo.RestartedAs]. The new run is detached, and belongs to no turn. If
// the old run had a handler, it is given the end of the new one, also in a helper that has begun the
// old run. The new run works for the claims of the code that restarts it, with the scopes that the old run
// has as well.
//
// The error says why the run cannot be restarted: there is none, it is not over, it was restarted
// already and that run is not over, the root hosts it, or the agent refuses the new run. With
// [RestartOptions.From], the helper of the old run must still be kept. A step that it does not have
// is not known at once: it is the failure of the new run.
func (c *Conversation) RestartRun(id string, o RestartOptions) (RunInfo, error) {
	old, err := supervisor.Find(c.tx, id)
	if err != nil {
		return RunInfo{}, err
	}
	r, err := c.object.Runs().Restart(c.tx, old, o.From, c.acting())
	return infoOf(r), err
}

// PauseRun is [Conversation.PauseRun] for a tool's code.
func (c *Context) PauseRun(id, why string) error {
	_, err := flow.Step(c, "pause run "+id, func(tx *durable.Tx) (any, error) { return nil, c.now(tx).PauseRun(id, why) })
	return err
}

// ResumeRun is [Conversation.ResumeRun] for a tool's code.
func (c *Context) ResumeRun(id string) error {
	_, err := flow.Step(c, "resume run "+id, func(tx *durable.Tx) (any, error) { return nil, c.now(tx).ResumeRun(id) })
	return err
}

// RestartRun is [Conversation.RestartRun] for a tool's code. It does not wait for the new run.
func (c *Context) RestartRun(id string, o RestartOptions) (RunInfo, error) {
	return flow.Step(c, "restart run "+id, func(tx *durable.Tx) (RunInfo, error) { return c.now(tx).RestartRun(id, o) })
}

// PauseRun is a [Method] that pauses a run, whoever has begun it. Its arguments are the run's id and, if the
// caller gives one, the reason in words. It begins nothing.
func PauseRun(call *Call) (any, error) {
	why := "the run was paused"
	if call.Len() > 1 {
		if err := call.Arg(1, &why); err != nil {
			return nil, err
		}
	}
	return about(call, func(id string) (any, error) { return nil, call.PauseRun(id, why) })
}

// ResumeRun is a [Method] that has a paused run go on, by its id, with the run's own claims. The caller needs
// all scopes of these.
func ResumeRun(call *Call) (any, error) {
	return about(call, func(id string) (any, error) { return nil, call.ResumeRun(id) })
}

// RestartRun is a [Method] that restarts a run. Its arguments are the run's id and, if the caller
// gives them, [RestartOptions]. It returns the new run, which works for the caller, with the scopes that the
// old run has as well.
func RestartRun(call *Call) (any, error) {
	var o RestartOptions
	if call.Len() > 1 {
		if err := call.Arg(1, &o); err != nil {
			return nil, err
		}
	}
	return about(call, func(id string) (any, error) {
		r, err := call.Conversation.RestartRun(id, o)
		if err != nil {
			return nil, err
		}
		return timed{r, call.Elapsed(r)}, nil
	})
}

// RunPage is a page of runs, newest first. Cursor is where the next page begins, or "" if there is
// none.
type RunPage struct {
	Runs   []RunInfo `json:"runs"`
	Cursor string    `json:"cursor,omitempty"`
}

// ListRuns lists a page of at most 100 runs of helpers, as [Conversation.Runs] does. The cursor of
// a page, in the filter of the next call, gives the next page: runs that begin or are deleted
// meanwhile do not change what the later pages hold. The error names the field of the filter that
// is wrong.
func (c *Conversation) ListRuns(f run.Filter) (RunPage, error) {
	if err := f.Check(); err != nil {
		return RunPage{}, err
	}
	runs, cursor := run.Page(c.tx, f)
	page := RunPage{Runs: []RunInfo{}, Cursor: cursor} // never null
	for _, r := range runs {
		page.Runs = append(page.Runs, infoOf(r))
	}
	return page, nil
}

// DeleteRuns deletes runs that are over and that a filter chooses, and wipes their helpers, as
// [Conversation.DeleteRun] does. Runs whose end a handler has still to be given are left out. One
// call deletes at most 100 runs, or the filter's limit. DeleteRuns returns how many it has deleted.
// The error names the field of the filter that is wrong.
func (c *Conversation) DeleteRuns(f run.Filter) (int, error) {
	if err := f.Check(); err != nil {
		return 0, err
	}
	over := run.Deletable(c.tx, f)
	for _, r := range over {
		c.object.Runs().Wipe(c.tx, r)
	}
	c.object.Runs().ArmReconcile(c.tx)
	return len(over), nil
}

// ListRuns is [Conversation.ListRuns] for a tool's code. What it returns is journaled.
func (c *Context) ListRuns(f run.Filter) (RunPage, error) {
	return flow.Step(c, "list a page of runs", func(tx *durable.Tx) (RunPage, error) { return c.now(tx).ListRuns(f) })
}

// DeleteRuns is [Conversation.DeleteRuns] for a tool's code.
func (c *Context) DeleteRuns(f run.Filter) (int, error) {
	return flow.Step(c, "delete runs", func(tx *durable.Tx) (int, error) { return c.now(tx).DeleteRuns(f) })
}

// DeleteRuns is a [Method] that deletes runs that are over. Its argument is a [run.Filter], {} for
// all runs, whoever has begun them. It returns how many it has deleted: {"deleted": 3}. It deletes at most
// 100 at a time, and begins nothing.
func DeleteRuns(call *Call) (any, error) {
	var f run.Filter
	if err := call.Arg(0, &f); err != nil {
		return nil, err
	}
	n, err := call.Conversation.DeleteRuns(f)
	if err != nil {
		return nil, err
	}
	return struct {
		Deleted int `json:"deleted"`
	}{n}, nil
}

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
	return &Conversation{object: c.of.Object, tx: tx, claims: &c.of.Code.Claims}
}
