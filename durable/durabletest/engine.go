package durabletest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// RefusedError says that an object was not opened, because a newer version of the program wrote its
// storage, or because the program does not have its class. Nothing was written, and no other object
// has lost its memory.
type RefusedError struct{ Reason string }

// Error implements error.
func (e RefusedError) Error() string { return "the object was not opened: " + e.Reason }

// Engine runs objects, each with storage of its own.
type Engine interface {
	// Step delivers one event to an object. If the object is not in memory, opened is delivered
	// first, and its commands come first. A nil event delivers only opened. An error is a
	// [RefusedError] or a trap: the event's transaction was rolled back, and all memory is lost.
	Step(object string, at int64, opened durable.Opened, event durable.Event) ([]durable.Command, error)
	// Evict discards an object's in-memory part. Its storage stays.
	Evict(object string)
	// Awake says whether an object is in memory.
	Awake(object string) bool
	// Expire ends the instances that have drained long enough at a time, and moves recovered trees
	// back, as Step does before its event. It says whether an object has lost its in-memory part.
	// Call it before Awake for the next event.
	Expire(at int64) bool
	// Close frees the engine and all storage.
	Close() error
}

// Inspector is an engine that gives access to the objects' storage.
type Inspector interface {
	Engine
	// Storage returns the storage of an object.
	Storage(object string) (*SQLite, error)
}

// Native is the engine that runs objects in this process.
type Native struct {
	classes map[string]durable.Class
	random  durable.Random
	cells   map[string]*cell
	costs   Costs
	containment
	// pool is where storage is taken from and returned to, or nil.
	pool *Pool
}

type cell struct {
	name    string
	storage *SQLite
	object  durable.Object
	// tree names the root of the object's tree. instance is the one in which the object was opened.
	tree     string
	instance *instance
	// busy says that leaving the instance would interrupt work, and watched that the next event is
	// announced.
	busy, watched bool
}

// NewNative returns an engine for some classes. seed determines all randomness.
func NewNative(seed uint32, classes ...durable.Class) *Native {
	n := &Native{classes: map[string]durable.Class{}, random: Rand(seed), cells: map[string]*cell{}, costs: Costs{}}
	for _, c := range classes {
		n.classes[c.Name] = c
	}
	return n
}

// Draw makes the engine take storage from a pool, and return it when the engine is closed.
func (n *Native) Draw(p *Pool) { n.pool = p }

// Step implements [Engine].
func (n *Native) Step(object string, at int64, opened durable.Opened, event durable.Event) ([]durable.Command, error) {
	c, err := n.cell(object)
	if err != nil {
		return nil, err
	}
	n.costs.Arrived(object, c.storage, at, event)
	var commands []durable.Command
	n.expireAt(at)
	if !n.here(c) {
		class, ok := n.classes[opened.Class]
		if !ok {
			return nil, fmt.Errorf("durabletest: no class %q", opened.Class)
		}
		c.discard()
		c.object, c.instance, c.busy, c.watched = class.New(), n.containment.pool(c.tree).get(), false, false
		if commands, err = n.event(c, at, opened); err != nil {
			return nil, err
		}
		if c.watched {
			resumed, err := n.announced(c, at, durable.TimerFired{Timer: durable.Resumed})
			if commands = append(commands, resumed...); err != nil {
				return commands, err
			}
		}
	}
	if event == nil {
		return commands, nil
	}
	more, err := n.announced(c, at, event)
	return append(commands, more...), err
}

func (n *Native) cell(object string) (*cell, error) {
	if c, ok := n.cells[object]; ok {
		return c, nil
	}
	storage, err := n.open()
	if err != nil {
		return nil, fmt.Errorf("durabletest: storage of %s: %w", object, err)
	}
	root, _, _ := strings.Cut(object, "/")
	n.cells[object] = &cell{name: object, storage: storage, tree: root}
	return n.cells[object], nil
}

func (n *Native) open() (*SQLite, error) {
	if n.pool != nil {
		return n.pool.Open()
	}
	return OpenSQLite("")
}

