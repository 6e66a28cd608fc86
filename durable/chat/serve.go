package chat

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/turn"
	"github.com/tributary-agents/tributary/durable/wire"
)

// This file is the helper's side of a run: a turn of its conversation whose log is
// kept, because the parent may ask for any part of it again.

// task is a run that this object was handed.
type task struct {
	run string
	// turn is the turn that works on it, log the number of the first that did, whose
	// log all of them write.
	turn, log int64
	asked     startRequest
	ended     bool
	outcome   outcome
	// reported is what the run's code has last said of its progress.
	reported reported
}

// served are the handlers of a helper.
var served = func() *wire.Mux[serving] {
	mux := &wire.Mux[serving]{}
	wire.Handle(mux, startRun, serving.start)
	wire.Handle(mux, cancelRun, serving.cancel)
	wire.Handle(mux, answerCall, serving.answer)
	wire.Handle(mux, pageRun, serving.page)
	wire.Handle(mux, wakenHelper, serving.waken)
	wire.HandleStream(mux, tailRun, serving.tail)
	wire.Handle(mux, tellFrame, serving.frame)
	wire.Handle(mux, listMessages, serving.messages)
	wire.HandleStream(mux, openSocket, serving.openSocket)
	return mux
}()

// serving is one request of the parent.
type serving struct {
	host   *Host
	tx     *durable.Tx
	stream string
}

// start accepts a run as a turn. It may be told twice, or after its cancellation.
func (s serving) start(r startRequest) (takenResult, error) {
	if !s.host.agent.Helper {
		return takenResult{}, &wire.Error{Code: wire.CodeRefused, Message: s.host.agent.Class + " is no helper"}
	}
	if s.host.outlived(s.tx, r.Generation) {
		return takenResult{Gone: true}, nil
	}
	if _, ok := findTask(s.tx, r.Run); ok {
		return takenResult{}, nil
	}
	if no := oversized(r.Run, r.Prompt, r.Input, r.Output); no != "" {
		return takenResult{}, &wire.Error{Code: wire.CodeRefused, Message: no}
	}
	id := "task-" + r.Run
	place := places(s.tx, 2)
	put(s.tx, place-1, protocol.UserMessage(id, r.Prompt))
	t := s.host.admit(s.tx, turn.Turn{Request: "run-" + r.Run, Origin: []string{id}, Reply: s.tx.NewID(), Place: place})
	s.tx.SQL(`INSERT INTO task (run, turn, log, asked) VALUES (?, ?, ?, ?)`, r.Run, t.Seq, t.Seq, string(encode(r)))
	s.host.show(s.tx, s.host.roster.all()...)
	s.host.advance(s.tx)
	return takenResult{}, nil
}

// cancel stops a run. One that has not come yet will find that it was cancelled. What has
// waited behind it goes on.
func (s serving) cancel(r cancelRequest) (cancelResult, error) {
	r.Reason = cutOff(r.Reason, 2*limit.Summary) // a parent has cut it off before
	if err := checkID(r.Run); err != nil {
		return cancelResult{}, &wire.Error{Code: wire.CodeRefused, Message: err.Error()}
	}
	k, ok := findTask(s.tx, r.Run)
	if !ok {
		s.tx.SQL(`INSERT INTO task (run, turn, log) VALUES (?, 0, 0)`, r.Run)
		keepTask(s.tx, task{run: r.Run, outcome: outcome{Status: string(turn.Aborted), Failure: r.Reason}}, true)
		return cancelResult{Waken: s.host.want(s.tx)}, nil
	}
	if !k.ended {
		s.host.abortTask(s.tx, k, r.Reason)
		s.host.forgetSchedules(s.tx)
		k, _ = findTask(s.tx, r.Run)
		s.host.unwind(s.tx) // it may be that nothing waits any more
	}
	return cancelResult{Usage: k.outcome.Usage, Telling: len(run.ToCancel(s.tx)) > 0, Waken: s.host.want(s.tx)}, nil
}

// pageBudget is how many bytes of chunks go into one page, or into a stream at a
// time.
const pageBudget = 256 << 10

func (s serving) page(r tailRequest) (page, error) {
	k, ok := findTask(s.tx, r.Run)
	if !ok {
		return page{}, &wire.Error{Code: wire.CodeRefused, Message: "there is no run " + r.Run}
	}
	chunks, more := stream.Read(s.tx, stream.ID(k.log), r.From, pageBudget)
	reached := stream.Milestones(s.tx, stream.ID(k.log), r.Milestones)
	p := page{Ended: k.ended && !more, Outcome: k.outcome, Usage: s.host.taskUsage(k), Report: k.reported.Report}
	if !more && !k.ended {
		rest, _ := s.host.pauseOf(s.tx, k)
		p.WaitsFor, p.IdleUntil, p.Waken = rest.WaitsFor, rest.IdleUntil, rest.Waken
	} else if !more {
		p.Waken = s.host.wants(s.tx)
	}
	s.host.wakenAt(s.tx, max(p.IdleUntil, p.Waken))
	for _, c := range chunks {
		p.Chunks = append(p.Chunks, c.Body)
	}
	p.Milestones = reached
	if more {
		p.Milestones = stream.TakeUpTo(&reached, r.From+int64(len(chunks)))
	}
	return p, nil
}

