package agent

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/supervisor"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
)

// Conversation is what hooks, handlers, callbacks and methods can do with their conversation. It is
// valid within one event: it cannot wait, and must not be kept. What it does is committed with the
// event, or not at all.
type Conversation struct {
	object author.Object
	tx     *durable.Tx
	// claims are those for which the code works, or nil for those of the event.
	claims *string
}

// acting returns the claims for which the code works.
func (c *Conversation) acting() string {
	if c.claims != nil {
		return *c.claims
	}
	return c.object.Acting(c.tx)
}

// Var returns a variable of the deployment, or "" if it is not set. A secret is not a variable: its
// name stands in the header of a request, see flow.Request. Neither is an address with a password in it.
func (c *Conversation) Var(name string) string { return c.object.Var(name) }

// State returns the agent's state as JSON, or nil if none was set. The caller must not change it.
func (c *Conversation) State() json.RawMessage { return c.object.State(c.tx) }

// SetState replaces the agent's state and shows it to every client. v becomes JSON of at most 1 MB;
// otherwise SetState returns an error. [Agent.AcceptState] is not asked.
func (c *Conversation) SetState(v any) error {
	state, err := limit.MarshalWithin(v, limit.State)
	if err != nil {
		return fmt.Errorf("state: %w", err)
	}
	c.object.SetState(c.tx, state)
	return nil
}

// Usage returns the tokens and model calls that the conversation has used since it began, with all
// helpers below it.
func (c *Conversation) Usage() run.Usage {
	return c.object.Loop().Total(c.tx).Add(run.Spent(c.tx, 0))
}

// Runs lists runs of helpers, newest first. A long summary or error is cut to its first 1,000
// characters, and a long output is left out: [Conversation.Run] returns them whole. A filter that is
// wrong chooses none: [Conversation.ListRuns] returns an error for it.
func (c *Conversation) Runs(f run.Filter) []RunInfo {
	infos := []RunInfo{} // never null
	if f.Check() != nil {
		return infos
	}
	for _, r := range run.List(c.tx, f) {
		infos = append(infos, infoOf(r))
	}
	return infos
}

// Run returns one run, with its whole result and its milestones. Its error says that there is no
// such run.
func (c *Conversation) Run(id string) (RunInfo, error) {
	r, err := supervisor.Find(c.tx, id)
	info := infoOf(r)
	if r.Milestones > 0 {
		for _, m := range stream.Milestones(c.tx, r.Log(), 0) {
			info.Milestones = append(info.Milestones, milestoneOf(m))
		}
	}
	return info, err
}

// CancelRun stops a run, also one that waits in the queue. why is shown to people, and to the model
// if the run was a tool call. A run that is over does not change. A detached run that a helper has
// begun ends for the helper when the root has told it so. The error says that there is no such run.
func (c *Conversation) CancelRun(id, why string) error {
	r, err := supervisor.Find(c.tx, id)
	if err == nil {
		c.object.Runs().Stop(c.tx, r, run.Cancelled, why)
	}
	return err
}

// DeleteRun deletes a run that is over, and wipes its helper with all its storage. Its error says
// that there is no such run, that the run is not over, or that a handler has still to be given its
// end.
func (c *Conversation) DeleteRun(id string) error {
	r, err := supervisor.Find(c.tx, id)
	switch {
	case err != nil:
		return err
	case !r.Status.Final():
		return fmt.Errorf("run %s is %s: cancel it before you delete it", id, r.Status)
	}
	if d, found := run.FindDelivery(c.tx, id); found && d.State != run.Dead {
		return fmt.Errorf("run %s is over, and its end has still to be handed over", id)
	}
	c.object.Runs().Wipe(c.tx, r)
	c.object.Runs().ArmReconcile(c.tx)
	return nil
}

// Elapsed is how long a run has taken until its end, or until now, in milliseconds by the object's
// clock.
func (c *Conversation) Elapsed(r RunInfo) int64 {
	until := r.EndedAt
	if until == 0 {
		until = c.tx.Now
	}
	return max(until-r.BegunAt, 0)
}

// DeadLetter is the end of a detached run whose handler has failed at every attempt. Its JSON is
// public. Failure says in words why the last attempt failed.
type DeadLetter struct {
	Run      RunInfo `json:"run"`
	Handler  string  `json:"handler"`
	Attempts int     `json:"attempts"`
	Failure  string  `json:"error"`
	// Origin leads to the helper that has begun the run, see [RunInfo].
	Origin []run.Hop `json:"origin,omitempty"`
}

// DeadLetters lists the dead letters. Those of runs that helpers have begun are listed by the root.
// The list is never nil.
func (c *Conversation) DeadLetters() []DeadLetter {
	list := []DeadLetter{} // never null
	for _, d := range run.Deliveries(c.tx, run.Dead) {
		if r, ok := run.Find(c.tx, d.Run); ok && r.Hosted == nil { // the root lists the dead letters of runs that it hosts
			info := infoOf(r)
			list = append(list, DeadLetter{info, d.Handler, d.Attempts, d.Failure, info.Origin})
		}
	}
	return list
}

// RetryDeadLetter delivers a dead letter again, as if the run had just ended. id is the id of the
// run. The handler works for the claims of the code that retries it, with the scopes that the run has as
// well. The error says that the run has no dead letter.
func (c *Conversation) RetryDeadLetter(id string) error {
	if r, _ := run.Find(c.tx, id); r.Hosted != nil || !c.object.Runs().RetryDelivery(c.tx, id, c.acting()) {
		return fmt.Errorf("run %.80q has no dead letter", id)
	}
	return nil
}

// startRun begins a detached run. If a run with this id exists, it is joined. The error says why
// the run cannot begin.
func (c *Conversation) startRun(s spec) (RunInfo, error) {
	r := s.run(cmp.Or(s.id, c.tx.NewID()))
	r.Claims = c.acting()
	supervisor.Detach(&r)
	if err := supervisor.CheckID(r.ID); err != nil {
		return RunInfo{}, err
	}
	have, joined, err := run.Join(c.tx, r)
	switch {
	case err != nil:
		return RunInfo{}, err
	case joined:
		return infoOf(have), nil
	}
	r = c.object.Runs().Accept(c.tx, r, s.noQueue)
	if r.Status.Final() {
		return infoOf(r), errors.New(r.Failure)
	}
	return infoOf(r), nil
}
