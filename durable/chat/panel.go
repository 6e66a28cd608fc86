package chat

import (
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

// replayRuns tells a new connection of every run that is kept.
func (h *Host) replayRuns(tx *durable.Tx, conn durable.ConnID) {
	runs := run.Every(tx)
	budget := replayBudget
	from := len(runs)
	for from > 0 && budget > 0 {
		from--
		if runs[from].Delivery != run.Terminal {
			budget -= stream.Size(tx, logOf(runs[from]))
		}
	}
	for i, r := range runs {
		tell := func(sequence int64, event protocol.EventBody) {
			send(tx, protocol.ToolEvent{ParentToolCallID: r.ToolCall, Sequence: sequence, Replay: true, Event: event}.Encode(), conn)
		}
		tell(0, started(r))
		for next, more := int64(0), i >= from && r.Delivery != run.Terminal; more; {
			var chunks []stream.Chunk
			chunks, more = stream.Read(tx, logOf(r), next, 1<<20)
			for _, c := range chunks {
				tell(c.Index+1, chunkOf(r, c.Body))
				next = c.Index + 1
			}
		}
		if r.Status.Final() {
			tell(r.Next+1, terminal(r))
		}
	}
}
