package supervisor

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/wire"
)

// This file is the parent's side of active helpers. The parent reads their streams into a log of
// its own, and resumes from that log after a loss of memory.

// tailReader reads the stream of one run.
type tailReader struct {
	// reader is nil while the log is read in pages.
	reader *wire.Reader
	// since is when this object began to read streams of the run, after it had read none.
	since int64
	// failures counts the streams that broke since the last chunk.
	failures int
	// alive says that data has come since the last reconciliation.
	alive bool
	// signalled says that the run has received signals since the stream was opened.
	signalled bool
}

// openTail opens the stream of a run that its helper has taken, after the last chunk that was
// received.
func (s *Supervisor) openTail(tx *durable.Tx, r run.Run) {
	s.openStream(tx, r, facet.Tail.Request(facet.TailRequestOf(r)))
}

// openStream opens a stream of a run's helper, in place of the stream that is open.
func (s *Supervisor) openStream(tx *durable.Tx, r run.Run, request []byte) {
	if s.tailReaders == nil {
		s.tailReaders = map[string]*tailReader{}
	}
	f := s.tailReaders[r.ID]
	if f == nil {
		f = &tailReader{since: tx.Now}
		s.tailReaders[r.ID] = f
	}
	f.reader, f.alive, f.signalled = &wire.Reader{}, true, false
	tx.Do(durable.OpenStream{Stream: facet.TailPrefix + r.ID, From: facet.Of(r), Data: request})
}

// ArmReconcile schedules the next reconciliation while runs are active: a helper cannot wake its
// parent. Nothing is scheduled if there are no active runs or all of them are dormant, and every
// cancellation, answer, signal and pause is acknowledged.
func (s *Supervisor) ArmReconcile(tx *durable.Tx) {
	dormant := func(r run.Run) bool { return s.isDormant(tx, r) }
	active := run.Active(tx)
	unacknowledged := slices.ContainsFunc(active, pauseDue) || s.unacknowledgedRows(tx)
	active = slices.DeleteFunc(active, dormant)
	if wait := reconcileWait(active, unacknowledged, s.reconcileCount); wait > 0 {
		tx.Schedule(dueReconcile, "", tx.Now+wait)
	} else {
		tx.Unschedule(dueReconcile, "")
	}
}

// unacknowledgedRows says whether a helper has a cancellation, an answer or signals left to
// acknowledge.
func (s *Supervisor) unacknowledgedRows(tx *durable.Tx) bool {
	return len(run.UnacknowledgedCancels(tx)) > 0 || len(run.UnacknowledgedAnswers(tx)) > 0 || len(run.Signalled(tx)) > 0
}

// pauseDue says whether the helper of a run has not acknowledged that it is paused, or goes on.
func pauseDue(r run.Run) bool { return r.Pause.Due }

// reconcileWait returns how long to wait for the next reconciliation, or 0 if there is none. active
// are the runs that are at work, and count is how many reconciliations there were.
func reconcileWait(active []run.Run, unacknowledged bool, count int) int64 {
	awaited := func(r run.Run) bool { return !r.Detached() }
	switch {
	case unacknowledged, slices.ContainsFunc(active, awaited):
		return checkDelay
	case len(active) == 0:
		return 0
	}
	return reconcileBackoff.Wait(count + 1)
}

// reconcileBackoff is how long to wait for each reconciliation while nobody awaits the runs, in
// milliseconds. It starts again with every new run, and when a stream breaks.
var reconcileBackoff = durable.Backoff{5_000, 15_000, 30_000, 120_000}

// Resume resumes every run after a loss of memory, all of them at the same time.
func (s *Supervisor) Resume(tx *durable.Tx) {
	active := run.Active(tx)
	for _, r := range active {
		switch {
		case r.Status == run.Paused && r.Pause.Early:
		case r.Status == run.Waiting, r.Status == run.Paused:
			s.openTail(tx, r)
		case tx.Scheduled(dueTail, r.ID): // the helper is asked again when the entry is due
		case r.Status == run.Starting:
			s.retryDispatch(tx, r.ID)
		default:
			s.openTail(tx, r)
		}
	}
	s.tellAgain(tx, active)
	s.sendAllSignals(tx)
	s.sendCancels(tx)
	s.sendAnswers(tx)
	s.sendPauses(tx, active)
	if len(active) > 0 {
		s.ArmReconcile(tx)
	}
}

// startAnswered handles the first frame of a stream that hands a run to a helper, and says whether
// the helper has taken the run. It has stored the run before it sends anything but an error.
func (s *Supervisor) startAnswered(tx *durable.Tx, r *run.Run, frames []wire.Frame, err error) bool {
	if len(frames) > 0 {
		err = frames[0].Err()
	}
	switch {
	case err != nil:
		s.startRefused(tx, r.ID, err)
	case len(frames) > 0:
		run.Move(tx, r, run.Running, run.Result{})
		s.tell(tx, r, false)
		s.sendSignals(tx, *r)
		return true
	}
	return false
}

// Read reads the next data of a run's stream.
func (s *Supervisor) Read(tx *durable.Tx, id string, data []byte) {
	r, ok := run.FindBrief(tx, id)
	f := s.tailReaders[id]
	if !ok || f == nil || f.reader == nil || r.Status.Final() {
		return
	}
	f.alive = true
	frames, err := f.reader.Feed(data)
	if r.Status == run.Starting && !s.startAnswered(tx, &r, frames, err) {
		return
	}
	var chunks [][]byte
	for _, frame := range frames {
		switch frame.Kind {
		case wire.KindChunk:
			next := r.Next + int64(len(chunks))
			if frame.Index > next {
				err = fmt.Errorf("chunk %d came where %d was next", frame.Index, next)
			} else if frame.Index == next {
				chunks = append(chunks, frame.Body)
			}
		case wire.KindProgress:
			var p facet.Progress
			if json.Unmarshal(frame.Body, &p) == nil {
				s.keepChunks(tx, &r, chunks)
				chunks = nil
				s.addRunUsage(tx, &r, p.Usage)
				s.noteReceived(tx, &r, p.Received)
				s.progressReported(tx, &r, p.Report)
				s.asked(tx, r, p.Questions)
			}
		case wire.KindMilestone:
			s.keepChunks(tx, &r, chunks)
			chunks = nil
			var m stream.Milestone
			if json.Unmarshal(frame.Body, &m) == nil {
				s.milestoneReached(tx, &r, m)
			}
		case wire.KindEnd:
			s.keepChunks(tx, &r, chunks)
			chunks = nil
			var e facet.End
			if failed := json.Unmarshal(frame.Body, &e); failed != nil {
				e.Outcome = facet.Outcome{Status: string(run.Failed), Failure: "the helper's answer was garbled"}
			}
			s.ScheduleWake(tx, id, e.Waken)
			s.endRun(tx, r, e.Outcome, e.Idle)
			return
		case wire.KindWaiting:
			s.keepChunks(tx, &r, chunks)
			var p facet.Pause
			if json.Unmarshal(frame.Body, &p) == nil {
				s.runPaused(tx, r, p)
			}
			return
		case wire.KindHost:
			req := &facet.HostRequest{}
			if json.Unmarshal(frame.Body, req) == nil {
				s.hostRequested(tx, &r, req)
			}
		case wire.KindError:
			err = frame.Err()
		}
	}
	s.keepChunks(tx, &r, chunks)
	if err != nil {
		tx.Do(durable.CancelStream{Stream: facet.TailPrefix + id})
		s.TailBroke(tx, r, err.Error())
	}
}
