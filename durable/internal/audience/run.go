package audience

import (
	"fmt"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
)

// This file is about what browsers are shown of runs, both live and when they connect.

// SendRunEvent sends an event of a run to all browsers.
func (c *Audience) SendRunEvent(tx *durable.Tx, r run.Run, sequence int64, event protocol.EventBody) {
	to := c.All()
	if len(to) > 0 {
		Send(tx, protocol.ToolEvent{ParentToolCallID: r.ToolCall, Sequence: sequence, Event: event}.Encode(), to...)
	}
}

// StartedEvent is the event that begins a run.
func StartedEvent(r run.Run) protocol.EventBody {
	return protocol.EventBody{
		Kind: protocol.EventStarted, RunID: r.ID, AgentType: r.Class, InputPreview: r.Preview, Order: &r.Order, Display: r.Display,
	}
}

// ChunkEvent is the event of a chunk of a run.
func ChunkEvent(r run.Run, body []byte) protocol.EventBody {
	return protocol.EventBody{Kind: protocol.EventChunk, RunID: r.ID, Body: string(body)}
}

// ProgressEvent is the chunk that shows a run's progress. It is sent when the helper has reported
// progress, and again after every milestone. A client shows a milestone as the current progress,
// but only if its own clock says that it has heard nothing since. So the chunk that comes last
// decides, live and in a replay, whatever the client's clock says. Each chunk has a new id, and has
// the same id in a replay, so that a client takes it once.
func ProgressEvent(r run.Run) protocol.EventBody {
	p := r.Progress
	data := protocol.Progress{Fraction: p.Fraction, Message: p.Message, Phase: p.Phase, Data: p.Data}
	return ChunkEvent(r, data.Encode(fmt.Sprintf("progress-%d-%d-%d", r.Seq, r.Reports, r.Milestones)))
}

// MilestoneEvent is the chunk that shows a milestone.
func MilestoneEvent(r run.Run, m stream.Milestone) protocol.EventBody {
	return ChunkEvent(r, protocol.MilestoneChunk(limit.MustMarshal(m)))
}

// EndEvent is the event that ends a run.
func EndEvent(r run.Run) protocol.EventBody {
	switch r.Status {
	case run.Completed:
		return protocol.EventBody{Kind: protocol.EventFinished, RunID: r.ID, Summary: &r.Summary}
	case run.Aborted:
		return protocol.EventBody{Kind: protocol.EventAborted, RunID: r.ID, Reason: r.Failure}
	}
	return protocol.EventBody{Kind: protocol.EventError, RunID: r.ID, Error: r.Failure}
}

const (
	// replayBudget bounds the bytes about runs that a new connection is sent, newest runs first. At
	// most half of it goes to the beginnings and ends of runs, counted as they are sent. The rest
	// goes to the events between, see [replay.size]. The last run that is replayed is still sent whole.
	replayBudget = 4 << 20
	// maxReplayed is how large the events between a run's beginning and its end may be to be
	// replayed.
	maxReplayed = 6 << 20
	// replayPage is how many runs are read at once.
	replayPage = 8
	// logPage is how many logs are measured at once. logBudget is how many bytes of them are read at
	// once. A log that is longer is read by itself.
	logPage   = 64
	logBudget = 1 << 20
)

// replay is what a new connection is sent of a run: an outline and, if whole is set, the events
// between after the first frame of the outline.
type replay struct {
	run     run.Run
	outline []string
	whole   bool
	// stored is the size of the run's log, if the log is shown.
	stored int
}

