package flow

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// Context is what code awaits with. It is valid in the code that it was given to and in the
// branches of that code, and nowhere else.
type Context struct{ routine *Routine }

// Awaiter is what the functions of this package take: a [Context], or a type that embeds one, such
// as the Context of package agent.
type Awaiter interface{ context() *Context }

func (c *Context) context() *Context { return c }

// Branch returns the position of the branch, or of the attempt of a step, that the code is in, or
// [Main]. It is for names that must not depend on which branch runs first.
func (c *Context) Branch() int { return c.routine.running().in }

// Op is an operation that code can await. Its functions add commands or rows; they do not wait.
type Op struct {
	// Name tells ops apart in the journal.
	Name string
	// Begin starts the operation, the first time. The code that ends it calls [Complete] with the
	// key.
	Begin func(tx *durable.Tx, key Key)
	// Again starts the operation in a later life of the routine, if it has not ended. Nil is for an
	// operation that goes on by itself.
	Again func(tx *durable.Tx, key Key)
	// Person says that a person ends the operation. Code that waits for nothing else can be put away,
	// see [Routine.WaitsForPeople].
	Person bool
	// Asks says whether the operation, which goes on elsewhere, waits for a person now. Nil means never.
	// It is asked for the time of guarded code only, see [Guard].
	Asks func(tx *durable.Tx) bool
	// FromParent says that the parent of a helper brings the end of the operation. A helper whose code waits
	// for nothing else can be left alone until then, see [Routine.AwaitsParent].
	FromParent bool
	// Around says that the operation is around others, and that no code waits for it alone: a branch, a
	// time limit.
	Around bool
	// Cancel ends an operation that has begun and not ended. The await has ended before Cancel is
	// called. Nil does nothing.
	Cancel func(tx *durable.Tx, key Key, why Reason)
	// signal is the name of the signal that the operation waits for, see [Receive].
	signal string
}

// Pending is an operation that has begun.
type Pending struct {
	routine  *Routine
	position int
}

// Await begins an operation and returns at once. Several can be under way.
func (c *Context) Await(op Op) *Pending {
	r := c.routine
	s := r.running()
	e, fresh := r.findAwait(s, op.Name, false)
	if e.again && e.ended == 0 {
		fresh = true
		r.journal.beginCopied(r.tx, e)
	}
	if fresh && r.overSince(s.limits) > 0 {
		r.journal.complete(r.tx, e, nil, neverStarted, neverStarted.text())
	}
	if e.ended == 0 {
		e.op, e.limits = &op, slices.Clone(s.limits)
		if op.signal != "" {
			r.addReceiver(e)
		}
		r.start(e, fresh)
	}
	return &Pending{routine: r, position: e.key.Position}
}

// findAwait finds the journal entry of the await that a coroutine has reached, or writes its row.
func (r *Routine) findAwait(s *coroutine, name string, isStep bool) (e *entry, fresh bool) {
	name = strings.ToValidUTF8(name[:min(len(name), maxName)], "")
	e = r.journal.find(s.in, s.place)
	switch {
	case e != nil && e.name != name:
		panic(ending{&DivergedError{Key: e.key, Code: r.code, Was: e.name, Asked: name}})
	case e != nil:
	case r.journal.full(r.journal.stepAround(s.in) != nil):
		panic(ending{fmt.Errorf("%s awaits more than %d times", r.code, MaxAwaits)})
	case r.journal.bytes > MaxJournal:
		panic(ending{fmt.Errorf("what %s has awaited holds %d bytes, at most %d", r.code, r.journal.bytes, MaxJournal)})
	default:
		e, fresh = r.journal.begin(r.tx, s.in, s.place, name, isStep), true
	}
	s.place++
	return e, fresh
}

// start begins an operation, or resumes it in this life.
func (r *Routine) start(e *entry, fresh bool) {
	switch {
	case fresh:
		e.op.Begin(r.tx, e.key)
	case e.op.Again != nil:
		e.op.Again(r.tx, e.key)
	default:
		return
	}
	r.journal.look(r.tx, e)
}

// Wait returns the operation's result as soon as there is one. A failure is an [*Error].
func (p *Pending) Wait() ([]byte, error) {
	first := p.routine.first(p.position)
	e := p.routine.journal.entries[p.position]
	if first < 0 && e.reason != neverStarted {
		return nil, &Error{Op: e.name, Message: TimedOut.text(), Reason: TimedOut}
	}
	return e.outcome()
}

// do is an await that ends at once. It never waits, and no time limit applies to it.
func (c *Context) do(name string, f func(tx *durable.Tx) (result []byte, reason Reason, failure string)) *entry {
	r := c.routine
	s := r.running()
	e, _ := r.findAwait(s, name, false)
	if e.ended > 0 {
		return e
	}
	s.doing = name
	result, reason, failure := f(r.tx)
	s.doing = ""
	r.running() // f may have stopped the code that called it
	r.journal.complete(r.tx, e, result, reason, failure)
	return e
}
