package chat

import (
	"cmp"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/internal/supervisor"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/turn"
	"github.com/tributary-agents/tributary/durable/wire"
)

// This file is the helper's side of a run. A run is a turn of its conversation whose log is kept,
// because the parent may ask for any part of it again.

// task is a run that this object was handed.
type task struct {
	run string
	// turn is the turn that works on the run now. log is the number of the first turn that did. All
	// turns of the run write to that turn's log.
	turn, log int64
	request   facet.StartRequest
	ended     bool
	outcome   facet.Outcome
	// reported is the last progress that the run's code has reported.
	reported reported
}

// helperMethods are the methods that a helper serves to its parent.
var helperMethods = func() *wire.Mux[helperCall] {
	mux := &wire.Mux[helperCall]{}
	wire.Handle(mux, facet.Start, helperCall.start)
	wire.Handle(mux, facet.Cancel, helperCall.cancel)
	wire.Handle(mux, facet.Answer, helperCall.answer)
	wire.Handle(mux, facet.ReadPage, helperCall.page)
	wire.Handle(mux, facet.Wake, helperCall.wake)
	wire.HandleStream(mux, facet.Tail, helperCall.tail)
	wire.Handle(mux, facet.SendFrame, helperCall.frame)
	wire.Handle(mux, facet.ListMessages, helperCall.messages)
	wire.HandleStream(mux, facet.OpenSocket, helperCall.openSocket)
	return mux
}()

// helperCall is one call of the parent.
type helperCall struct {
	object *Object
	tx     *durable.Tx
	stream string
}

// start accepts a run as a turn. It may be called twice, or after the cancellation of the run.
func (c helperCall) start(r facet.StartRequest) (facet.AcceptResult, error) {
	if !c.object.agent.Helper {
		return facet.AcceptResult{}, &wire.Error{Code: wire.CodeRefused, Message: c.object.agent.Class + " is no helper"}
	}
	if c.object.isStale(c.tx, r.Generation) {
		return facet.AcceptResult{Gone: true}, nil
	}
	if _, ok := findTask(c.tx, r.Run); ok {
		return facet.AcceptResult{}, nil
	}
	if no := supervisor.Oversized(r.Run, r.Prompt, r.Input, r.Output); no != "" {
		return facet.AcceptResult{}, &wire.Error{Code: wire.CodeRefused, Message: no}
	}
	id := "task-" + r.Run
	place := message.TakePlaces(c.tx, 2)
	message.Put(c.tx, place-1, protocol.UserMessage(id, r.Prompt))
	t := enqueue(c.tx, turn.Turn{Request: "run-" + r.Run, Origin: []string{id}, Reply: c.tx.NewID(), Place: place})
	c.tx.SQL(`INSERT INTO task (run, turn, log, asked) VALUES (?, ?, ?, ?)`, r.Run, t.Seq, t.Seq, string(limit.MustMarshal(r)))
	c.object.audience.SendTranscript(c.tx, c.object.audience.All()...)
	c.object.startNext(c.tx)
	return facet.AcceptResult{}, nil
}

// cancel stops a run. A run that is not here yet is marked, and is cancelled when it comes. Turns
// that waited behind the run go on.
func (c helperCall) cancel(r facet.CancelRequest) (facet.CancelResult, error) {
	r.Reason = protocol.CutOff(r.Reason, 2*limit.Summary) // a parent has cut it to this size before
	if err := supervisor.CheckID(r.Run); err != nil {
		return facet.CancelResult{}, &wire.Error{Code: wire.CodeRefused, Message: err.Error()}
	}
	if c.object.isStale(c.tx, r.Generation) {
		return facet.CancelResult{Gone: true}, nil
	}
	k, ok := findTask(c.tx, r.Run)
	if !ok {
		c.tx.SQL(`INSERT INTO task (run, turn, log) VALUES (?, 0, 0)`, r.Run)
		keepTask(c.tx, task{run: r.Run, outcome: facet.Outcome{Status: string(turn.Aborted), Failure: r.Reason}}, true)
		return facet.CancelResult{Waken: c.object.announceWake(c.tx)}, nil
	}
	if !k.ended {
		c.object.abortTask(c.tx, k, r.Reason)
		c.object.forgetSchedules(c.tx)
		k, _ = findTask(c.tx, r.Run)
		c.object.drainAgenda(c.tx) // perhaps nothing waits any more
	}
	return facet.CancelResult{Usage: k.outcome.Usage, Telling: len(run.UnacknowledgedCancels(c.tx)) > 0, Waken: c.object.announceWake(c.tx)}, nil
}

// pageBudget is how many bytes of chunks go into one page, or are sent to a stream at once.
const pageBudget = 256 << 10

