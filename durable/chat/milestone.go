package chat

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/supervisor"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/wire"
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
		return nil, c.object.recordMilestone(tx, stream.Milestone{Name: name, Data: encoded, At: tx.Now})
	})
	return err
}

// recordMilestone stores a milestone of the active turn's run, and sends it to the parent.
func (o *Object) recordMilestone(tx *durable.Tx, m stream.Milestone) error {
	k, ok := taskOf(tx, o.active.turn.Seq)
	if !ok {
		return nil
	}
	m.Sequence, m.Place = int64(len(stream.Milestones(tx, stream.ID(k.log), 0))), o.active.draft.Next
	if m.Sequence >= limit.Milestones {
		return fmt.Errorf("milestone %s: the run has reached %d already, and can have no more", m.Name, limit.Milestones)
	}
	stream.AppendMilestone(tx, stream.ID(k.log), m)
	k.reported.Milestones, k.reported.Due = m.Sequence+1, min(k.reported.Due, tx.Now) // earlier reports do not wait
	keepReported(tx, k)
	tx.Unschedule(dueReport, k.run)
	o.flushTails(tx)
	return nil
}

// appendMilestones writes milestones into a tail. A delayed report of progress that was made before
// a milestone is written before it.
func (o *Object) appendMilestones(data []byte, w *tailWriter, k task, list []stream.Milestone) []byte {
	for _, m := range list {
		if m.Sequence >= k.reported.Report.Progress.Milestones {
			data = o.appendProgress(data, w, k, true)
		}
		data = wire.AppendFrame(data, wire.Frame{Kind: wire.KindMilestone, Index: m.Place, Body: limit.MustMarshal(m)})
		w.milestones = m.Sequence + 1
	}
	return data
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
