package flow

import "github.com/tributary-agents/tributary/durable"

// Branch is code that [Go] has begun, and that runs beside the code that began it.
type Branch[T any] struct {
	name    string
	pending *Pending
}

// Go begins f beside the code that follows the call: whenever one of the two waits, the other may
// continue. Only one runs at a time, so they can share variables. A branch has a journal of its
// own. Like all code, f is run again in a later life until it has returned; from then on its
// result, as JSON, comes from the journal.
//
// If the whole code ends and has not waited for a branch, the branch is cancelled.
func Go[T any](c Awaiter, name string, f func() (T, error)) *Branch[T] {
	return &Branch[T]{name: branchOf + name, pending: c.context().Await(branchOp(c, name, nil, f))}
}

// branchOp is the operation of a branch. If failed is not nil, the branch alone ends with an error that
// would end the whole routine, and failed is told of it.
func branchOp[T any](c Awaiter, name string, failed func(tx *durable.Tx, err error), f func() (T, error)) Op {
	r := c.context().routine
	limits := r.running().limits
	name = branchOf + name
	begin := func(_ *durable.Tx, key Key) {
		s := r.addCoroutine(key.Position, limits, func() {
			v, err := f()
			r.running()
			result, reason, failure := encode(name, v, err)
			r.journal.complete(r.tx, r.journal.entries[key.Position], result, reason, failure)
		})
		if failed != nil {
			s.contain = func(err error) {
				if e := r.journal.entries[key.Position]; e.ended == 0 {
					failed(r.tx, err)
					r.journal.complete(r.tx, e, nil, "", errorText(err))
				}
				r.cancelIn(key.Position, Left)
			}
		}
	}
	return Op{Name: name, Begin: begin, Again: begin, Cancel: r.cancelBranch, Around: true}
}

// cancelBranch cancels the operations of a branch and ends the branch where it waits.
func (r *Routine) cancelBranch(_ *durable.Tx, key Key, why Reason) {
	r.cancelIn(key.Position, why)
	for _, s := range r.coroutines {
		if s.branch == key.Position {
			r.halt(s)
		}
	}
}

// cancelIn cancels the operations of a branch.
func (r *Routine) cancelIn(branch int, why Reason) {
	for _, e := range r.journal.newest() {
		switch {
		case e.branch != branch:
		case e.step != nil:
			r.cancelStep(e, why)
		default:
			r.cancel(e, why)
		}
	}
}

// Wait returns the branch's result as soon as the branch has returned. Its error keeps the text,
// and whether it is an [ErrTimeout] or [ErrCancelled].
func (b *Branch[T]) Wait() (T, error) { return decode[T](b.name, b.pending.Wait) }

// Cancel ends the branch where it waits, and cancels its operations. It does nothing to a branch
// that has returned.
func (b *Branch[T]) Cancel() { b.pending.cancel() }

func (p *Pending) cancel() {
	r := p.routine
	r.running()
	if e := r.journal.entries[p.position]; e != nil { // otherwise the step around it has ended
		r.cancel(e, Cancelled)
	}
	r.running() // the running branch may have cancelled itself
}

// All waits for branches. It returns their results in the order of the arguments, or the error of
// the first branch that has failed.
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

// First waits until the first of some branches returns, with a value or an error. It returns that
// result and cancels the other branches.
func First[T any](first *Branch[T], others ...*Branch[T]) (T, error) {
	all := append([]*Branch[T]{first}, others...)
	positions := make([]int, len(all))
	for i, b := range all {
		positions[i] = b.pending.position
	}
	i := first.pending.routine.first(positions...)
	if i < 0 {
		return first.Wait() // returns the error of the time limit
	}
	for n, b := range all {
		if n != i {
			b.Cancel()
		}
	}
	return all[i].Wait()
}

// Waitable is what [Next] waits for: a [*Branch] of any type, a [*Pending], or a [*PendingFetch].
type Waitable interface{ awaited() *Pending }

func (b *Branch[T]) awaited() *Pending { return b.pending }

func (p *Pending) awaited() *Pending { return p }

// Next waits until one of some branches has returned, and returns its number in the list. It
// cancels none. Of several that have returned it chooses the one that was first, so that code which
// is run again chooses the same. The caller leaves out what it has handled. Next returns -1 if a
// time limit is over, or if there is nothing to wait for.
func Next(branches ...Waitable) int {
	if len(branches) == 0 {
		return -1
	}
	positions := make([]int, len(branches))
	for i, b := range branches {
		positions[i] = b.awaited().position
	}
	return branches[0].awaited().routine.first(positions...)
}
