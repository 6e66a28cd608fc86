package chat

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/internal/loop"
	"github.com/tributary-agents/tributary/durable/internal/supervisor"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
)

// Conversation is what code can do with its conversation within one event. It must not be kept
// after the event.
type Conversation struct {
	object *Object
	tx     *durable.Tx
}

// State returns the agent's state, or nil if none was set.
func (c *Conversation) State() json.RawMessage { return stateOf(c.tx) }

// SetState replaces the agent's state and shows it to every client.
func (c *Conversation) SetState(v any) error {
	state, err := limit.MarshalWithin(v, limit.State)
	if err != nil {
		return fmt.Errorf("state: %w", err)
	}
	c.object.keepState(c.tx, state)
	return nil
}

// Usage returns what the conversation has used since it began, with all helpers below it.
func (c *Conversation) Usage() run.Usage {
	return loop.Total(c.tx).Add(run.Spent(c.tx, 0))
}

// Runs lists runs of helpers, newest first. A long summary or error is cut to its first 1,000
// characters, and a long output is left out: [Conversation.Run] returns them whole.
func (c *Conversation) Runs(f run.Filter) []RunInfo {
	infos := []RunInfo{} // never null
	for _, r := range run.List(c.tx, f) {
		infos = append(infos, infoOf(r))
	}
	return infos
}

// Run returns one run.
func (c *Conversation) Run(id string) (RunInfo, error) {
	r, err := supervisor.Find(c.tx, id)
	info := infoOf(r)
	if r.Milestones > 0 {
		info.Milestones = stream.Milestones(c.tx, facet.LogOf(r), 0)
	}
	return info, err
}

// CancelRun stops a run, also one that waits in the queue. Code that awaits the run is told why. A
// run that is over already does not change.
func (c *Conversation) CancelRun(id, why string) error {
	r, err := supervisor.Find(c.tx, id)
	if err == nil {
		c.object.runs.Stop(c.tx, r, run.Cancelled, why)
	}
	return err
}

// DeleteRun deletes a run that is over, and wipes its helper with all its storage.
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
	c.object.runs.Wipe(c.tx, r)
	c.object.runs.ArmReconcile(c.tx)
	return nil
}