func (c helperCall) page(r facet.TailRequest) (facet.Page, error) {
	k, ok := findTask(c.tx, r.Run)
	if !ok {
		return facet.Page{}, &wire.Error{Code: wire.CodeRefused, Message: "there is no run " + r.Run}
	}
	chunks, more := stream.Read(c.tx, stream.ID(k.log), r.From, pageBudget)
	reached := stream.Milestones(c.tx, stream.ID(k.log), r.Milestones)
	p := facet.Page{Ended: k.ended && !more, Outcome: k.outcome, Usage: c.object.taskUsage(k), Report: k.reported.Report}
	if !more && !k.ended {
		rest, _ := c.object.pauseOf(c.tx, k)
		p.WaitsFor, p.IdleUntil, p.Waken = rest.WaitsFor, rest.IdleUntil, rest.Waken
	} else if !more {
		p.Waken = c.object.nextWakeNeeded(c.tx)
	}
	c.object.setNextWake(c.tx, max(p.IdleUntil, p.Waken))
	for _, c := range chunks {
		p.Chunks = append(p.Chunks, c.Body)
	}
	p.Milestones = reached
	if more {
		p.Milestones = stream.TakeUpTo(&reached, r.From+int64(len(chunks)))
	}
	return p, nil
}

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
	// milestones is the number of the next milestone to send.
	milestones int64
}

func (c helperCall) tail(r facet.TailRequest) error {
	k, ok := findTask(c.tx, r.Run)
	if !ok {
		return &wire.Error{Code: wire.CodeRefused, Message: "there is no run " + r.Run}
	}
	if c.object.tailWriters == nil {
		c.object.tailWriters = map[string]*tailWriter{}
	}
	c.object.setNextWake(c.tx, 0)
	c.object.tailWriters[c.stream] = &tailWriter{run: k.run, log: k.log, next: r.From, milestones: r.Milestones, drained: true}
	alive := wire.AppendFrame(wire.AppendStart(nil), wire.Frame{Kind: wire.KindHeartbeat, Index: r.From})
	c.tx.Do(durable.Emit{Stream: c.stream, Data: alive})
	c.object.flushTail(c.tx, c.stream)
	return nil
}

// flushTail sends the parent the new part of the log, and the end after the last chunk.
func (o *Object) flushTail(tx *durable.Tx, name string) {
	w, ok := o.tailWriters[name]
	if !ok || !w.drained {
		return
	}
	k, _ := findBriefTask(tx, w.run)
	chunks, more := stream.Read(tx, stream.ID(w.log), w.next, pageBudget)
	var reached []stream.Milestone
	if k.reported.Milestones > w.milestones {
		reached = stream.Milestones(tx, stream.ID(w.log), w.milestones)
	}
	var data []byte
	for _, c := range chunks {
		data = o.appendMilestones(data, w, k, stream.TakeUpTo(&reached, c.Index))
		data = wire.AppendFrame(data, wire.Frame{Kind: wire.KindChunk, Index: c.Index, Body: c.Body})
		w.next = c.Index + 1
	}
	data = o.appendMilestones(data, w, k, stream.TakeUpTo(&reached, w.next))
	last, over := o.lastFrame(tx, w, k)
	over = over && !more
	data = o.appendProgress(data, w, k, over || k.reported.Due <= tx.Now)
	if over {
		data = wire.AppendFrame(data, last)
		delete(o.tailWriters, name)
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
func (o *Object) lastFrame(tx *durable.Tx, w *tailWriter, k task) (wire.Frame, bool) {
	if k.ended {
		return wire.Frame{Kind: wire.KindEnd, Index: w.next, Body: limit.MustMarshal(facet.End{Outcome: k.outcome, Waken: o.announceWake(tx)})}, true
	}
	p, ok := o.pauseOf(tx, k)
	if !ok {
		return wire.Frame{}, false
	}
	if at := max(p.IdleUntil, p.Waken); at > 0 {
		o.setNextWake(tx, at)
	}
	return wire.Frame{Kind: wire.KindWaiting, Index: w.next, Body: limit.MustMarshal(p)}, true
}

// flushTails flushes every stream that the parent reads.
func (o *Object) flushTails(tx *durable.Tx) {
	for name := range sorted(o.tailWriters) {
		o.flushTail(tx, name)
	}
}

// finishTask stores the result of a turn's run, and says whether the turn works on a run. A run
// whose calls wait for answers goes on when they are answered.
func (o *Object) finishTask(tx *durable.Tx, a *activeTurn) bool {
	k, ok := taskOf(tx, a.turn.Seq)
	if !ok {
		return false
	}
	k.outcome.Status, k.outcome.Output = string(a.turn.Status), a.output
	k.outcome.Summary = protocol.CutOffQuoted(cmp.Or(a.summary, message.TextOf(a.draft.Fold.Message())), limit.Answer)
	k.outcome.Failure, k.outcome.Reason = a.turn.Reason, a.failReason
	k.outcome.Usage = k.outcome.Usage.Add(a.spent())
	keepTask(tx, k, len(waitsFor(tx, k)) == 0)
	tx.Unschedule(dueReport, k.run) // the end carries the last report
	o.flushTails(tx)
	return true
}
