package chat

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
	// failures counts the streams that broke since the last chunk.
	failures int
	// alive says that data has come since the last reconciliation.
	alive bool
}

// openTail opens the stream of a run after the last chunk that was received.
func (o *Object) openTail(tx *durable.Tx, r run.Run) {
	if o.tailReaders == nil {
		o.tailReaders = map[string]*tailReader{}
	}
	f := o.tailReaders[r.ID]
	if f == nil {
		f = &tailReader{}
		o.tailReaders[r.ID] = f
	}
	f.reader, f.alive = &wire.Reader{}, true
	tx.Do(durable.OpenStream{Stream: facet.TailPrefix + r.ID, From: facet.Of(r), Data: facet.Tail.Request(facet.TailRequestOf(r))})
}

// armReconcile schedules the next reconciliation while runs are active: a helper cannot wake its
// parent. Nothing is scheduled if there are no active runs or all of them are dormant, and every
// cancellation and answer is acknowledged.
func (o *Object) armReconcile(tx *durable.Tx) {
	dormant := func(r run.Run) bool { return o.isDormant(tx, r) }
	awaited := func(r run.Run) bool { return r.Handler == "" }
	active, unacknowledged := slices.DeleteFunc(run.Active(tx), dormant), len(run.UnacknowledgedCancels(tx)) > 0 || len(run.UnacknowledgedAnswers(tx)) > 0
	switch {
	case len(active) == 0 && !unacknowledged:
		tx.Unschedule(dueReconcile, "")
	case unacknowledged, slices.ContainsFunc(active, awaited):
		tx.Schedule(dueReconcile, "", tx.Now+watchdogDelay)
	default:
		tx.Schedule(dueReconcile, "", tx.Now+reconcileIntervals[min(o.reconcileCount, len(reconcileIntervals)-1)])
	}
}

// reconcileIntervals are the times between reconciliations while nobody awaits the runs, in
// milliseconds. The last one repeats. The sequence starts again with every new run, and when a
// stream breaks.
var reconcileIntervals = []int64{5_000, 15_000, 30_000, 120_000}

// resumeRuns resumes every run after a loss of memory, all of them at the same time.
func (o *Object) resumeRuns(tx *durable.Tx) {
	active := run.Active(tx)
	for _, r := range active {
		switch {
		case r.Status == run.Waiting:
			o.openTail(tx, r)
		case tx.Scheduled(dueTail, r.ID): // the helper is asked again when the entry is due
		case r.Status == run.Starting:
			o.retryDispatch(tx, r.ID)
		default:
			o.openTail(tx, r)
		}
	}
	o.sendCancels(tx)
	o.sendAnswers(tx)
	if len(active) > 0 {
		o.armReconcile(tx)
	}
}

// readTail reads the next data of a run's stream.
func (o *Object) readTail(tx *durable.Tx, id string, data []byte) {
	r, ok := run.FindBrief(tx, id)
	f := o.tailReaders[id]
	if !ok || f == nil || f.reader == nil || r.Status.Final() {
		return
	}
	f.alive = true
	frames, err := f.reader.Feed(data)
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
				o.keepChunks(tx, &r, chunks)
				chunks = nil
				o.addRunUsage(tx, &r, p.Usage)
				o.progressReported(tx, &r, p.Report)
			}
		case wire.KindMilestone:
			o.keepChunks(tx, &r, chunks)
			chunks = nil
			var m stream.Milestone
			if json.Unmarshal(frame.Body, &m) == nil {
				o.milestoneReached(tx, &r, m)
			}
		case wire.KindEnd:
			o.keepChunks(tx, &r, chunks)
			chunks = nil
			var e facet.End
			if failed := json.Unmarshal(frame.Body, &e); failed != nil {
				e.Outcome = facet.Outcome{Status: string(run.Failed), Failure: "the helper's answer was garbled"}
			}
			o.scheduleWake(tx, id, e.Waken)
			o.endRun(tx, r, e.Outcome)
			return
		case wire.KindWaiting:
			o.keepChunks(tx, &r, chunks)
			var p facet.Pause
			if json.Unmarshal(frame.Body, &p) == nil {
				o.runPaused(tx, r, p)
			}
			return
		case wire.KindError:
			err = frame.Err()
		}
	}
	o.keepChunks(tx, &r, chunks)
	if err != nil {
		tx.Do(durable.CancelStream{Stream: facet.TailPrefix + id})
		o.tailBroke(tx, r, err.Error())
	}
}
