package task

import (
	"iter"
	"maps"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/wire"
)

// pageBudget is how many bytes of chunks go into one page, or are sent to a stream at once.
const pageBudget = 256 << 10

// tailWriter is a stream that the parent reads. While the parent has not drained it, nothing more
// is sent. Chunks that come in the meantime are sent together.
type tailWriter struct {
	run     string
	log     int64
	next    int64
	drained bool
	// sentUsage is the usage that the parent was sent last. sentReports is how many progress reports
	// it was sent.
	sentUsage   run.Usage
	sentReports int64
	// sentReceived is how many received signals it was told of.
	sentReceived run.Received
	// milestones is the number of the next milestone to send.
	milestones int64
	// asked is the number of the last change of questions that the parent was told, or -1.
	asked int
}

// flushTail sends the parent the new part of the log, and the end after the last chunk.
func (t *Tails) flushTail(tx *durable.Tx, name string) {
	w, ok := t.tailWriters[name]
	if !ok || !w.drained {
		return
	}
	t.work.Store(tx)
	k, _ := findBriefTask(tx, w.run)
	chunks, more := stream.Read(tx, stream.ID(w.log), w.next, pageBudget)
	var reached []stream.Milestone
	if k.reported.Milestones > w.milestones {
		reached = stream.Milestones(tx, stream.ID(w.log), w.milestones)
	}
	var data []byte
	for _, c := range chunks {
		data = t.appendMilestones(tx, data, w, k, stream.TakeUpTo(&reached, c.Index))
		data = wire.AppendFrame(data, wire.Frame{Kind: wire.KindChunk, Index: c.Index, Body: c.Body})
		w.next = c.Index + 1
	}
	data = t.appendMilestones(tx, data, w, k, stream.TakeUpTo(&reached, w.next))
	for _, r := range t.work.TakeRequests(tx) {
		data = wire.AppendFrame(data, wire.Frame{Kind: wire.KindHost, Index: w.next, Body: limit.MustMarshal(r)})
	}
	last, over := t.lastFrame(tx, w, k)
	over = over && !more
	data = t.appendProgress(tx, data, w, k, over || k.reported.Due <= tx.Now)
	data = t.appendQuestions(tx, data, w, k)
	if over {
		data = wire.AppendFrame(data, last)
		t.Close(tx, name)
		tx.Do(durable.Emit{Stream: name, Data: data}, durable.EndStream{Stream: name})
		return
	}
	if len(data) > 0 {
		w.drained = false
		tx.Do(durable.Emit{Stream: name, Data: data})
	}
}

// lastFrame returns the frame that ends a stream: the result of the run, or what the run waits for.
// No stream is kept open during a sleep, or while a person may take a week to answer.
func (t *Tails) lastFrame(tx *durable.Tx, w *tailWriter, k Task) (wire.Frame, bool) {
	if k.Ended {
		return wire.Frame{Kind: wire.KindEnd, Index: w.next, Body: limit.MustMarshal(facet.End{Outcome: k.Outcome, Waken: t.AnnounceWake(tx), Idle: t.work.Idle(tx)})}, true
	}
	p, ok := t.work.Pause(tx, k)
	if !ok {
		return wire.Frame{}, false
	}
	if at := max(p.IdleUntil, p.Waken); at > 0 {
		t.setNextWake(tx, at)
	}
	p.Received = t.work.Received(tx, k).Signals
	return wire.Frame{Kind: wire.KindWaiting, Index: w.next, Body: limit.MustMarshal(p)}, true
}

// FlushAll flushes every stream that the parent reads.
func (t *Tails) FlushAll(tx *durable.Tx) {
	for name := range sorted(t.tailWriters) {
		t.flushTail(tx, name)
	}
}

// sorted yields a map's keys in order, so that every execution produces the same commands.
func sorted[V any](m map[string]V) iter.Seq[string] {
	return slices.Values(slices.Sorted(maps.Keys(m)))
}

// Page returns a piece of a run's log.
func (t *Tails) Page(tx *durable.Tx, r facet.TailRequest) (facet.Page, error) {
	k, ok := Find(tx, r.Run)
	if !ok {
		return facet.Page{}, &wire.Error{Code: wire.CodeRefused, Message: "there is no run " + r.Run}
	}
	t.work.Store(tx)
	chunks, more := stream.Read(tx, stream.ID(k.Log), r.From, pageBudget)
	reached := stream.Milestones(tx, stream.ID(k.Log), r.Milestones)
	p := facet.Page{Ended: k.Ended && !more, Outcome: k.Outcome, Usage: t.work.Usage(k), Received: t.work.Received(tx, k), Report: k.reported.Report}
	p.Questions = t.work.Questions(tx)
	if !more && !k.Ended {
		rest, _ := t.work.Pause(tx, k)
		p.WaitsFor, p.Pending, p.IdleUntil, p.Waken = rest.WaitsFor, rest.Pending, rest.IdleUntil, rest.Waken
		p.Held, p.Change = rest.Held, rest.Change
	} else if !more {
		p.Waken, p.Idle = t.work.NextWake(tx), t.work.Idle(tx)
	}
	t.setNextWake(tx, max(p.IdleUntil, p.Waken))
	for _, c := range chunks {
		p.Chunks = append(p.Chunks, c.Body)
	}
	p.Milestones = reached
	if more {
		p.Milestones = stream.TakeUpTo(&reached, r.From+int64(len(chunks)))
	}
	return p, nil
}

// OpenTail begins a stream through which the parent reads a run.
func (t *Tails) OpenTail(tx *durable.Tx, name string, r facet.TailRequest) error {
	k, ok := Find(tx, r.Run)
	if !ok {
		return &wire.Error{Code: wire.CodeRefused, Message: "there is no run " + r.Run}
	}
	if t.tailWriters == nil {
		t.tailWriters = map[string]*tailWriter{}
	}
	t.setNextWake(tx, 0)
	stream.Follow(tx, stream.ID(k.Log))
	t.tailWriters[name] = &tailWriter{run: k.Run, log: k.Log, next: r.From, milestones: r.Milestones, drained: true, asked: -1}
	alive := wire.AppendFrame(wire.AppendStart(nil), wire.Frame{Kind: wire.KindHeartbeat, Index: r.From})
	tx.Do(durable.Emit{Stream: name, Data: alive})
	t.flushTail(tx, name)
	return nil
}

// Drained notes that the parent has read what a stream has brought.
func (t *Tails) Drained(tx *durable.Tx, name string) {
	if w, ok := t.tailWriters[name]; ok {
		w.drained = true
		t.flushTail(tx, name)
	}
}

// Close forgets a stream that has ended, or that the parent has cancelled.
func (t *Tails) Close(tx *durable.Tx, name string) {
	w, ok := t.tailWriters[name]
	if !ok {
		return
	}
	delete(t.tailWriters, name)
	for _, other := range t.tailWriters {
		if other.log == w.log { // the parent has opened another stream before it closed this one
			return
		}
	}
	stream.Unfollow(tx, stream.ID(w.log))
}

// HasReader says whether the parent reads a run.
func (t *Tails) HasReader() bool { return len(t.tailWriters) > 0 }
