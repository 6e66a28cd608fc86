package chat

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/wire"
)

// This file is about the stages that a run says it has reached: rows at its helper and at
// its parent, each with its place among the chunks of the run's log.

const (
	// MaxMilestones is the number of milestones that a run can reach.
	MaxMilestones = limit.Milestones
	// maxName is the size of a milestone's name, in bytes.
	maxName = limit.MilestoneName
)

// Milestone is a stage that a run has reached.
type Milestone = stream.Milestone

// Milestone notes that a helper's run has reached a stage. Whoever watches is shown it at
// its place, now and ever after. Data is for programs; it becomes JSON, and nil is none.
// Outside of a run there is nobody to tell.
func (c *ToolContext) Milestone(name string, data any) error {
	encoded, err := reportData(data)
	if wrong := checkName(name); wrong != nil {
		return wrong
	}
	if err != nil {
		return fmt.Errorf("milestone %s: %w", name, err)
	}
	_, err = flow.Step(c, "milestone "+name, func(tx *durable.Tx) (any, error) {
		return nil, c.host.milestone(tx, stream.Milestone{Name: name, Data: encoded, At: tx.Now})
	})
	return err
}

func checkName(name string) error {
	if name == "" || len(name) > maxName {
		return fmt.Errorf("milestone: a name of %d bytes, not 1 to %d", len(name), maxName)
	}
	return nil
}

// milestone keeps a milestone of the live turn's run, and has the parent told.
func (h *Host) milestone(tx *durable.Tx, m stream.Milestone) error {
	k, ok := taskOf(tx, h.live.turn.Seq)
	if !ok {
		return nil
	}
	m.Sequence, m.Place = int64(len(stream.Milestones(tx, stream.ID(k.log), 0))), h.live.next
	if m.Sequence >= MaxMilestones {
		return fmt.Errorf("milestone %s: the run has reached %d already, and can have no more", m.Name, MaxMilestones)
	}
	stream.Reach(tx, stream.ID(k.log), m)
	k.reported.Milestones, k.reported.Due = m.Sequence+1, min(k.reported.Due, tx.Now) // what was said before it does not wait
	keepReported(tx, k)
	tx.Unschedule(dueReport, k.run)
	h.pumpAll(tx)
	return nil
}

// appendMilestones writes milestones into a tail. What was said of the run's progress
// before one of them, though it waits for its time, goes before it.
func (h *Host) appendMilestones(data []byte, t *tail, k task, list []stream.Milestone) []byte {
	for _, m := range list {
		if m.Sequence >= k.reported.Report.Progress.Milestones {
			data = h.appendProgress(data, t, k, true)
		}
		data = wire.AppendFrame(data, wire.Frame{Kind: wire.KindMilestone, Index: m.Place, Body: encode(m)})
		t.milestones = m.Sequence + 1
	}
	return data
}

// reach notes at the parent that a run has reached a milestone, shows it, and tells who
// awaits it. It stands where it has come among the chunks. One that came already changes
// nothing.
func (h *Host) reach(tx *durable.Tx, r *run.Run, m stream.Milestone) {
	if r.Status.Final() || m.Sequence < r.Milestones || m.Sequence >= MaxMilestones || checkName(m.Name) != nil {
		return
	}
	if len(m.Data) > MaxReportData {
		m.Data = nil
	}
	m.Place = r.Next
	again := stream.HasReached(tx, logOf(*r), m.Name)
	stream.Reach(tx, logOf(*r), m)
	run.Reached(tx, r, m.Sequence)
	h.showEvent(tx, *r, m.Place+1, milestoneEvent(*r, m))
	if r.Progress != nil {
		h.showEvent(tx, *r, m.Place+1, progressOf(*r))
	}
	if !again {
		h.tellOf(tx, *r, m)
	}
	for _, w := range run.TakeMilestoneWaiters(tx, *r, m.Name) {
		h.delivered = flow.Complete(tx, flow.Key(w), encode(m), "") || h.delivered
	}
}

// noMoreMilestones tells those who await a milestone of a run that has ended.
func (h *Host) noMoreMilestones(tx *durable.Tx, r run.Run) {
	for _, w := range run.TakeAllMilestoneWaiters(tx, r) {
		h.delivered = flow.Complete(tx, flow.Key(w), nil, endedBefore(r)) || h.delivered
	}
}

func endedBefore(r run.Run) string { return fmt.Sprintf("run %s is over: %s", r.ID, r.Status) }

// AwaitMilestone waits until a run has reached a milestone, and returns the first of the
// name. Its error says that the run has ended without, or that there is none.
func (c *ToolContext) AwaitMilestone(id, name string) (stream.Milestone, error) {
	var m stream.Milestone
	data, err := c.Await(flow.Op{
		Name:   "milestone " + name + " of run " + id,
		Begin:  func(tx *durable.Tx, key flow.Key) { c.host.awaitMilestone(tx, key, id, name) },
		Cancel: func(tx *durable.Tx, key flow.Key, _ flow.Reason) { run.LeaveMilestone(tx, run.Waiter(key)) },
	}).Wait()
	if err != nil {
		return m, err
	}
	err = json.Unmarshal(data, &m)
	return m, err
}

func (h *Host) awaitMilestone(tx *durable.Tx, key flow.Key, id, name string) {
	r, err := findRun(tx, id)
	if err != nil {
		flow.Complete(tx, key, nil, err.Error())
		return
	}
	for _, m := range stream.Milestones(tx, logOf(r), 0) {
		if m.Name == name {
			flow.Complete(tx, key, encode(m), "")
			return
		}
	}
	if r.Status.Final() {
		flow.Complete(tx, key, nil, endedBefore(r))
		return
	}
	run.AwaitMilestone(tx, r, name, run.Waiter(key))
}