// tail is a stream that a parent reads. What it has not taken yet is waited for,
// and what comes in the meantime goes out together.
type tail struct {
	run   string
	log   int64
	next  int64
	taken bool
	// told is what the parent knows of what the run has cost, reports how many reports
	// of its progress.
	told    run.Usage
	reports int64
	// milestones is the number of the next one that it is told of.
	milestones int64
}

func (s serving) tail(r tailRequest) error {
	k, ok := findTask(s.tx, r.Run)
	if !ok {
		return &wire.Error{Code: wire.CodeRefused, Message: "there is no run " + r.Run}
	}
	if s.host.tails == nil {
		s.host.tails = map[string]*tail{}
	}
	s.host.wakenAt(s.tx, 0)
	s.host.tails[s.stream] = &tail{run: k.run, log: k.log, next: r.From, milestones: r.Milestones, taken: true}
	alive := wire.AppendFrame(wire.AppendStart(nil), wire.Frame{Kind: wire.KindHeartbeat, Index: r.From})
	s.tx.Do(durable.Emit{Stream: s.stream, Data: alive})
	s.host.pump(s.tx, s.stream)
	return nil
}

// pump sends a tail what the log has, and the end behind the last of it.
func (h *Host) pump(tx *durable.Tx, name string) {
	t, ok := h.tails[name]
	if !ok || !t.taken {
		return
	}
	k, _ := findTask(tx, t.run)
	chunks, more := stream.Read(tx, stream.ID(t.log), t.next, pageBudget)
	var reached []stream.Milestone
	if k.reported.Milestones > t.milestones {
		reached = stream.Milestones(tx, stream.ID(t.log), t.milestones)
	}
	var data []byte
	for _, c := range chunks {
		data = h.appendMilestones(data, t, k, stream.TakeUpTo(&reached, c.Index))
		data = wire.AppendFrame(data, wire.Frame{Kind: wire.KindChunk, Index: c.Index, Body: c.Body})
		t.next = c.Index + 1
	}
	data = h.appendMilestones(data, t, k, stream.TakeUpTo(&reached, t.next))
	last, over := h.lastFrame(tx, t, k)
	over = over && !more
	data = h.appendProgress(data, t, k, over || k.reported.Due <= tx.Now)
	if over {
		data = wire.AppendFrame(data, last)
		delete(h.tails, name)
		tx.Do(durable.Emit{Stream: name, Data: data}, durable.EndStream{Stream: name})
		return
	}
	if len(data) > 0 {
		t.taken = false
		tx.Do(durable.Emit{Stream: name, Data: data})
	}
}

// lastFrame is what a tail ends with: what came of the run, or what it waits for. A
// stream is not kept open for somebody who may come in a week, nor for a sleep.
func (h *Host) lastFrame(tx *durable.Tx, t *tail, k task) (wire.Frame, bool) {
	if k.ended {
		return wire.Frame{Kind: wire.KindEnd, Index: t.next, Body: encode(runOver{k.outcome, h.want(tx)})}, true
	}
	p, ok := h.pauseOf(tx, k)
	if !ok {
		return wire.Frame{}, false
	}
	if at := max(p.IdleUntil, p.Waken); at > 0 {
		h.wakenAt(tx, at)
	}
	return wire.Frame{Kind: wire.KindWaiting, Index: t.next, Body: encode(p)}, true
}

// encode returns a value of ours as JSON.
func encode(v any) []byte {
	b, err := limit.Marshal(v)
	if err != nil {
		panic("chat: " + err.Error())
	}
	return b
}

// encodeWithin returns a value of an author's as JSON, and an error where that is larger than a
// limit.
func encodeWithin(v any, most int) (json.RawMessage, error) {
	b, err := limit.Marshal(v)
	if err == nil && len(b) > most {
		return nil, fmt.Errorf("%d bytes, at most %d", len(b), most)
	}
	return b, err
}

// pumpAll sends every tail what has come.
func (h *Host) pumpAll(tx *durable.Tx) {
	for name := range sorted(h.tails) {
		h.pump(tx, name)
	}
}

// finishTask notes what came of a turn's run, and says whether the turn is one. A run
// whose calls wait for somebody goes on when they are answered.
func (h *Host) finishTask(tx *durable.Tx, l *live) bool {
	k, ok := taskOf(tx, l.turn.Seq)
	if !ok {
		return false
	}
	k.outcome.Status, k.outcome.Output = string(l.turn.Status), l.output
	k.outcome.Summary = protocol.CutOffQuoted(cmp.Or(l.summary, textOf(l.fold.Message())), limit.Answer)
	k.outcome.Failure, k.outcome.Reason = l.turn.Reason, l.cause
	k.outcome.Usage = k.outcome.Usage.Add(l.spent())
	keepTask(tx, k, len(waitsFor(tx, k)) == 0)
	tx.Unschedule(dueReport, k.run) // the end takes along what was to be told
	h.pumpAll(tx)
	return true
}
