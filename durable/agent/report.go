package agent

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/supervisor"
	"github.com/tributary-agents/tributary/durable/limit"
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
	if c.of.Code.Outside != 0 {
		return nil
	}
	_, err = flow.Step(c, "milestone "+name, func(tx *durable.Tx) (any, error) {
		return nil, c.of.Object.Tails().RecordMilestone(tx, c.of.Object.Loop().Turn().Seq, stream.Milestone{Name: name, Data: encoded, At: tx.Now, Place: c.of.Object.Loop().Draft().Next})
	})
	return err
}

// AwaitMilestone waits until a run has reached a milestone, and returns the first one with the
// name. The run itself continues. It is an error if the run ends without the milestone. It is also an error if
// no run has the id.
func (c *Context) AwaitMilestone(id, name string) (Milestone, error) {
	var m Milestone
	data, err := c.Await(flow.Op{
		Name:       "milestone " + name + " of run " + id,
		FromParent: true, // the run may be hosted by the root
		Begin:      func(tx *durable.Tx, key flow.Key) { c.of.Object.Runs().AwaitMilestone(tx, key, id, name) },
		Cancel:     func(tx *durable.Tx, key flow.Key, _ flow.Reason) { run.LeaveMilestone(tx, run.Waiter(key)) },
	}).Wait()
	if err != nil {
		return m, err
	}
	err = json.Unmarshal(data, &m)
	return m, err
}

// Progress is how far a run has come, as its code reports it. A field that is empty is not sent.
type Progress struct {
	// Fraction is the share of the work that is done, from 0 to 1.
	Fraction float64
	// Phase names the current part of the work, in 128 bytes at most. Message describes it to
	// people, in 1 KiB at most.
	Phase, Message string
	// Data is for programs. It becomes JSON of at most 4 KiB.
	Data any
}

// checked returns the progress in the form that is sent, or says what is wrong with it.
func (p Progress) checked() (run.Progress, error) {
	r := run.Progress{Fraction: min(p.Fraction, 1), Phase: p.Phase, Message: p.Message}
	switch {
	case !(p.Fraction >= 0): // NaN is refused too
		return r, fmt.Errorf("progress: a fraction of %v, not from 0 to 1", p.Fraction)
	case len(p.Phase) > limit.Phase:
		return r, fmt.Errorf("progress: a phase of %d bytes, at most %d", len(p.Phase), limit.Phase)
	case len(p.Message) > limit.ReportWords:
		return r, fmt.Errorf("progress: a message of %d bytes, at most %d", len(p.Message), limit.ReportWords)
	}
	var err error
	r.Data, err = reportData(p.Data)
	if err != nil {
		return r, fmt.Errorf("progress: %w", err)
	}
	return r, nil
}

func reportData(v any) (json.RawMessage, error) {
	if v == nil {
		return nil, nil
	}
	data, err := limit.MarshalWithin(v, limit.ReportData)
	if err != nil {
		return nil, fmt.Errorf("data: %w", err)
	}
	return data, nil
}

// ReportProgress tells the watchers of a helper's run how far it has come. A report replaces the
// one before it. Reports are sent at most five times a second; the last of many always arrives, and
// a report that all the work is done is sent at once. In a call of another program the report goes to
// that program, see [Expose]. Elsewhere outside of a run it goes to nobody. A report that is too large, or whose fraction is negative, is an error.
//
// ReportProgress is an await like any other, and a call has 10,000 of them ([flow.MaxAwaits]): code
// with more items than that reports every hundredth item.
func (c *Context) ReportProgress(p Progress) error {
	checked, err := p.checked()
	if err != nil {
		return err
	}
	_, err = flow.Step(c, "report progress", func(tx *durable.Tx) (any, error) {
		if c.of.Code.Outside != 0 {
			c.of.Object.Report(tx, c.of.Code.Call.ID, checked)
			return nil, nil
		}
		c.of.Object.Tails().Report(tx, c.of.Object.Loop().Turn().Seq, checked)
		return nil, nil
	})
	return err
}
