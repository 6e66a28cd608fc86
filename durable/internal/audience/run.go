package audience

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
)

// This file is about what browsers are shown of runs while they go on.

// SendRunEvent sends an event of a run to all browsers, except those whose replay has not come to
// the end of this run yet: the replay will bring the event. A browser for which there is no room now is
// sent a replay.
func (c *Audience) SendRunEvent(tx *durable.Tx, r run.Run, sequence int64, event protocol.EventBody) {
	if c.Count() == 0 {
		return
	}
	frame := protocol.ToolEvent{ParentToolCallID: r.ToolCall, Sequence: sequence, Event: event}.Encode()
	now, later := c.fit(tx, len(frame), c.Where(func(id durable.ConnID) bool { return c.replays[id].receives(r.Seq, event.Kind, frame) }))
	Send(tx, frame, now...)
	for _, id := range later {
		c.replayLater(tx, id)
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
//
// It also shows that a run is paused, because clients know no status of that name: as the phase
// "paused", with the reason as its message. When the run goes on, its own progress is shown again.
func ProgressEvent(r run.Run) protocol.EventBody {
	var data protocol.Progress
	if p := r.Progress; p != nil {
		data = protocol.Progress{Fraction: p.Fraction, Message: p.Message, Phase: p.Phase, Data: p.Data}
	}
	id := fmt.Sprintf("progress-%d-%d-%d", r.Seq, r.Reports, r.Milestones)
	if r.Pause.Change > 0 {
		id += fmt.Sprintf("-%d", r.Pause.Change)
	}
	if r.Status == run.Paused {
		data.Phase, data.Message = string(run.Paused), r.Pause.Why
	}
	return ChunkEvent(r, data.Encode(id))
}

// hasProgress says whether a run has something that [ProgressEvent] shows.
func hasProgress(r run.Run) bool {
	return r.Progress != nil || r.Pause.Change > 0 && !r.Status.Final()
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
