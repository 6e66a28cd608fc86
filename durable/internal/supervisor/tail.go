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
	// failures counts the streams that broke since the last chunk, and empty the pages without one.
	failures, empty int
	// alive says that data has come since the last reconciliation.
	alive bool
	// signalled says that the run has received signals since the stream was opened.
	signalled bool
	// heard says that data has come since the stream was opened. asked counts how often it was opened because none
	// had come.
	heard bool
	asked int
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
	f.reader, f.alive, f.signalled, f.heard = &wire.Reader{}, true, false, false
	tx.Do(durable.OpenStream{Stream: facet.TailPrefix + r.ID, From: facet.Of(r), Data: request})
}

// ArmReconcile schedules the next reconciliation while runs are active: a helper cannot wake its
// parent. Nothing is scheduled if there are no active runs or all of them are dormant, and every
// cancellation, answer, signal and pause is acknowledged.
func (s *Supervisor) ArmReconcile(tx *durable.Tx) {
	dormant := func(r run.Run) bool { return s.isDormant(tx, r) }
	active := run.Active(tx)
	unacknowledged, before := unacknowledgedBy(tx, active), repeated(tx)
	forgetAcknowledged(tx, before, unacknowledged, active)
	active = slices.DeleteFunc(active, dormant)
	at := nextRepetition(tx, before, unacknowledged, active)
	unacknowledged = slices.DeleteFunc(unacknowledged, func(o owed) bool { return before[o].tries > 0 })
	active = slices.DeleteFunc(active, func(r run.Run) bool { return before[owedOf(r)].tries > 0 })
	if wait := reconcileWait(active, len(unacknowledged) > 0, s.reconcileCount); wait > 0 && (at == 0 || tx.Now+wait < at) {
		at = tx.Now + wait
	}
	if at > 0 {
		tx.Schedule(dueReconcile, "", at)
	} else {
		tx.Unschedule(dueReconcile, "")
	}
}

// forgetAcknowledged forgets how often something was repeated that is not repeated any more.
func forgetAcknowledged(tx *durable.Tx, before map[owed]repetitions, unacknowledged []owed, active []run.Run) {
	for o := range before {
		switch o.kind {
		case owedStart, owedStream:
			if !slices.ContainsFunc(active, func(r run.Run) bool { return owedOf(r) == o }) {
				acknowledged(tx, o)
			}
		case owedCancel, owedAnswer, owedSignals, owedPause:
			if !slices.Contains(unacknowledged, o) {
				acknowledged(tx, o)
			}
		}
	}
}

// nextRepetition returns when something that was repeated is repeated next, or 0.
func nextRepetition(tx *durable.Tx, before map[owed]repetitions, unacknowledged []owed, active []run.Run) (next int64) {
	for _, r := range active {
		unacknowledged = append(unacknowledged, owedOf(r))
	}
	for _, o := range unacknowledged {
		at := before[o].next
		if at <= tx.Now { // a stream is opened again if nothing has come for another delay
			at = tx.Now + checkDelay
		}
		if before[o].tries > 0 && (next == 0 || at < next) {
			next = at
		}
	}
	return next
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
	s.reopenHosted(tx, active)
	s.sendUnacknowledged(tx, active, true)
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
		s.notifyOrigin(tx, r, false)
		s.sendSignals(tx, *r)
		return true
	}
	return false
}

// received notes that data of a run has come, as the first of its stream.
func (s *Supervisor) received(tx *durable.Tx, r run.Run, f *tailReader) {
	if f.heard {
		return
	}
	f.heard, f.asked = true, 0
	acknowledged(tx, owed{owedStart, r.ID})
	acknowledged(tx, owed{owedStream, r.ID})
}

// Read reads the next data of a run's stream.
func (s *Supervisor) Read(tx *durable.Tx, id string, data []byte) {
	r, ok := run.FindBrief(tx, id)
	f := s.tailReaders[id]
	if !ok || f == nil || f.reader == nil || r.Status.Final() {
		return
	}
	f.alive = true
	s.received(tx, r, f)
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
