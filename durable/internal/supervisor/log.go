package supervisor

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/wire"
)

// maxTailFailures is how many streams of a run may break without a chunk between them. After that,
// calls read the log page by page.
const maxTailFailures = 3

// whileEmpty is how long the parent waits before it asks for the next page of the log, in milliseconds, after a
// number of pages in a row without a chunk.
var whileEmpty = durable.Backoff{1_000, 1_000, 1_000, 2_000, 5_000, 10_000, checkDelay}

// keepChunks appends chunks of a run to the parent's own log and shows them.
func (s *Supervisor) keepChunks(tx *durable.Tx, r *run.Run, chunks [][]byte) {
	if len(chunks) == 0 || r.Status.Final() {
		return
	}
	if i := slices.IndexFunc(chunks, func(b []byte) bool { return len(b) > limit.Chunk }); i >= 0 {
		s.Stop(tx, *r, run.Cancelled, fmt.Sprintf("the helper has said %d bytes at once, at most %d", len(chunks[i]), limit.Chunk))
		*r, _ = run.Find(tx, r.ID)
		return
	}
	first, waited := r.Next, r.Status == run.Waiting
	run.NoteChunks(tx, r, stream.Append(tx, r.Log(), first, chunks...))
	if waited {
		run.Move(tx, r, run.Running, r.Result)
		s.armDeadline(tx, *r)
		s.armIdleTimeout(tx, *r)
		s.ArmReconcile(tx)
		s.notifyOrigin(tx, r, false)
	}
	if f := s.tailReaders[r.ID]; f != nil {
		f.failures, f.empty = 0, 0
	}
	s.report(tx, Chunks{r, first, chunks})
}

// TailBroke handles a stream that broke. The stream is opened again with a growing back-off, and
// after a few failures the log is read in pages. As long as the helper has not taken the run, it is
// asked again to do so.
func (s *Supervisor) TailBroke(tx *durable.Tx, r run.Run, why string) {
	f := s.tailReaders[r.ID]
	if f == nil {
		return
	}
	if r.Status == run.Starting {
		s.startBroke(tx, r, why)
		return
	}
	f.failures++
	s.reconcileCount = 0
	tx.Log(durable.Warn, "a helper's stream broke", "run", r.ID, "error", why)
	wait := reachBackoff.Wait(f.failures)
	if o := (owed{owedStream, r.ID}); f.failures > maxSendAttempts || repeated(tx)[o].tries > 0 {
		wait = whileSlow.Wait(countRepetition(tx, o, whileSlow))
	}
	tx.Schedule(dueTail, r.ID, tx.Now+wait)
}

// retryTail opens a run's stream again, or asks for a page of its log.
func (s *Supervisor) retryTail(tx *durable.Tx, id string) {
	r, ok := run.Find(tx, id)
	f := s.tailReaders[id]
	switch {
	case !ok || r.Status.Final():
	case r.Status == run.Starting:
		s.dispatch(tx, r)
	case f != nil && f.failures > maxTailFailures:
		f.reader = nil
		tx.Do(durable.Call{Call: facet.CallPage + id, To: facet.Of(r), Data: facet.ReadPage.Request(facet.TailRequestOf(r))})
	case f == nil && r.Status == run.Paused:
	case f == nil: // the run was dormant
		run.NoteActivity(tx, &r)
		s.openTail(tx, r)
		s.ArmReconcile(tx)
	default:
		s.openTail(tx, r)
	}
}

// pageReturned handles the answer to a request for a page of a run's log. If the run's stream was
// opened again while the page was on its way, or the run is over, only the usage in the page
// counts. A helper refuses the request only if it does not know the run. Then it has lost its
// storage, and the run would never end by itself.
func (s *Supervisor) pageReturned(tx *durable.Tx, r run.Run, data []byte, failure string) {
	p, err := facet.ReadPage.Result(data)
	if failure == "" && err == nil {
		s.addRunUsage(tx, &r, p.Usage)
		s.noteReceived(tx, &r, p.Received)
	}
	if f := s.tailReaders[r.ID]; f == nil || f.reader != nil || r.Status.Final() {
		return
	}
	switch {
	case failure != "":
		s.TailBroke(tx, r, failure)
	case errors.Is(err, wire.CodeRefused):
		s.endRun(tx, r, facet.Outcome{Status: string(run.Failed), Failure: "the helper knows nothing of its run"}, false)
	case err != nil:
		s.TailBroke(tx, r, err.Error())
	default:
		s.pageReceived(tx, r, p)
	}
}

// pageReceived takes a page of a run's log.
func (s *Supervisor) pageReceived(tx *durable.Tx, r run.Run, p facet.Page) {
	acknowledged(tx, owed{owedStream, r.ID})
	s.keepPage(tx, &r, p)
	switch {
	case p.Ended:
		s.ScheduleWake(tx, r.ID, p.Waken)
		s.endRun(tx, r, p.Outcome, p.Idle)
	case len(p.WaitsFor) > 0, p.IdleUntil > 0, p.Held:
		s.runPaused(tx, r, facet.Pause{
			WaitsFor: p.WaitsFor, Pending: p.Pending, IdleUntil: p.IdleUntil, Waken: p.Waken, Held: p.Held, Change: p.Change, Received: p.Received.Signals,
		})
	case len(p.Chunks) > 0:
		s.retryTail(tx, r.ID)
	default:
		if f := s.tailReaders[r.ID]; f != nil {
			f.empty++
			tx.Schedule(dueTail, r.ID, tx.Now+whileEmpty.Wait(f.empty))
		}
	}
}

// keepPage keeps the chunks of a page, and the milestones and progress between them.
func (s *Supervisor) keepPage(tx *durable.Tx, r *run.Run, p facet.Page) {
	for _, m := range p.Milestones {
		before := min(max(m.Place-r.Next, 0), int64(len(p.Chunks)))
		s.keepChunks(tx, r, p.Chunks[:before])
		p.Chunks = p.Chunks[before:]
		if m.Sequence >= p.Report.Progress.Milestones {
			s.progressReported(tx, r, p.Report)
		}
		s.milestoneReached(tx, r, m)
	}
	s.keepChunks(tx, r, p.Chunks)
	s.progressReported(tx, r, p.Report)
	s.asked(tx, *r, p.Questions)
	for _, req := range p.Host {
		s.hostRequested(tx, r, req)
	}
}
