package chat

import (
	"encoding/json"
	"errors"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/admission"
	"github.com/tributary-agents/tributary/durable/internal/approval"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/internal/loop"
	"github.com/tributary-agents/tributary/durable/internal/question"
	"github.com/tributary-agents/tributary/durable/internal/supervisor"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/turn"
	"github.com/tributary-agents/tributary/durable/wire"
)

// abortTask stops a run, whether it is active or waits for a person.
func (o *Object) abortTask(tx *durable.Tx, k task.Task, reason string) {
	if t, ok := turn.BySeq(tx, k.Turn); ok && !t.Status.Final() {
		o.cancel(tx, "", t.Request)
		k, _ = task.Find(tx, k.Run)
	}
	for _, p := range approval.OfRun(tx, k.Run) {
		o.endApprovedCall(tx, p, protocol.Chunk{Type: protocol.ChunkToolOutputError, ToolCallID: p.ID, ErrorText: reason})
	}
	k.Outcome.Status, k.Outcome.Failure, k.Outcome.Reason = string(turn.Aborted), reason, run.Cancelled
	task.Keep(tx, k, true)
	flow.DropInbox(tx, k.Run)
	o.endPause(tx, k.Run)
	o.tails.FlushAll(tx)
}

// abortTasks stops every run that has not ended.
func (o *Object) abortTasks(tx *durable.Tx, reason string) {
	for _, run := range task.Open(tx) {
		if k, ok := task.Find(tx, run); ok {
			o.abortTask(tx, k, reason)
		}
	}
}

// continueTask queues a turn that continues a run, on the run's own log.
func (o *Object) continueTask(tx *durable.Tx, run string, t turn.Turn) {
	k, ok := task.Find(tx, run)
	if !ok || k.Ended {
		return
	}
	t.Log = k.Log
	t = admission.Enqueue(tx, t)
	task.ContinueOn(tx, run, t.Seq)
}

// appendToTaskLog appends chunks about a call of an earlier message to the log of the run that made
// the call.
func (o *Object) appendToTaskLog(tx *durable.Tx, run string, chunks ...protocol.Chunk) {
	k, ok := task.Find(tx, run)
	o.loop.Store(tx)
	if !ok {
		return
	}
	for i := range chunks {
		if o.loop.Has(k.Turn) {
			o.loop.Note(tx, chunks[i])
		} else {
			stream.Append(tx, stream.ID(k.Log), stream.Next(tx, stream.ID(k.Log)), chunks[i].Encode())
		}
	}
	o.tails.FlushAll(tx)
}

// waitsFor returns the calls of a run that a person or a browser has to answer.
func waitsFor(tx *durable.Tx, k task.Task) []string {
	var calls []string
	for _, p := range approval.OpenOfRun(tx, k.Run) {
		calls = append(calls, p.ID)
	}
	return calls
}

// schemaOf is the JSON Schema that a run sets for the turn's answer, or nil.
func schemaOf(tx *durable.Tx, t turn.Turn) json.RawMessage {
	k, _ := task.OfTurn(tx, t.Seq)
	return k.Request.Output
}

// depth is how far below the root this object lives.
func (o *Object) depth(tx *durable.Tx) int {
	if !o.agent.Helper {
		return 0
	}
	return task.Depth(tx)
}

// taskOfTurn returns the run that the active turn works on. In a root there is none.
func (o *Object) taskOfTurn(tx *durable.Tx) task.Task {
	if !o.agent.Helper {
		return task.Task{}
	}
	k, _ := task.OfTurn(tx, o.loop.Turn().Seq)
	return k
}

// taskUsage is the cost of a run so far, including its helpers and theirs.
func (o *Object) taskUsage(k task.Task) run.Usage {
	return k.Outcome.Usage.Add(o.loop.SpentOf(k.Turn))
}

// The rest of this file is about a helper in which nothing happens for a long time, because its tools sleep. It
// tells its parent, which closes its stream and wakes it in time. So an hour's sleep holds no
// stream and no timer in either object.

// idleUntil returns the time of the next event in a run's turn. It is 0 if the turn is at work, or
// if the next event does not depend on the schedule alone.
func (o *Object) idleUntil(tx *durable.Tx, k task.Task) int64 {
	if !o.loop.Has(k.Turn) {
		return 0
	}
	return o.loop.SleepsUntil(tx)
}

// pauseOf says why a run produces nothing for a long time, if it does not: it waits for a person,
// here or in a helper below, it or all runs that it waits for are paused, or nothing happens before
// a certain time.
func (o *Object) pauseOf(tx *durable.Tx, k task.Task) (facet.Pause, bool) {
	if o.loop.Asking(k.Turn) { // a model answers
		return facet.Pause{}, false
	}
	p := facet.Pause{WaitsFor: waitsFor(tx, k), Change: o.tails.LastChange()}
	if o.tails.Paused() {
		if !o.still(tx) {
			return facet.Pause{}, false
		}
		for _, q := range question.Own(tx) {
			p.WaitsFor = append(p.WaitsFor, q.ID)
		}
		below, _ := o.runs.WaitsFor(tx)
		p.WaitsFor, p.Held, p.Waken = append(p.WaitsFor, below...), true, o.nextWakeNeeded(tx)
		p.Pending = o.describedTo(tx, k, p.WaitsFor)
		return p, true
	}
	if len(p.WaitsFor) > 0 {
		p.Pending, p.Waken = o.describedTo(tx, k, p.WaitsFor), o.nextWakeNeeded(tx)
		return p, true
	}
	if calls, _, held := o.waitsOn(tx); (held || len(calls) > 0) && o.loop.Has(k.Turn) {
		p.WaitsFor, p.Held, p.Waken = calls, held, o.nextWakeNeeded(tx)
		p.Pending = o.describedTo(tx, k, calls)
		return p, true
	}
	p.IdleUntil = o.idleUntil(tx, k)
	return p, p.IdleUntil > 0
}

