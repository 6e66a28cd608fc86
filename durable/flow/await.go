package flow

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// Context is what code awaits with. It is good in the code that it was given to and in
// the branches of that, and nowhere else.
type Context struct{ routine *Routine }

// Awaiter is a [Context], or what embeds one.
type Awaiter interface{ context() *Context }

func (c *Context) context() *Context { return c }

// Branch returns the position of the branch that the code is in, or [Trunk], for names
// that shall not depend on which branch comes first.
func (c *Context) Branch() int { return c.routine.running().branch }

// Op is something that code can await. Its functions add commands or rows; they do not
// wait.
type Op struct {
	// Name tells ops apart in the journal.
	Name string
	// Begin starts it, the first time. Whoever ends it calls [Complete] with the
	// key.
	Begin func(tx *durable.Tx, key Key)
	// Again starts it in a later life of the routine, if it had not ended. Nil does
	// nothing, for what goes on by itself.
	Again func(tx *durable.Tx, key Key)
	// Cancel ends what was begun and has not ended. The await has, before it is called.
	// Nil does nothing.
	Cancel func(tx *durable.Tx, key Key, why Reason)
}

// Pending is an op that was begun.
type Pending struct {
	routine  *Routine
	position int
}

// Await begins an op and returns at once; several can be under way.
func (c *Context) Await(op Op) *Pending {
	r := c.routine
	s := r.running()
	e, fresh := r.ask(s, op.Name)
	if fresh && r.overSince(s.limits) > 0 {
		complete(r.tx, e.key, nil, late, late.words())
		r.journal.look(r.tx, e)
	}
	if e.ended == 0 {
		e.op, e.limits = &op, slices.Clone(s.limits)
		r.start(e, fresh)
	}
	return &Pending{routine: r, position: e.key.Position}
}

// ask finds the await that a strand has come to in the journal, or writes its row.
func (r *Routine) ask(s *strand, name string) (e *entry, fresh bool) {
	name = strings.ToValidUTF8(name[:min(len(name), maxName)], "")
	e = r.journal.find(s.branch, s.place)
	switch {
	case e != nil && e.name != name:
		panic(ending{&DivergedError{Key: e.key, Code: r.code, Was: e.name, Asked: name}})
	case e != nil:
	case r.journal.next >= MaxAwaits:
		panic(ending{fmt.Errorf("%s awaits more than %d times", r.code, MaxAwaits)})
	case r.journal.bytes > MaxJournal:
		panic(ending{fmt.Errorf("what %s has awaited holds %d bytes, at most %d", r.code, r.journal.bytes, MaxJournal)})
	default:
		e, fresh = r.journal.begin(r.tx, s.branch, s.place, name), true
	}
	s.place++
	return e, fresh
}

// start has an op begin, or go on in this life.
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

// Wait returns what the op has brought, as soon as it has. A failure is an
// [*Error].
func (p *Pending) Wait() ([]byte, error) {
	e := p.routine.journal.entries[p.position]
	if p.routine.first(p.position) < 0 && e.reason != late {
		return nil, &Error{Op: e.name, Message: TimedOut.words(), Reason: TimedOut}
	}
	return e.outcome()
}

// do is an await that ends at once: nothing is waited for, and no time limit concerns
// it.
func (c *Context) do(name string, f func(tx *durable.Tx) (result []byte, reason Reason, failure string)) *entry {
	r := c.routine
	s := r.running()
	e, _ := r.ask(s, name)
	if e.ended > 0 {
		return e
	}
	s.doing = name
	result, reason, failure := f(r.tx)
	s.doing = ""
	r.running() // it may have stopped the code that it is part of
	complete(r.tx, e.key, result, reason, failure)
	r.journal.look(r.tx, e)
	return e
}
