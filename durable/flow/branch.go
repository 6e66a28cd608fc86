package flow

import "github.com/tributary-agents/tributary/durable"

// Branch is a piece of code that was begun by [Go], and goes on beside what began it.
type Branch[T any] struct {
	name    string
	pending *Pending
}

// Go begins f beside the code that goes on behind it: whenever one of the two waits, the
// other may go on. Only one runs at a time, so that they can share variables. A branch
// has a journal of its own, and f is run again like all code, until it has returned;
// from then on its result, as JSON, comes from the journal.
//
// A branch that nobody has waited for when the whole code ends is cancelled.
func Go[T any](c Awaiter, name string, f func() (T, error)) *Branch[T] {
	r := c.context().routine
	limits := r.running().limits
	name = "branch " + name
	begin := func(_ *durable.Tx, key Key) {
		r.strand(key.Position, limits, func() {
			v, err := f()
			r.running()
			result, reason, failure := encode(name, v, err)
			complete(r.tx, key, result, reason, failure)
			r.journal.look(r.tx, r.journal.entries[key.Position])
		})
	}
	return &Branch[T]{name: name, pending: c.context().Await(Op{Name: name, Begin: begin, Again: begin, Cancel: r.fell})}
}

// fell cancels what a branch has begun and ends it where it waits.
func (r *Routine) fell(_ *durable.Tx, key Key, why Reason) {
	for _, e := range r.journal.newest() {
		if e.branch == key.Position {
			r.cancel(e, why)
		}
	}
	for _, s := range r.strands {
		if s.branch == key.Position {
			r.halt(s)
		}
	}
}

// Wait returns what the branch has returned, as soon as it has. Its error is told in
// words; that it is an [ErrTimeout] or [ErrCancelled] is kept.
func (b *Branch[T]) Wait() (T, error) { return decode[T](b.name, b.pending.Wait) }

// Cancel ends the branch where it waits, and cancels what it has begun. A branch that
// has returned has returned.
func (b *Branch[T]) Cancel() {
	r := b.pending.routine
	r.running()
	r.cancel(r.journal.entries[b.pending.position], Cancelled)
	r.running() // the branch may have been the one that runs
}

// All waits for branches, and returns what they have returned in the order of the
// arguments, or the error of the first of them that has failed.
func All[T any](branches ...*Branch[T]) ([]T, error) {
	all := make([]T, len(branches))
	for i, b := range branches {
		v, err := b.Wait()
		if err != nil {
			return nil, err
		}
		all[i] = v
	}
	return all, nil
}

// First waits for the first of some branches to return, with a value or an error,
// returns that, and cancels the others.
func First[T any](first *Branch[T], others ...*Branch[T]) (T, error) {
	all := append([]*Branch[T]{first}, others...)
	positions := make([]int, len(all))
	for i, b := range all {
		positions[i] = b.pending.position
	}
	i := first.pending.routine.first(positions...)
	if i < 0 {
		return first.Wait() // which says that the time is over
	}
	for n, b := range all {
		if n != i {
			b.Cancel()
		}
	}
	return all[i].Wait()
}
