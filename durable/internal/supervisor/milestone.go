package supervisor

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
)

// CheckMilestone says what is wrong with the name of a milestone.
func CheckMilestone(name string) error {
	if name == "" || len(name) > limit.MilestoneName {
		return fmt.Errorf("milestone: a name of %d bytes, not 1 to %d", len(name), limit.MilestoneName)
	}
	return nil
}

// milestoneReached notes at the parent that a run has reached a milestone, shows it, and completes
// its awaits. The milestone keeps its place among the chunks. A milestone that has come already
// changes nothing.
func (s *Supervisor) milestoneReached(tx *durable.Tx, r *run.Run, m stream.Milestone) {
	if r.Status.Final() || m.Sequence < r.Milestones || m.Sequence >= limit.Milestones || CheckMilestone(m.Name) != nil {
		return
	}
	if len(m.Data) > limit.ReportData {
		m.Data = nil
	}
	m.Place = r.Next
	again := stream.HasReached(tx, r.Log(), m.Name)
	stream.AppendMilestone(tx, r.Log(), m)
	run.NoteMilestone(tx, r, m.Sequence)
	s.report(tx, Reached{*r, m, again})
	s.notifyOrigin(tx, r, false)
	for _, w := range run.TakeMilestoneWaiters(tx, *r, m.Name) {
		if flow.Complete(tx, flow.Key(w), limit.MustMarshal(m), "") {
			s.report(tx, Awaited{})
		}
	}
}

// failMilestoneWaiters fails the awaits of milestones that an ended run has not reached.
func (s *Supervisor) failMilestoneWaiters(tx *durable.Tx, r run.Run) {
	for _, w := range run.TakeAllMilestoneWaiters(tx, r) {
		if flow.Complete(tx, flow.Key(w), nil, endedBefore(r)) {
			s.report(tx, Awaited{})
		}
	}
}

func endedBefore(r run.Run) string { return fmt.Sprintf("run %s is over: %s", r.ID, r.Status) }

// AwaitMilestone has a routine await a milestone of a run.
func (s *Supervisor) AwaitMilestone(tx *durable.Tx, key flow.Key, id, name string) {
	r, err := Find(tx, id)
	if err != nil {
		flow.Complete(tx, key, nil, err.Error())
		return
	}
	for _, m := range stream.Milestones(tx, r.Log(), 0) {
		if m.Name == name {
			flow.Complete(tx, key, limit.MustMarshal(m), "")
			return
		}
	}
	if r.Status.Final() {
		flow.Complete(tx, key, nil, endedBefore(r))
		return
	}
	run.AwaitMilestone(tx, r, name, run.Waiter(key))
}
