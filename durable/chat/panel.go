package chat

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
)

// This file is what browsers are shown of runs: as it happens, and when they connect.

// showEvent shows everyone what has happened to a run.
func (h *Host) showEvent(tx *durable.Tx, r run.Run, sequence int64, event protocol.EventBody) {
	to := h.roster.all()
	if len(to) > 0 {
		send(tx, protocol.ToolEvent{ParentToolCallID: r.ToolCall, Sequence: sequence, Event: event}.Encode(), to...)
	}
}

func started(r run.Run) protocol.EventBody {
	return protocol.EventBody{
		Kind: protocol.EventStarted, RunID: r.ID, AgentType: r.Class, InputPreview: r.Preview, Order: &r.Order, Display: r.Display,
	}
}

func chunkOf(r run.Run, body []byte) protocol.EventBody {
	return protocol.EventBody{Kind: protocol.EventChunk, RunID: r.ID, Body: string(body)}
}

// progressOf is how a run's progress is shown. It is shown when its helper has reported it, and
// again behind every milestone: a client shows a milestone as the progress that there is, but
// only where its own clock says that it has heard nothing since. So what comes last decides, now
// and in a replay, whatever the client's clock says. The id is another each time, and the same in
// a replay: a client takes it once.
func progressOf(r run.Run) protocol.EventBody {
	p := r.Progress
	data := protocol.Progress{Fraction: p.Fraction, Message: p.Message, Phase: p.Phase, Data: p.Data}
	return chunkOf(r, data.Encode(fmt.Sprintf("progress-%d-%d-%d", r.Seq, r.Reports, r.Milestones)))
}

// milestoneEvent is how a milestone is shown.
func milestoneEvent(r run.Run, m stream.Milestone) protocol.EventBody {
	return chunkOf(r, protocol.MilestoneChunk(encode(m)))
}

// terminal is the event that ends a run.
func terminal(r run.Run) protocol.EventBody {
	switch r.Status {
	case run.Completed:
		return protocol.EventBody{Kind: protocol.EventFinished, RunID: r.ID, Summary: &r.Summary}
	case run.Aborted:
		return protocol.EventBody{Kind: protocol.EventAborted, RunID: r.ID, Reason: r.Failure}
	}
	return protocol.EventBody{Kind: protocol.EventError, RunID: r.ID, Error: r.Failure}
}

// replayBudget bounds the chunks of runs that a new connection is sent, newest runs
// first; of older ones it learns that they were and how they ended.
const replayBudget = 4 << 20

// replayRuns tells a new connection of every run that is kept and not cleared.
func (h *Host) replayRuns(tx *durable.Tx, conn durable.ConnID) {
	runs := run.Shown(tx)
	budget := replayBudget
	from := len(runs)
	for from > 0 && budget > 0 {
		from--
		budget -= int(runs[from].Milestones) * MaxReportData
		if runs[from].Delivery != run.Terminal {
			budget -= stream.Size(tx, logOf(runs[from]))
		}
	}
	for i, r := range runs {
		tell := func(sequence int64, event protocol.EventBody) {
			send(tx, protocol.ToolEvent{ParentToolCallID: r.ToolCall, Sequence: sequence, Replay: true, Event: event}.Encode(), conn)
		}
		tell(0, started(r))
		if i >= from {
			replayRun(tx, r, tell)
		}
		if r.Status.Final() {
			tell(r.Next+1, terminal(r))
		}
	}
}

// replayRun tells what there was between a run's beginning and its end, and how far it has
// come.
func replayRun(tx *durable.Tx, r run.Run, tell func(sequence int64, event protocol.EventBody)) {
	var reached []stream.Milestone
	if r.Milestones > 0 {
		reached = stream.Milestones(tx, logOf(r), 0)
	}
	show := func(upTo int64) {
		for _, m := range stream.TakeUpTo(&reached, upTo) {
			tell(m.Place+1, milestoneEvent(r, m))
		}
	}
	for next, more := int64(0), r.Delivery != run.Terminal; more; {
		var chunks []stream.Chunk
		chunks, more = stream.Read(tx, logOf(r), next, 1<<20)
		for _, c := range chunks {
			show(c.Index)
			tell(c.Index+1, chunkOf(r, c.Body))
			next = c.Index + 1
		}
	}
	show(r.Next)
	if r.Progress != nil {
		tell(r.Next+1, progressOf(r))
	}
}
