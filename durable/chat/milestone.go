package chat

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/supervisor"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
)

// This file is about the milestones of runs. They are rows at the helper and at the parent, each
// with its place among the chunks of the run's log.

// Milestone is a stage that a run has reached.
type Milestone = stream.Milestone

// Milestone notes that a helper's run has reached a stage. Browsers show it at its place, live and
// in every replay. Data is for programs. It becomes JSON, and nil means none. Outside of a run
// Milestone does nothing.
func (c *ToolContext) Milestone(name string, data any) error {
	encoded, err := reportData(data)
	if wrong := supervisor.CheckMilestone(name); wrong != nil {
		return wrong
	}
	if err != nil {
		return fmt.Errorf("milestone %s: %w", name, err)
	}
	_, err = flow.Step(c, "milestone "+name, func(tx *durable.Tx) (any, error) {
		return nil, c.object.tails.RecordMilestone(tx, c.object.loop.Turn().Seq, stream.Milestone{Name: name, Data: encoded, At: tx.Now, Place: c.object.loop.Draft().Next})
	})
	return err
}

// AwaitMilestone waits until a run has reached a milestone, and returns the first one with the
// name. Its error says that the run has ended without it, or that there is no such run.
func (c *ToolContext) AwaitMilestone(id, name string) (stream.Milestone, error) {
	var m stream.Milestone
	data, err := c.Await(flow.Op{
		Name:   "milestone " + name + " of run " + id,
		Begin:  func(tx *durable.Tx, key flow.Key) { c.object.runs.AwaitMilestone(tx, key, id, name) },
		Cancel: func(tx *durable.Tx, key flow.Key, _ flow.Reason) { run.LeaveMilestone(tx, run.Waiter(key)) },
	}).Wait()
	if err != nil {
		return m, err
	}
	err = json.Unmarshal(data, &m)
	return m, err
}
