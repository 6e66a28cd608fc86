package flow

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
)

// This file is for code of this project that runs code of somebody else over the journal, such as a
// script that a model has written. An author's code has no use for it.

// Notes are told of a branch, each in the transaction that journals what it is told.
type Notes struct {
	// Begin is called when the branch begins, and not when it is run again. Cancel is called when the
	// branch is cancelled.
	Begin  func(tx *durable.Tx)
	Cancel func(tx *durable.Tx, why Reason)
	// Fail is called when the code of the branch cannot go on, for example because it has diverged.
	Fail func(tx *durable.Tx, err error)
}

// GoNoted is [Go] for a branch that somebody is told of, and whose code is not that of the routine. An
// error that would end the whole routine is the branch's own. Code that ends earlier than in an earlier
// life is no error.
func GoNoted[T any](c Awaiter, name string, n Notes, f func() (T, error)) *Branch[T] {
	op := branchOp(c, name, n.Fail, f)
	begin, cancel := op.Begin, op.Cancel
	op.Begin = func(tx *durable.Tx, key Key) {
		n.Begin(tx)
		begin(tx, key)
	}
	op.Cancel = func(tx *durable.Tx, key Key, why Reason) {
		cancel(tx, key, why)
		n.Cancel(tx, why)
	}
	return &Branch[T]{name: op.Name, pending: c.context().Await(op)}
}

// Recorded returns the name of the branch that the journal has where the code would begin its next
// one, and says whether the journal has an await there. The name of an await that is no branch is "".
func Recorded(c Awaiter) (branch string, ok bool) {
	name, ok := RecordedAwait(c)
	if n := len(branchOf); len(name) > n && name[:n] == branchOf {
		branch = name[n:]
	}
	return branch, ok
}

// RecordedAwait returns the name of the await that the journal has where the code would begin its next one, and says
// whether it has one there.
func RecordedAwait(c Awaiter) (name string, ok bool) {
	r := c.context().routine
	s := r.running()
	e := r.journal.find(s.in, s.place)
	if e == nil {
		return "", false
	}
	return e.name, true
}

// HasBegun says whether the journal has an await of a routine.
func HasBegun(tx *durable.Tx, routine string) bool {
	return len(tx.SQL(`SELECT 1 FROM await WHERE routine = ? LIMIT 1`, routine)) > 0
}

// Event returns the transaction of the event in which the code runs now. What is done with it is not
// journaled, and is done again when the code is run again.
func Event(c Awaiter) *durable.Tx {
	r := c.context().routine
	r.running()
	return r.tx
}

// EventTime returns the time of the event in which the code runs now, in milliseconds since 1970. It is
// not journaled: it is for what the code returns from a branch, whose result is.
func EventTime(c Awaiter) int64 { return Event(c).Now }

// Finish ends the whole code with a result, also if the journal has awaits that the code has not
// reached. It does not return.
func Finish(c Awaiter, result json.RawMessage, err error) {
	r := c.context().routine
	r.running()
	r.end(result, err)
	panic(halted{})
}
