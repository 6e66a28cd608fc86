package agent

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/supervisor"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
)

// Milestone is a stage that a run has reached, see [Context.Milestone]. Its JSON is public.
type Milestone struct {
	Name string `json:"name"`
	// Sequence numbers the milestones of a run, beginning with 0.
	Sequence int64 `json:"sequence"`
	// At is when the stage was reached, in milliseconds since 1970.
	At int64 `json:"at"`
	// Data is for programs, JSON or nil.
	Data json.RawMessage `json:"data,omitempty"`
}

func milestoneOf(m stream.Milestone) Milestone {
	return Milestone{Name: m.Name, Sequence: m.Sequence, At: m.At, Data: m.Data}
}

// Milestone notes that a helper's run has reached a stage. Browsers show it at its place among the
// run's text, live and in every replay. The name has 1 to 128 bytes. data is for programs: it
// becomes JSON of at most 4 KiB, and nil means none. A run can reach 100 milestones. Outside of a
// run Milestone does nothing.
func (c *Context) Milestone(name string, data any) error {
	encoded, err := reportData(data)
	if wrong := supervisor.CheckMilestone(name); wrong != nil {
		return wrong
	}
	if err != nil {
		return fmt.Errorf("milestone %s: %w", name, err)
	}
	if c.code.Outside != 0 {
		return nil
	}
	_, err = flow.Step(c, "milestone "+name, func(tx *durable.Tx) (any, error) {
		return nil, c.object.Tails().RecordMilestone(tx, c.object.Loop().Turn().Seq, stream.Milestone{Name: name, Data: encoded, At: tx.Now, Place: c.object.Loop().Draft().Next})
	})
	return err
}

// AwaitMilestone waits until a run has reached a milestone, and returns the first one with the
// name. The run goes on. The error says that the run has ended without the milestone, or that there
// is no run with the id.
func (c *Context) AwaitMilestone(id, name string) (Milestone, error) {
	var m Milestone
	data, err := c.Await(flow.Op{
		Name:       "milestone " + name + " of run " + id,
		FromParent: true, // the run may be hosted by the root
		Begin:      func(tx *durable.Tx, key flow.Key) { c.object.Runs().AwaitMilestone(tx, key, id, name) },
		Cancel:     func(tx *durable.Tx, key flow.Key, _ flow.Reason) { run.LeaveMilestone(tx, run.Waiter(key)) },
	}).Wait()
	if err != nil {
		return m, err
	}
	err = json.Unmarshal(data, &m)
	return m, err
}
