package chat

import (
	"encoding/json"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
)

// maxBroken is how many streams of a run may break without a chunk between them
// before its log is paged by calls.
const maxBroken = 3

// logOf is where the parent keeps a run's chunks; turns have the positive numbers.
func logOf(r run.Run) stream.ID { return stream.ID(-r.Seq) }

// keepChunks appends what has come of a run to the parent's own log and shows it.
func (h *Host) keepChunks(tx *durable.Tx, r *run.Run, chunks [][]byte) {
	if len(chunks) == 0 {
		return
	}
	first := r.Next
	run.Expect(tx, r, stream.Append(tx, logOf(*r), first, chunks...))
	if f := h.followed[r.ID]; f != nil {
		f.attempts = 0
	}
	for i, body := range chunks {
		h.showEvent(tx, *r, first+int64(i)+1, chunkOf(*r, body))
	}
}

// endRun makes a run final and hands its result to whoever awaits it.
func (h *Host) endRun(tx *durable.Tx, r run.Run, o outcome) {
	delete(h.followed, r.ID)
	tx.Unschedule(dueFollow, r.ID)
	status := run.Status(o.Status)
	if status == "skipped" || !status.Final() {
		status = run.Aborted
	}
	moved := run.Move(tx, &r, status, run.Result{
		Summary: o.Summary, Failure: o.Failure,
		Usage: run.Usage{InputTokens: o.InputTokens, OutputTokens: o.OutputTokens, ModelCalls: o.ModelCalls},
	})
	if moved {
		h.ended(tx, r)
	}
}

// ended shows a run's end, tells who awaits it, and lets the next one in.
func (h *Host) ended(tx *durable.Tx, r run.Run) {
	h.showEvent(tx, r, r.Next+1, terminal(r))
	h.deliver(tx, r)
	if next, ok := run.NextQueued(tx, RunLimits); ok {
		h.dispatch(tx, next)
	}
	for _, old := range run.Expired(tx, KeepRuns) {
		h.wipe(tx, old)
	}
	h.watchRuns(tx)
}

// wipe forgets a final run, its log and its helper.
func (h *Host) wipe(tx *durable.Tx, r run.Run) {
	stream.Delete(tx, logOf(r))
	h.refuseDrills(tx, r)
	if run.Delete(tx, r) > 0 {
		tx.Do(durable.DeleteFacet{Slot: facetOf(r).Slot})
	}
}

// deliver journals a run's result for the routine that awaits it.
func (h *Host) deliver(tx *durable.Tx, r run.Run) {
	data, err := json.Marshal(Outcome{Run: r.ID, Status: r.Status, Summary: r.Summary, Failure: r.Failure, Reason: r.Reason})
	if err != nil {
		panic("chat: " + err.Error())
	}
	h.delivered = flow.Complete(tx, flow.Key{Routine: r.Waiter, Position: r.WaiterPosition}, data, "") || h.delivered
}

// stopRun cancels a run: its row first, then its helper.
func (h *Host) stopRun(tx *durable.Tx, r run.Run, reason string) {
	delete(h.followed, r.ID)
	tx.Unschedule(dueFollow, r.ID)
	if !run.Cancel(tx, &r, reason) {
		return
	}
	tx.Do(durable.CancelStream{Stream: tailOf + r.ID})
	if r.CancelDue {
		h.tellCancelled(tx, r)
	}
	h.ended(tx, r)
}

func (h *Host) tellCancelled(tx *durable.Tx, r run.Run) {
	tx.Do(durable.Call{Call: callCancel + r.ID, To: facetOf(r), Data: cancelRun.Request(cancelRequest{Run: r.ID, Reason: r.Failure})})
}

// lost deals with a stream that broke: it is opened again, later each time, and
// after a few times the log is paged.
func (h *Host) lost(tx *durable.Tx, r run.Run, why string) {
	f := h.followed[r.ID]
	if f == nil {
		return
	}
	f.attempts++
	tx.Log(durable.Warn, "a helper's stream broke", "run", r.ID, "error", why)
	tx.Schedule(dueFollow, r.ID, tx.Now+250<<min(f.attempts, 5))
}

// followAgain opens a run's stream again, or asks for a page of its log.
func (h *Host) followAgain(tx *durable.Tx, id string) {
	r, ok := run.Find(tx, id)
	f := h.followed[id]
	switch {
	case !ok || r.Status.Final() || f == nil:
	case f.attempts > maxBroken:
		tx.Do(durable.Call{Call: callPage + id, To: facetOf(r), Data: pageRun.Request(tailRequest{Run: id, From: r.Next})})
	default:
		h.follow(tx, r)
	}
}

// answered deals with the answer to a call, or with its failure.
func (h *Host) answered(tx *durable.Tx, call string, data []byte, failure string) {
	kind, id, _ := strings.Cut(call, "/")
	switch kind + "/" {
	case callFrame:
		return
	case callMessages:
		if list, err := listMessages.Result(data); err == nil && failure == "" {
			respondMessages(tx, id, list.Body)
			return
		}
		respondText(tx, id, 503, "the helper did not answer")
		return
	}
	r, ok := run.Find(tx, id)
	if !ok {
		return
	}
	switch kind + "/" {
	case callStart:
		if _, err := startRun.Result(data); err != nil && failure == "" {
			failure = err.Error()
		}
		h.startAnswered(tx, r, failure)
	case callCancel:
		if failure == "" {
			run.Told(tx, id)
			h.watchRuns(tx)
		}
	case callPage:
		p, err := pageRun.Result(data)
		if err != nil || failure != "" {
			h.lost(tx, r, failure)
			return
		}
		h.keepChunks(tx, &r, p.Chunks)
		if p.Ended {
			h.endRun(tx, r, p.Outcome)
			return
		}
		h.followAgain(tx, id)
	}
}

func (h *Host) startAnswered(tx *durable.Tx, r run.Run, failure string) {
	if r.Status != run.Starting {
		return
	}
	if failure != "" {
		h.endRun(tx, r, outcome{Status: string(run.Failed), Failure: "the helper could not be started: " + failure})
		return
	}
	run.Move(tx, &r, run.Running, run.Result{})
	h.follow(tx, r)
}

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
	runs := run.List(tx, KeepRuns.Runs)
	budget := replayBudget
	from := len(runs)
	for from > 0 && budget > 0 {
		from--
		budget -= stream.Size(tx, logOf(runs[from]))
	}
	for i, r := range runs {
		tell := func(sequence int64, event protocol.EventBody) {
			send(tx, protocol.ToolEvent{ParentToolCallID: r.ToolCall, Sequence: sequence, Replay: true, Event: event}.Encode(), conn)
		}
		tell(0, started(r))
		for next, more := int64(0), i >= from; more; {
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
