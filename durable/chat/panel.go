package chat

import (
	"fmt"
	"slices"

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

const (
	// replayBudget bounds what a new connection is sent of runs, in bytes, newest runs first.
	// Half of it at most goes to how they began and ended, counted as it is sent; the rest to
	// what there was in between, see [sizeOf]. The run with which it ends is still whole.
	replayBudget = 4 << 20
	// maxReplayed is how much of one run there may be between its beginning and its end.
	maxReplayed = 6 << 20
	// replayPage is how many runs are read at once.
	replayPage = 8
)

// replay is what a new connection is sent of a run: an outline, and whether what there was
// in between comes behind the first frame of that.
type replay struct {
	run     run.Run
	outline []string
	whole   bool
}

// replayRuns tells a new connection of the runs that are kept and not cleared. Within the
// budget they are told as they were live, to the byte. Of one beyond it nothing is told
// that a tab which has seen it could take for news: a shorter end would replace the one
// that it shows.
func (h *Host) replayRuns(tx *durable.Tx, conn durable.ConnID) {
	runs, budget := outlines(tx)
	for i := 0; i < len(runs) && budget > 0; i++ {
		if size := sizeOf(tx, runs[i].run); size <= maxReplayed {
			runs[i].whole = true
			budget -= size
		}
	}
	for _, p := range slices.Backward(runs) {
		send(tx, p.outline[0], conn)
		if p.whole {
			replayLog(tx, p.run, conn)
		}
		for _, frame := range p.outline[1:] {
			send(tx, frame, conn)
		}
	}
}

// outlines are the runs that a new connection is told of, newest first, and what is left of
// the budget. Those that are not over are told of in any case, beyond the budget without
// preview and name, for a client takes nothing that comes of a run which it does not know.
func outlines(tx *durable.Tx) (runs []replay, budget int) {
	budget = replayBudget
	before, more := int64(run.Newest), true
	for more && budget > replayBudget/2 {
		page := run.Shown(tx, before, replayPage)
		more = len(page) == replayPage
		for _, r := range page {
			if budget <= replayBudget/2 {
				more = true
				break
			}
			p := replay{run: r, outline: outline(r)}
			for _, frame := range p.outline {
				budget -= len(frame)
			}
			runs, before = append(runs, p), r.Seq
		}
	}
	if more {
		for _, r := range run.UnfinishedBefore(tx, before) {
			runs = append(runs, replay{run: r, outline: outline(r)})
		}
	}
	return runs, budget
}

// outline tells that a run was, how far it has come, and how it ended.
func outline(r run.Run) []string {
	frames := []string{replayed(r, 0, started(r))}
	if r.Progress != nil {
		frames = append(frames, replayed(r, r.Next+1, progressOf(r)))
	}
	if r.Status.Final() {
		frames = append(frames, replayed(r, r.Next+1, terminal(r)))
	}
	return frames
}

func replayed(r run.Run, sequence int64, event protocol.EventBody) string {
	return protocol.ToolEvent{ParentToolCallID: r.ToolCall, Sequence: sequence, Replay: true, Event: event}.Encode()
}

// sizeOf is how much there is between a run's beginning and its end: as it is stored, and half
// of what the frames around chunks add to that, since they are several times as long as a
// model's words. So never much more than twice the budget is sent, whatever the chunks.
func sizeOf(tx *durable.Tx, r run.Run) int {
	size := int(r.Milestones) * MaxReportData
	if r.Delivery != run.Terminal {
		size += stream.Size(tx, logOf(r)) + int(r.Next)*len(replayed(r, r.Next, chunkOf(r, nil)))/2
	}
	return size
}

// replayLog tells what there was between a run's beginning and its end.
func replayLog(tx *durable.Tx, r run.Run, conn durable.ConnID) {
	var reached []stream.Milestone
	if r.Milestones > 0 {
		reached = stream.Milestones(tx, logOf(r), 0)
	}
	show := func(upTo int64) {
		for _, m := range stream.TakeUpTo(&reached, upTo) {
			send(tx, replayed(r, m.Place+1, milestoneEvent(r, m)), conn)
		}
	}
	for next, more := int64(0), r.Delivery != run.Terminal; more; {
		var chunks []stream.Chunk
		chunks, more = stream.Read(tx, logOf(r), next, 1<<20)
		for _, c := range chunks {
			show(c.Index)
			send(tx, replayed(r, c.Index+1, chunkOf(r, c.Body)), conn)
			next = c.Index + 1
		}
	}
	show(r.Next)
}