// announced delivers an event, behind its announcement if the object is watched.
func (n *Native) announced(c *cell, at int64, event durable.Event) ([]durable.Command, error) {
	if c.watched {
		if _, err := n.event(c, at, durable.TimerFired{Timer: durable.Announced}); err != nil {
			return nil, err
		}
	}
	return n.event(c, at, event)
}

// event delivers one event in one transaction. A panic is a trap: every object of the instance
// loses its memory, as in the module. A tree that traps repeatedly gets an instance of its own.
func (n *Native) event(c *cell, at int64, event durable.Event) (commands []durable.Command, err error) {
	if err := c.storage.Begin(); err != nil {
		return nil, err
	}
	defer func() {
		if p := recover(); p != nil {
			commands = nil
			if p == ErrKilled {
				n.kill()
				err = ErrKilled
			} else if newer, ok := p.(durable.NewerStorage); ok {
				c.discard()
				err = RefusedError{newer.Error()}
			} else {
				n.died(c.tree, c.instance, at)
				n.discardDead()
				err = fmt.Errorf("durabletest: trap: %v", p)
			}
			if failed := c.storage.Rollback(); failed != nil {
				panic(failed)
			}
		}
	}()
	tx := durable.NewTx(at, n.costs.Meter(c.name, c.storage), n.random)
	c.object.Step(tx, event)
	if err := c.storage.Commit(); err != nil {
		c.discard() // its memory may be ahead of storage
		return nil, fmt.Errorf("durabletest: commit: %w", err)
	}
	load := c.object.Load()
	c.busy, c.watched = load.Busy, load.Watched
	n.costs.Performed(c.name, tx.Commands())
	return tx.Commands(), nil
}

// here says whether an object's next event happens in the instance where the object is. That is so
// if the instance is still handed out, or if the object is busy there.
func (n *Native) here(c *cell) bool {
	if c.object == nil || c.instance.dead {
		return false
	}
	return c.busy || c.instance == n.containment.pool(c.tree).instance
}

// Evict implements [Engine].
func (n *Native) Evict(object string) {
	c, ok := n.cells[object]
	if !ok {
		return
	}
	c.discard()
	n.costs.Evicted(object)
}

// discard discards a cell's object. Code that waits in it is ended: a coroutine that nobody ends stays in memory, with all
// that it refers to.
func (c *cell) discard() {
	d, ok := c.object.(durable.Dropper)
	c.object = nil
	if !ok {
		return
	}
	defer func() { _ = recover() }() // a deferred function of the code may panic, and there is nobody left to be told
	d.Drop()
}

// discardDead discards the objects of all instances that have ended. It goes by their names, because the code that ends
// may do something.
func (n *Native) discardDead() {
	var dead []string
	for name, c := range n.cells {
		if c.object != nil && c.instance.dead {
			dead = append(dead, name)
		}
	}
	slices.Sort(dead)
	for _, name := range dead {
		n.cells[name].discard()
	}
}

// expireAt ends instances whose time is over at a time.
func (n *Native) expireAt(at int64) {
	n.expire(at)
	n.discardDead()
}

// Awake implements [Engine].
func (n *Native) Awake(object string) bool {
	c, ok := n.cells[object]
	return ok && n.here(c)
}

// Expire implements [Engine].
func (n *Native) Expire(at int64) bool {
	before := n.inMemory()
	n.expireAt(at)
	return n.inMemory() < before
}

// inMemory returns how many objects are in memory.
func (n *Native) inMemory() int {
	count := 0
	for _, c := range n.cells {
		if n.here(c) {
			count++
		}
	}
	return count
}

// Storage implements [Inspector].
func (n *Native) Storage(object string) (*SQLite, error) {
	c, err := n.cell(object)
	if err != nil {
		return nil, err
	}
	return c.storage, nil
}

// Close implements [Engine].
func (n *Native) Close() error {
	for _, c := range n.cells {
		c.discard()
		if err := n.free(c.storage); err != nil {
			return err
		}
	}
	return nil
}

func (n *Native) free(s *SQLite) error {
	if n.pool != nil {
		return n.pool.Put(s)
	}
	return s.Close()
}
