package chat

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/wire"
)

// maxTailFailures is how many streams of a run may break without a chunk between them. After that,
// calls read the log page by page.
const maxTailFailures = 3

// pageEvery is how often the parent asks for a page of the log while there are no new chunks, in
// milliseconds.
const pageEvery = 1_000

// keepChunks appends chunks of a run to the parent's own log and shows them.
func (o *Object) keepChunks(tx *durable.Tx, r *run.Run, chunks [][]byte) {
	if len(chunks) == 0 || r.Status.Final() {
		return
	}
	if i := slices.IndexFunc(chunks, func(b []byte) bool { return len(b) > limit.Chunk }); i >= 0 {
		o.stopRun(tx, *r, run.Cancelled, fmt.Sprintf("the helper has said %d bytes at once, at most %d", len(chunks[i]), limit.Chunk))
		*r, _ = run.Find(tx, r.ID)
		return
	}
	first, waited := r.Next, r.Status == run.Waiting
	run.SetNext(tx, r, stream.Append(tx, facet.LogOf(*r), first, chunks...))
	if waited {
		run.Move(tx, r, run.Running, r.Result)
		o.armDeadline(tx, *r)
		o.armIdleTimeout(tx, *r)
		o.armReconcile(tx)
	}
	if f := o.tailReaders[r.ID]; f != nil {
		f.failures = 0
	}
	if r.Visibility == run.Terminal {
		return
	}
	for i, body := range chunks {
		o.audience.SendRunEvent(tx, *r, first+int64(i)+1, audience.ChunkEvent(*r, body))
	}
}

// tailBroke handles a stream that broke. The stream is opened again with a growing back-off, and
// after a few failures the log is read in pages.
func (o *Object) tailBroke(tx *durable.Tx, r run.Run, why string) {
	f := o.tailReaders[r.ID]
	if f == nil {
		return
	}
	f.failures++
	o.reconcileCount = 0
	tx.Log(durable.Warn, "a helper's stream broke", "run", r.ID, "error", why)
	tx.Schedule(dueTail, r.ID, tx.Now+backoffDelay(f.failures))
}

// backoffDelay is how long to wait for a helper after a number of failures, in milliseconds.
func backoffDelay(failures int) int64 { return 250 << min(failures, 5) }

// retryTail opens a run's stream again, or asks for a page of its log.
func (o *Object) retryTail(tx *durable.Tx, id string) {
	r, ok := run.Find(tx, id)
	f := o.tailReaders[id]
	switch {
	case !ok || r.Status.Final():
	case r.Status == run.Starting:
		o.dispatch(tx, r)
	case f != nil && f.failures > maxTailFailures:
		f.reader = nil
		tx.Do(durable.Call{Call: facet.CallPage + id, To: facet.Of(r), Data: facet.ReadPage.Request(facet.TailRequestOf(r))})
	case f == nil: // the run was dormant
		run.NoteActivity(tx, &r)
		o.openTail(tx, r)
		o.armReconcile(tx)
	default:
		o.openTail(tx, r)
	}
}

// callReturned passes the answer to a call between objects, or its failure, to its handler.
func (o *Object) callReturned(tx *durable.Tx, call string, data []byte, failure string) {
	kind, id, _ := strings.Cut(call, "/")
	switch kind + "/" {
	case facet.CallFrame:
		o.frameAcknowledged(tx, durable.ConnID(id), data, failure)
		return
	case facet.CallAnswer:
		o.answerReturned(tx, id, data, failure)
		return
	case facet.CallMessages:
		if list, err := facet.ListMessages.Result(data); err == nil && failure == "" {
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
	case facet.CallStart:
		o.startReturned(tx, r, data, failure)
	case facet.CallCancel:
		c, err := facet.Cancel.Result(data)
		o.cancelReturned(tx, r, c, err == nil && failure == "")
	case facet.CallWake:
		o.wakeAnswered(tx, r, data, failure)
	case facet.CallPage:
		o.pageReturned(tx, r, data, failure)
	}
}

// pageReturned handles the answer to a request for a page of a run's log. If the run's stream was
// opened again while the page was on its way, or the run is over, only the usage in the page counts.
// A helper refuses the request only if it does not know the run. Then it has lost its storage, and
// the run would never end by itself.
func (o *Object) pageReturned(tx *durable.Tx, r run.Run, data []byte, failure string) {
	p, err := facet.ReadPage.Result(data)
	if failure == "" && err == nil {
		o.addRunUsage(tx, &r, p.Usage)
	}
	if f := o.tailReaders[r.ID]; f == nil || f.reader != nil || r.Status.Final() {
		return
	}
	switch {
	case failure != "":
		o.tailBroke(tx, r, failure)
	case errors.Is(err, wire.CodeRefused):
		o.endRun(tx, r, facet.Outcome{Status: string(run.Failed), Failure: "the helper knows nothing of its run"})
	case err != nil:
		o.tailBroke(tx, r, err.Error())
	default:
		o.pageReceived(tx, r, p)
	}
}

// pageReceived takes a page of a run's log.
func (o *Object) pageReceived(tx *durable.Tx, r run.Run, p facet.Page) {
	o.keepPage(tx, &r, p)
	switch {
	case p.Ended:
		o.scheduleWake(tx, r.ID, p.Waken)
		o.endRun(tx, r, p.Outcome)
	case len(p.WaitsFor) > 0, p.IdleUntil > 0:
		o.runPaused(tx, r, facet.Pause{WaitsFor: p.WaitsFor, IdleUntil: p.IdleUntil, Waken: p.Waken})
	case len(p.Chunks) > 0:
		o.retryTail(tx, r.ID)
	default:
		tx.Schedule(dueTail, r.ID, tx.Now+pageEvery)
	}
}

// keepPage keeps the chunks of a page, and the milestones and progress between them.
func (o *Object) keepPage(tx *durable.Tx, r *run.Run, p facet.Page) {
	for _, m := range p.Milestones {
		before := min(max(m.Place-r.Next, 0), int64(len(p.Chunks)))
		o.keepChunks(tx, r, p.Chunks[:before])
		p.Chunks = p.Chunks[before:]
		if m.Sequence >= p.Report.Progress.Milestones {
			o.progressReported(tx, r, p.Report)
		}
		o.milestoneReached(tx, r, m)
	}
	o.keepChunks(tx, r, p.Chunks)
	o.progressReported(tx, r, p.Report)
}