// waitsOn returns the calls that the active turn waits for, if it waits for persons and for nothing
// else: the questions of its code, the open calls beside them, and those of helpers below. wake is
// when a sleep or a time limit of the code that asks is over, or 0. If that is soon, or nobody is
// asked, the turn is at work. held says that nobody is asked, and that all runs that the turn waits
// for are paused, or wait for such runs.
func (o *Object) waitsOn(tx *durable.Tx) (calls []string, wake int64, held bool) {
	if !o.loop.AwaitsTools() || len(run.UnacknowledgedCancels(tx)) > 0 {
		return nil, 0, false
	}
	asked := question.Own(tx)
	below, still := o.runs.WaitsFor(tx)
	wake = durable.NextDueOf(tx, isWorkKind)
	switch {
	case len(asked) == 0 && wake > 0:
		return nil, 0, false
	case len(asked) == 0:
		return below, 0, still && len(below) == 0
	case wake > 0 && wake-tx.Now < loop.MinIdle, !still && len(run.Active(tx)) > 0:
		return nil, 0, false
	}
	for _, q := range asked {
		calls = append(calls, q.ID)
	}
	return append(append(calls, o.loop.AwaitsAnswers()...), below...), wake, false
}

// work tells the parent's streams of the object's work.
type work struct{ o *Object }

// Store implements [task.Work].
func (w work) Store(tx *durable.Tx) { w.o.loop.Store(tx) }

// TakeRequests implements [task.Work].
func (w work) TakeRequests(tx *durable.Tx) []*facet.HostRequest { return w.o.runs.TakeRequests(tx) }

// Usage implements [task.Work].
func (w work) Usage(k task.Task) run.Usage { return w.o.taskUsage(k) }

// Received implements [task.Work].
func (w work) Received(tx *durable.Tx, k task.Task) run.Received { return received(tx, k.Run) }

// Pause implements [task.Work].
func (w work) Pause(tx *durable.Tx, k task.Task) (facet.Pause, bool) { return w.o.pauseOf(tx, k) }

// NextWake implements [task.Work].
func (w work) NextWake(tx *durable.Tx) int64 { return w.o.nextWakeNeeded(tx) }

// Questions implements [task.Work].
func (w work) Questions(tx *durable.Tx) []facet.Question { return question.Reported(tx) }

// Idle implements [task.Work].
func (w work) Idle(tx *durable.Tx) bool { return w.o.idle(tx) }

// The rest of this file is the helper's side of a journal that is copied: see the supervisor's copy.go.

// journalPage is how large a piece of a journal is, in bytes. Its last row may be larger.
const journalPage = 256 << 10

// readJournal returns a piece of the journal of a run that is over.
func (c helperCall) readJournal(r facet.JournalRequest) (facet.JournalResult, error) {
	refused := func(why string) (facet.JournalResult, error) {
		return facet.JournalResult{}, &wire.Error{Code: wire.CodeRefused, Message: why}
	}
	if task.IsStale(c.tx, r.Generation) {
		return facet.JournalResult{}, facet.ErrStale
	}
	k, ok := task.Find(c.tx, r.Run)
	switch {
	case !ok || !k.Ended: // the parent has ended it, and this helper is told soon
		return facet.JournalResult{}, errors.New("the helper of run " + r.Run + " has no end of it")
	case c.object.agent.Program == nil:
		return refused(c.object.agent.Name + " is no program, and its runs have no steps to begin from")
	}
	rows, last, err := flow.Before(c.tx, loop.ProgramRoutine(k.Turn), r.Before, r.From, journalPage)
	if err != nil {
		return refused("run " + r.Run + " cannot begin again there: " + err.Error())
	}
	return facet.JournalResult{Rows: rows, From: r.From, Last: last, Idle: c.object.idle(c.tx)}, nil
}

// copyJournal keeps a piece of the journal that a run begins with. The run comes later.
func (c helperCall) copyJournal(r facet.CopyRequest) (facet.CopyResult, error) {
	if err := supervisor.CheckID(r.Run); err != nil {
		return facet.CopyResult{}, &wire.Error{Code: wire.CodeRefused, Message: err.Error()}
	}
	if task.IsStale(c.tx, r.Generation) {
		return facet.CopyResult{}, facet.ErrStale
	}
	if _, ok := task.Find(c.tx, r.Run); !ok { // otherwise the run has come, or was cancelled
		flow.Take(c.tx, copyOf(r.Run), r.Rows)
	}
	return facet.CopyResult{Copied: r.From + int64(len(r.Rows)), Last: r.Last}, nil
}

// copyOf names the routine of a copied journal until its run has come.
func copyOf(run string) string { return "copy-" + run }
