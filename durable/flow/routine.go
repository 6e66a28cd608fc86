package flow

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"github.com/tributary-agents/tributary/durable"
)

// Func is straight-line code. Its result is JSON.
type Func func(c *Context) (json.RawMessage, error)

// Routine is the in-memory part of code that is under way.
type Routine struct {
	context *Context
	next    func() (struct{}, bool)
	stop    func()
	done    bool
	result  json.RawMessage
	err     error
}

// errStopped unwinds code whose routine was stopped.
var errStopped = errors.New("flow: stopped")

// Start runs code until it waits or ends, over the journal that its id has.
func Start(tx *durable.Tx, id string, code Func) *Routine {
	r := &Routine{context: &Context{routine: id, entries: read(tx, id)}}
	r.next, r.stop = iter.Pull(func(yield func(struct{}) bool) {
		r.context.yield = yield
		r.result, r.err = guard(code, r.context)
		r.done = true
	})
	r.Resume(tx)
	return r
}

// guard runs code and turns what unwinds it into its error. Other panics go on:
// they are traps.
func guard(code Func, c *Context) (result json.RawMessage, err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case error:
			var diverged *DivergedError
			if p != errStopped && !errors.As(p, &diverged) {
				panic(p)
			}
			result, err = nil, p
		default:
			panic(p)
		}
	}()
	return code(c)
}

// Resume lets the code go on as far as what it awaits has been journaled.
func (r *Routine) Resume(tx *durable.Tx) {
	if r.done {
		return
	}
	r.context.tx = tx
	r.context.refresh()
	r.next()
	r.context.tx = nil
}

// Done returns what the code has returned, once it has.
func (r *Routine) Done() (result json.RawMessage, err error, done bool) {
	return r.result, r.err, r.done
}

// Stop ends the code where it waits. Its journal stays.
func (r *Routine) Stop() {
	if !r.done {
		r.stop()
	}
}

// Context is what code awaits with.
type Context struct {
	routine string
	entries []entry
	next    int
	tx      *durable.Tx
	yield   func(struct{}) bool
}

// Op is something that code can await. Both functions add commands or rows; they
// do not wait.
type Op struct {
	// Name tells ops apart in the journal.
	Name string
	// Begin starts it, the first time. Whoever ends it calls [Complete] with the
	// key.
	Begin func(tx *durable.Tx, key Key)
	// Again starts it in a later life of the routine, if it had not ended. Nil does
	// nothing, for what goes on by itself.
	Again func(tx *durable.Tx, key Key)
}

// Pending is an op that was begun.
type Pending struct {
	context  *Context
	position int
}

// Await begins an op and returns at once; several can be under way.
func (c *Context) Await(op Op) *Pending {
	position := c.next
	c.next++
	key := Key{Routine: c.routine, Position: position}
	switch {
	case position == len(c.entries):
		begun(c.tx, key, op.Name)
		c.entries = append(c.entries, entry{name: op.Name})
		op.Begin(c.tx, key)
		c.refresh()
	case c.entries[position].name != op.Name:
		panic(&DivergedError{Key: key, Was: c.entries[position].name, Asked: op.Name})
	case !c.entries[position].done && op.Again != nil:
		op.Again(c.tx, key)
		c.refresh()
	}
	return &Pending{context: c, position: position}
}

// refresh reads what has been completed since.
func (c *Context) refresh() {
	for _, e := range c.entries {
		if !e.done {
			c.entries = read(c.tx, c.routine)
			return
		}
	}
}

// Wait returns what the op has brought, as soon as it has. A failure is an
// [*Error].
func (p *Pending) Wait() ([]byte, error) {
	c := p.context
	for !c.entries[p.position].done {
		if !c.yield(struct{}{}) {
			panic(errStopped)
		}
	}
	e := c.entries[p.position]
	if e.failure != "" {
		return e.result, &Error{Op: e.name, Message: e.failure}
	}
	return e.result, nil
}

// Error is an awaited op's failure.
type Error struct{ Op, Message string }

func (e *Error) Error() string { return e.Message }

// Step runs a function once and journals what it returns: in every later life of
// the code the result comes from the journal. The function must not await.
func Step[T any](c *Context, name string, f func(tx *durable.Tx) (T, error)) (T, error) {
	var value T
	data, err := c.Await(Op{Name: "step " + name, Begin: func(tx *durable.Tx, key Key) {
		v, err := f(tx)
		failure := ""
		if err != nil {
			failure = err.Error()
		}
		encoded, err := json.Marshal(v)
		if err != nil {
			failure = fmt.Sprintf("result of step %s: %v", name, err)
		}
		Complete(tx, key, encoded, failure)
	}}).Wait()
	if err != nil {
		return value, err
	}
	if err := json.Unmarshal(data, &value); err != nil {
		return value, fmt.Errorf("flow: result of step %s: %w", name, err)
	}
	return value, nil
}
