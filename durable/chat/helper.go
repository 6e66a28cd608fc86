package chat

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/wire"
)

// This file is the parent's side of helpers at work: it follows their streams into a
// log of its own, and goes on with that in a new life.

// following is the stream of one run, as it comes in.
type following struct {
	reader *wire.Reader
	// attempts counts the streams that broke since the last chunk.
	attempts int
	// heard says that something has come since the run was last looked after.
	heard bool
}

// The names of calls and streams begin with what they are for; the run's id follows, or the
// number of the answer that is told.
const (
	callStart  = "start/"
	callCancel = "cancel/"
	callPage   = "page/"
	callAnswer = "answer/"
	tailOf     = "tail/"
)

// follow opens the stream of a run behind the last chunk that came.
func (h *Host) follow(tx *durable.Tx, r run.Run) {
	if h.followed == nil {
		h.followed = map[string]*following{}
	}
	f := h.followed[r.ID]
	if f == nil {
		f = &following{}
		h.followed[r.ID] = f
	}
	f.reader, f.heard = &wire.Reader{}, true
	tx.Do(durable.OpenStream{Stream: tailOf + r.ID, From: facetOf(r), Data: tailRun.Request(behind(r))})
}

// watchRuns makes sure that the platform wakes a parent while runs are under way: a
// helper cannot. Nothing is armed when there are none, or all wait for somebody or sleep,
// and every helper knows what it is told.
func (h *Host) watchRuns(tx *durable.Tx) {
	restful := func(r run.Run) bool { return h.restful(tx, r) }
	awaited := func(r run.Run) bool { return r.Handler == "" }
	active, untold := slices.DeleteFunc(run.Active(tx), restful), len(run.ToCancel(tx)) > 0 || len(run.ToAnswer(tx)) > 0
	switch {
	case len(active) == 0 && !untold:
		tx.Unschedule(dueRuns, "")
	case untold, slices.ContainsFunc(active, awaited):
		tx.Schedule(dueRuns, "", tx.Now+watchEvery)
	default:
		tx.Schedule(dueRuns, "", tx.Now+reconciles[min(h.looks, len(reconciles)-1)])
	}
}

// reconciles are the times after which a parent looks after runs that nobody waits for, in
// milliseconds; the last is repeated. They begin anew with every run, and when one was lost
// sight of.
var reconciles = []int64{5_000, 15_000, 30_000, 120_000}

// rejoin goes on with every run of an earlier life, all of them side by side.
func (h *Host) rejoin(tx *durable.Tx) {
	active := run.Active(tx)
	for _, r := range active {
		switch {
		case r.Status == run.Waiting:
			h.follow(tx, r)
		case tx.Scheduled(dueFollow, r.ID): // it is asked again when that is due
		case r.Status == run.Starting:
			h.dispatchAgain(tx, r.ID)
		default:
			h.follow(tx, r)
		}
	}
	for _, r := range run.ToCancel(tx) {
		h.tellCancelled(tx, r)
	}
	h.tellAnswers(tx)
	if len(active) > 0 {
		h.watchRuns(tx)
	}
}

// take reads what has come of a run's stream.
func (h *Host) take(tx *durable.Tx, id string, data []byte) {
	r, ok := run.Find(tx, id)
	f := h.followed[id]
	if !ok || f == nil || r.Status.Final() {
		return
	}
	f.heard = true
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
			var p progress
			if json.Unmarshal(frame.Body, &p) == nil {
				h.keepChunks(tx, &r, chunks)
				chunks = nil
				h.spend(tx, &r, p.Usage)
				h.heardOf(tx, &r, p.Report)
			}
		case wire.KindMilestone:
			h.keepChunks(tx, &r, chunks)
			chunks = nil
			var m stream.Milestone
			if json.Unmarshal(frame.Body, &m) == nil {
				h.reach(tx, &r, m)
			}
		case wire.KindEnd:
			h.keepChunks(tx, &r, chunks)
			chunks = nil
			var e runOver
			if failed := json.Unmarshal(frame.Body, &e); failed != nil {
				e.outcome = outcome{Status: string(run.Failed), Failure: "the helper's answer was garbled"}
			}
			h.wakenLater(tx, id, e.Waken)
			h.endRun(tx, r, e.outcome)
			return
		case wire.KindWaiting:
			h.keepChunks(tx, &r, chunks)
			var p pause
			if json.Unmarshal(frame.Body, &p) == nil {
				h.paused(tx, r, p)
			}
			return
		case wire.KindError:
			err = frame.Err()
		}
	}
	h.keepChunks(tx, &r, chunks)
	if err != nil {
		tx.Do(durable.CancelStream{Stream: tailOf + id})
		h.lost(tx, r, err.Error())
	}
}