// ReplayRuns sends a new connection the runs that are kept and not cleared. Within the budget they
// are sent as they were live, to the byte. For a run beyond the budget, nothing is sent that could
// replace what a tab has seen: a shorter end would replace the one that the tab shows.
func (c *Audience) ReplayRuns(tx *durable.Tx, conn durable.ConnID) {
	runs, budget := outlines(tx)
	for page := range slices.Chunk(runs, logPage) {
		if budget <= 0 {
			break
		}
		budget = chooseWhole(tx, page, budget)
	}
	slices.Reverse(runs)
	var read map[stream.ID][]stream.Chunk
	for i, p := range runs {
		Send(tx, p.outline[0], conn)
		if p.whole {
			if p.stored > 0 && p.stored <= logBudget && read[p.run.Log()] == nil {
				read = readLogs(tx, runs[i:])
			}
			p.replayLog(tx, read[p.run.Log()], conn)
		}
		for _, frame := range p.outline[1:] {
			Send(tx, frame, conn)
		}
	}
}

// chooseWhole chooses which of some runs are replayed whole, and returns the rest of the budget.
func chooseWhole(tx *durable.Tx, runs []replay, budget int) int {
	sizes := stream.Sizes(tx, runs[0].run.Log(), runs[len(runs)-1].run.Log())
	for i := 0; i < len(runs) && budget > 0; i++ {
		p := &runs[i]
		if p.run.Visibility != run.Terminal {
			p.stored = sizes[p.run.Log()]
		}
		if size := p.size(); size <= maxReplayed {
			p.whole = true
			budget -= size
		}
	}
	return budget
}

// readLogs reads the log of the first run, and those of the runs that follow it as long as they are
// replayed whole and fit into the budget. A number that is missing may be that of a run that a person
// has cleared.
func readLogs(tx *durable.Tx, runs []replay) map[stream.ID][]stream.Chunk {
	last, budget := runs[0].run, logBudget-runs[0].stored
	for _, p := range runs[1:] {
		budget -= p.stored
		if !p.whole || p.stored == 0 || budget < 0 || p.run.Seq != last.Seq+1 {
			break
		}
		last = p.run
	}
	return stream.Whole(tx, last.Log(), runs[0].run.Log())
}

// outlines returns the runs that a new connection is told of, newest first, and the rest of the
// budget. Unfinished runs are always included, because a client ignores events of a run that it
// does not know. Beyond the budget they have no preview and no name.
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

// outline is the frames that show a run's beginning, its progress and its end.
func outline(r run.Run) []string {
	frames := []string{replayed(r, 0, StartedEvent(r))}
	if r.Progress != nil {
		frames = append(frames, replayed(r, r.Next+1, ProgressEvent(r)))
	}
	if r.Status.Final() {
		frames = append(frames, replayed(r, r.Next+1, EndEvent(r)))
	}
	return frames
}

func replayed(r run.Run, sequence int64, event protocol.EventBody) string {
	return protocol.ToolEvent{ParentToolCallID: r.ToolCall, Sequence: sequence, Replay: true, Event: event}.Encode()
}

// size is the size of the events between a run's beginning and its end. It counts them as they
// are stored, and half of what the frames around chunks add, since the frames are several times as
// long as a model's words. So never much more than twice the budget is sent, whatever the chunks
// are.
func (p *replay) size() int {
	r := p.run
	size := int(r.Milestones) * limit.ReportData
	if r.Visibility != run.Terminal {
		size += p.stored + int(r.Next)*len(replayed(r, r.Next, ChunkEvent(r, nil)))/2
	}
	return size
}

// replayLog sends the events between a run's beginning and its end. The log is nil if it has to be
// read yet.
func (p *replay) replayLog(tx *durable.Tx, log []stream.Chunk, conn durable.ConnID) {
	r := p.run
	var reached []stream.Milestone
	if r.Milestones > 0 {
		reached = stream.Milestones(tx, r.Log(), 0)
	}
	show := func(upTo int64) {
		for _, m := range stream.TakeUpTo(&reached, upTo) {
			Send(tx, replayed(r, m.Place+1, MilestoneEvent(r, m)), conn)
		}
	}
	if p.stored > 0 {
		chunks := slices.Values(log)
		if log == nil {
			chunks = stream.All(tx, r.Log(), 0)
		}
		for c := range chunks {
			show(c.Index)
			Send(tx, replayed(r, c.Index+1, ChunkEvent(r, c.Body)), conn)
		}
	}
	show(r.Next)
}
