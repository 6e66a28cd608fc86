package chat

import (
	"cmp"
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

// pageEvery is how often the log of a run that says nothing is paged, in
// milliseconds.
const pageEvery = 1_000

// logOf is where the parent keeps a run's chunks; turns have the positive numbers.
func logOf(r run.Run) stream.ID { return stream.ID(-r.Seq) }

// keepChunks appends what has come of a run to the parent's own log and shows it.
func (h *Host) keepChunks(tx *durable.Tx, r *run.Run, chunks [][]byte) {
	if len(chunks) == 0 {
		return
	}
	if r.Status == run.Waiting {
		run.Move(tx, r, run.Running, r.Result)
		h.keepTime(tx, *r)
		h.watchRuns(tx)
	}
	first := r.Next
	run.Expect(tx, r, stream.Append(tx, logOf(*r), first, chunks...))
	if f := h.followed[r.ID]; f != nil {
		f.attempts = 0
	}
	if r.Delivery == run.Terminal {
		return
	}
	for i, body := range chunks {
		h.showEvent(tx, *r, first+int64(i)+1, chunkOf(*r, body))
	}
}

// endRun makes a run final and hands its result to whoever awaits it.
func (h *Host) endRun(tx *durable.Tx, r run.Run, o outcome) {
	delete(h.followed, r.ID)
	tx.Unschedule(dueFollow, r.ID)
	status, result := run.Status(o.Status), run.Result{Summary: o.Summary, Output: o.Output, Failure: o.Failure, Reason: o.Reason}
	switch {
	case status == run.Completed:
		status, result = run.Judge(r, result)
	case !status.Final():
		status = run.Aborted
	}
	if status == run.Aborted { // by whoever drills in, or by itself
		result.Failure, result.Reason = cmp.Or(o.Failure, "the run was stopped"), cmp.Or(o.Reason, run.Cancelled)
	}
	h.spend(tx, &r, o.Usage)
	if run.Move(tx, &r, status, result) {
		h.ended(tx, r)
	}
}

// ended shows a run's end, tells who awaits it, and lets the next one in.
func (h *Host) ended(tx *durable.Tx, r run.Run) {
	h.keepTime(tx, r)
	h.showEvent(tx, r, r.Next+1, terminal(r))
	h.deliver(tx, r)
	h.tellEnd(tx, r)
	if next, ok := run.NextQueued(tx, h.agent.Runs); ok {
		h.dispatch(tx, next)
	}
	for _, old := range run.Expired(tx, h.agent.Keep) {
		h.wipe(tx, old)
	}
	h.watchRuns(tx)
}

// wipe forgets a final run, its log and its helper.
func (h *Host) wipe(tx *durable.Tx, r run.Run) {
	stream.Delete(tx, logOf(r))
	if run.Delete(tx, r) > 0 {
		tx.Do(durable.DeleteFacet{Slot: facetOf(r).Slot})
	}
}

// deliver journals a run's result for the routines that await it.
func (h *Host) deliver(tx *durable.Tx, r run.Run) {
	data := encode(outcomeOf(r))
	for _, w := range run.TakeWaiters(tx, r) {
		h.delivered = flow.Complete(tx, flow.Key(w), data, "") || h.delivered
	}
}

// stopRun cancels a run: its row first, then its helper.
func (h *Host) stopRun(tx *durable.Tx, r run.Run, reason run.Reason, words string) {
	delete(h.followed, r.ID)
	tx.Unschedule(dueFollow, r.ID)
	if !run.Cancel(tx, &r, reason, words) {
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

func (h *Host) cancelAnswered(tx *durable.Tx, r run.Run, c cancelResult) {
	h.spend(tx, &r, c.Usage)
	if !c.Telling {
		run.Told(tx, r.ID)
	}
	h.watchRuns(tx)
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
	tx.Schedule(dueFollow, r.ID, tx.Now+backoffOf(f.attempts))
}

// backoffOf is how long to wait for a helper after so many failures, in milliseconds.
func backoffOf(failures int) int64 { return 250 << min(failures, 5) }

// followAgain opens a run's stream again, or asks for a page of its log.
func (h *Host) followAgain(tx *durable.Tx, id string) {
	r, ok := run.Find(tx, id)
	f := h.followed[id]
	switch {
	case !ok || r.Status.Final():
	case r.Status == run.Starting:
		h.dispatch(tx, r)
	case f == nil:
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
		h.relayed(tx, durable.ConnID(id), failure)
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
		h.startAnswered(tx, r, data, failure)
	case callCancel:
		if c, err := cancelRun.Result(data); err == nil && failure == "" {
			h.cancelAnswered(tx, r, c)
		}
	case callAnswer:
		if failure != "" {
			tx.Log(durable.Warn, "a helper could not be told an answer", "run", id, "error", failure)
		}
		h.followWaiting(tx, r)
	case callPage:
		p, err := pageRun.Result(data)
		if err != nil || failure != "" {
			h.lost(tx, r, failure)
			return
		}
		h.paged(tx, r, p)
	}
}

// paged takes a page of a run's log, where streams of it break.
func (h *Host) paged(tx *durable.Tx, r run.Run, p page) {
	h.keepChunks(tx, &r, p.Chunks)
	h.spend(tx, &r, p.Usage)
	switch {
	case p.Ended:
		h.endRun(tx, r, p.Outcome)
	case len(p.WaitsFor) > 0:
		h.waitFor(tx, r, p.WaitsFor)
	case len(p.Chunks) > 0:
		h.followAgain(tx, r.ID)
	default:
		tx.Schedule(dueFollow, r.ID, tx.Now+pageEvery)
	}
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
