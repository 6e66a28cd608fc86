package flow

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
)

// Func is straight-line code. Its result is JSON.
type Func func(c *Context) (json.RawMessage, error)

// Routine is the in-memory part of code that is under way.
type Routine struct {
	code    string
	journal *journal
	tx      *durable.Tx
	// strands are the coroutines: that of the code itself and those of its branches.
	// One at a time goes on; it is current.
	strands []*strand
	current *strand
	// fetches are the responses in the making, by the positions of their awaits.
	fetches map[int]*fetching

	// done says that the code has returned, over that it never goes on.
	done, over bool
	result     json.RawMessage
	err        error
}

// Start runs code until it waits or ends, over the journal that its id has. name is
// what errors call it, such as "the tool research".
func Start(tx *durable.Tx, id, name string, code Func) *Routine {
	r := &Routine{code: name, journal: read(tx, id), fetches: map[int]*fetching{}}
	r.strand(Trunk, nil, func() {
		result, err := code(&Context{routine: r})
		r.running() // it may have recovered from being ended
		r.end(result, err)
	})
	r.Resume(tx)
	return r
}

// Resume lets the code go on as far as what it awaits has been journaled.
func (r *Routine) Resume(tx *durable.Tx) {
	if r.over {
		return
	}
	defer r.use(tx)()
	r.journal.refresh(tx)
	r.expire()
	for s := r.ready(); s != nil && !r.done; s = r.ready() {
		r.run(s)
	}
	if r.done {
		r.giveUp(Left)
		r.Drop()
	}
}

// use lets the code work in a transaction, until the function that it returns is called.
func (r *Routine) use(tx *durable.Tx) (end func()) {
	before := r.tx
	r.tx = tx
	return func() { r.tx = before }
}

// end notes what has come of the code.
func (r *Routine) end(result json.RawMessage, err error) {
	r.done, r.result, r.err = true, result, err
}

// Done returns what the code has returned, once it has.
func (r *Routine) Done() (result json.RawMessage, err error, done bool) {
	return r.result, r.err, r.done
}

// Stop gives up what the code has begun, and ends the code where it waits, or where it
// awaits next if it is the code that asks for that. Nothing of it is left.
func (r *Routine) Stop(tx *durable.Tx) {
	if !r.over {
		defer r.use(tx)()
		r.giveUp(Stopped)
		r.Drop()
	}
	Forget(tx, r.journal.routine)
}

// Bytes is roughly what the routine holds in memory.
func (r *Routine) Bytes() int {
	n := r.journal.bytes + 8192*len(r.strands)
	for _, f := range r.fetches {
		n += len(f.response.Body)
	}
	return n
}

// Drop ends the code where it waits, and in memory only: its journal stays, and what
// it has begun goes on.
func (r *Routine) Drop() {
	r.over = true
	for _, s := range r.strands {
		r.halt(s)
	}
	r.strands = nil
}

// giveUp cancels everything that is under way, the last first: what waits for its
// turn behind something else shall not begin when that is cancelled.
func (r *Routine) giveUp(why Reason) {
	for _, e := range r.journal.newest() {
		r.cancel(e, why)
	}
}

// cancel gives up one await, if it is open: its row first, then what was begun.
func (r *Routine) cancel(e *entry, why Reason) {
	if !e.open() {
		return
	}
	complete(r.tx, e.key, nil, why, why.words())
	r.journal.look(r.tx, e)
	if e.op.Cancel != nil {
		e.op.Cancel(r.tx, e.key, why)
	}
}
