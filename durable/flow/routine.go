package flow

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
)

// Func is straight-line code. Its result is JSON.
type Func func(c *Context) (json.RawMessage, error)

// Routine is the in-memory part of code that is running.
type Routine struct {
	code    string
	journal *journal
	tx      *durable.Tx
	// coroutines are the coroutine of the code itself and those of its branches. One runs at a
	// time: current.
	coroutines []*coroutine
	current    *coroutine
	// fetches are the responses that are being received, by the positions of their awaits.
	fetches map[int]*fetching
	// workflows are the instances that the code waits for, by the positions of their awaits.
	workflows map[int]workflowWatch
	options   Options
	// signalled says that the code has an inbox of its own. receiving are the awaits that wait for a
	// signal, by their positions.
	signalled bool
	receiving []*entry
	// guard is the [Guard] that watches over the code, or nil.
	guard guard

	// done says that the code has returned, and over that it will never continue.
	done, over bool
	result     json.RawMessage
	err        error
}

// Options are what the owner of a routine decides for it. The zero value is a routine of its own.
type Options struct {
	// Inbox is the id of the run whose code this is: signals to that run reach the code, and keys
	// that the code sends to servers are made of it. If it is "", the routine's id is used, and the
	// code receives no signals.
	Inbox string
	// Observe is told how the code's steps go on, in the event's transaction and only when something
	// is journaled: a replay tells nothing. It may be nil.
	Observe func(tx *durable.Tx, s StepInfo)
	// Keep says that the journal is retired when the routine is stopped; see [Retire].
	Keep bool
}

// Start runs code until it waits or ends, over the journal of its id. Errors use name, such as "the
// tool research".
func Start(tx *durable.Tx, id, name string, code Func, o Options) *Routine {
	signalled := o.Inbox != ""
	if !signalled {
		o.Inbox = id
	}
	r := &Routine{code: name, journal: read(tx, id), fetches: map[int]*fetching{}, options: o, signalled: signalled}
	r.addCoroutine(Main, nil, func() {
		result, err := code(&Context{routine: r})
		r.running() // the code may have recovered from its end
		r.end(result, err)
	})
	begun := false
	if !trapEndsCoroutines {
		defer func() {
			if !begun { // it has trapped, and nobody else knows of the routine
				r.Drop()
			}
		}()
	}
	r.Resume(tx)
	begun = true
	return r
}

// Resume continues the code as far as its awaits have journaled results.
func (r *Routine) Resume(tx *durable.Tx) {
	if r.over {
		return
	}
	defer r.use(tx)()
	r.journal.refresh(tx)
	for r.cancelOverdue(); !r.done; {
		if s := r.ready(); s != nil {
			r.run(s)
		} else if !r.cancelOverdue() && !r.takeSignal() { // code that is run again may have reached what a time limit has to cancel
			break
		}
	}
	if r.done {
		r.cancelAll(Left)
		r.Drop()
	}
}

// use gives the code a transaction, until the returned function is called.
func (r *Routine) use(tx *durable.Tx) (end func()) {
	before := r.tx
	r.tx = tx
	return func() { r.tx = before }
}

// end stores the result of the code.
func (r *Routine) end(result json.RawMessage, err error) {
	r.done, r.result, r.err = true, result, err
}

// Done returns the code's result once it has returned.
func (r *Routine) Done() (result json.RawMessage, err error, done bool) {
	return r.result, r.err, r.done
}

// Stop cancels everything that the code has begun, and ends the code where it waits. If the code
// itself calls Stop, it ends at its next await. Nothing of the routine is left, unless
// [Options.Keep] says otherwise.
func (r *Routine) Stop(tx *durable.Tx) {
	if !r.over {
		defer r.use(tx)()
		r.cancelAll(Stopped)
		r.Drop()
	}
	if r.options.Keep {
		Retire(tx, r.journal.routine)
		return
	}
	Forget(tx, r.journal.routine)
}

// WaitsForPeople says whether the code waits for persons and for nothing else, apart from time
// limits around that. It can then be dropped, and started again over its journal when one of its
// awaits has ended.
func (r *Routine) WaitsForPeople() bool { return r.waits(nil) }

// waits is [Routine.WaitsForPeople]. With a transaction, operations that go on elsewhere, and wait for
// persons there, count as persons too.
func (r *Routine) waits(tx *durable.Tx) bool {
	if r.WaitsForSlice() {
		return false
	}
	people, elsewhere := false, []*entry(nil)
	for _, e := range r.journal.entries {
		switch {
		case !e.open():
		case e.op.Person:
			people = true
		case tx != nil && e.op.Asks != nil:
			elsewhere = append(elsewhere, e)
		case !e.op.Around:
			return false
		}
	}
	for _, e := range lastFirst(elsewhere) { // in an order, because they read storage
		switch {
		case e.op.Asks(tx):
			people = true
		case !e.op.Around:
			return false
		}
	}
	return people && !r.done
}

// AwaitsParent says whether the code waits for a signal, or for something else that the parent of a
// helper brings.
func (r *Routine) AwaitsParent() bool {
	if r.Receives() {
		return true
	}
	for _, e := range r.journal.entries {
		if e.open() && e.op.FromParent {
			return !r.done
		}
	}
	return false
}

// ID returns the id of the routine's journal.
func (r *Routine) ID() string { return r.journal.routine }

// Bytes returns the approximate size of the routine in memory.
func (r *Routine) Bytes() int {
	n := r.journal.bytes + 8192*len(r.coroutines)
	for _, f := range r.fetches {
		n += len(f.response.Body)
	}
	return n
}

// Drop ends the code where it waits, in memory only. Its journal stays, and its operations go on.
func (r *Routine) Drop() {
	r.over = true
	for _, s := range r.coroutines {
		r.halt(s)
	}
	r.coroutines = nil
}

// cancelAll cancels all open operations, the last first: an operation that waits behind another one
// must not begin because that one is cancelled.
func (r *Routine) cancelAll(why Reason) {
	for _, e := range r.journal.newest() {
		r.cancel(e, why)
	}
}

// cancel cancels one await if it is open: first its row, then its operation.
func (r *Routine) cancel(e *entry, why Reason) {
	if !e.open() {
		return
	}
	r.journal.complete(r.tx, e, nil, why, why.text())
	if e.op.Cancel != nil {
		e.op.Cancel(r.tx, e.key, why)
	}
}
