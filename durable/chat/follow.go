package chat

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/wire"
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
	if len(chunks) == 0 || r.Status.Final() {
		return
	}
	if i := slices.IndexFunc(chunks, func(b []byte) bool { return len(b) > limit.Chunk }); i >= 0 {
		h.stopRun(tx, *r, run.Cancelled, fmt.Sprintf("the helper has said %d bytes at once, at most %d", len(chunks[i]), limit.Chunk))
		*r, _ = run.Find(tx, r.ID)
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

// lost deals with a stream that broke: it is opened again, later each time, and
// after a few times the log is paged.
func (h *Host) lost(tx *durable.Tx, r run.Run, why string) {
	f := h.followed[r.ID]
	if f == nil {
		return
	}
	f.attempts++
	h.looks = 0
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
	case f != nil && f.attempts > maxBroken:
		tx.Do(durable.Call{Call: callPage + id, To: facetOf(r), Data: pageRun.Request(behind(r))})
	case f == nil: // it was restful
		run.Heard(tx, &r)
		h.follow(tx, r)
		h.watchRuns(tx)
	default:
		h.follow(tx, r)
	}
}

// answered deals with the answer to a call, or with its failure.
func (h *Host) answered(tx *durable.Tx, call string, data []byte, failure string) {
	kind, id, _ := strings.Cut(call, "/")
	switch kind + "/" {
	case callFrame:
		h.relayed(tx, durable.ConnID(id), data, failure)
		return
	case callAnswer:
		h.answerTold(tx, id, data, failure)
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
		c, err := cancelRun.Result(data)
		h.cancelAnswered(tx, r, c, err == nil && failure == "")
	case callWaken:
		h.woken(tx, r, data, failure)
	case callPage:
		h.pageAnswered(tx, r, data, failure)
	}
}

// pageAnswered deals with a page of a run's log. A helper refuses one only if it knows nothing of the
// run: it has lost its storage, and the run would never end.
func (h *Host) pageAnswered(tx *durable.Tx, r run.Run, data []byte, failure string) {
	p, err := pageRun.Result(data)
	switch {
	case failure != "":
		h.lost(tx, r, failure)
	case errors.Is(err, wire.CodeRefused) && h.followed[r.ID] != nil:
		h.endRun(tx, r, outcome{Status: string(run.Failed), Failure: "the helper knows nothing of its run"})
	case err != nil:
		h.lost(tx, r, err.Error())
	default:
		h.paged(tx, r, p)
	}
}

// paged takes a page of a run's log, where streams of it break. One that was on its way when
// the run was stopped says what that has cost, and nothing more.
func (h *Host) paged(tx *durable.Tx, r run.Run, p page) {
	h.spend(tx, &r, p.Usage)
	if r.Status.Final() {
		return
	}
	h.keepPage(tx, &r, p)
	switch {
	case p.Ended:
		h.wakenLater(tx, r.ID, p.Waken)
		h.endRun(tx, r, p.Outcome)
	case len(p.WaitsFor) > 0, p.IdleUntil > 0:
		h.paused(tx, r, pause{p.WaitsFor, p.IdleUntil, p.Waken})
	case len(p.Chunks) > 0:
		h.followAgain(tx, r.ID)
	default:
		tx.Schedule(dueFollow, r.ID, tx.Now+pageEvery)
	}
}

// keepPage keeps the chunks of a page, and what stands between them.
func (h *Host) keepPage(tx *durable.Tx, r *run.Run, p page) {
	for _, m := range p.Milestones {
		before := min(max(m.Place-r.Next, 0), int64(len(p.Chunks)))
		h.keepChunks(tx, r, p.Chunks[:before])
		p.Chunks = p.Chunks[before:]
		if m.Sequence >= p.Report.Progress.Milestones {
			h.heardOf(tx, r, p.Report)
		}
		h.reach(tx, r, m)
	}
	h.keepChunks(tx, r, p.Chunks)
	h.heardOf(tx, r, p.Report)
}
