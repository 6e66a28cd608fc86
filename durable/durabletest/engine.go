package durabletest

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable"
)

// Engine runs objects, each with storage of its own.
type Engine interface {
	// Step delivers one event to an object. Where the object's in-memory part is
	// not there (any more), opened is delivered first, and its commands come
	// first; a nil event does nothing but that. An error is a trap: the event's
	// transaction was rolled back, and everything in memory is gone.
	Step(object string, at int64, opened durable.Opened, event durable.Event) ([]durable.Command, error)
	// Evict throws an object's in-memory part away. Its storage stays.
	Evict(object string)
	// Awake says whether an object's in-memory part is there.
	Awake(object string) bool
	// Close frees the engine and all storage.
	Close() error
}

// Keeper is an engine that lets the world look inside.
type Keeper interface {
	Engine
	// Storage returns the storage of an object.
	Storage(object string) (*SQLite, error)
}

// Native is the engine that runs objects in this process.
type Native struct {
	classes map[string]durable.Class
	random  durable.Random
	cells   map[string]*cell
	// pool is where storage comes from and goes to, or nil.
	pool *Pool
}

type cell struct {
	storage *SQLite
	object  durable.Object
	containment
	// alone says that the object lives in an instance of its own.
	alone bool
}

// NewNative returns an engine for some classes. Seed decides all randomness.
func NewNative(seed uint32, classes ...durable.Class) *Native {
	n := &Native{classes: map[string]durable.Class{}, random: Rand(seed), cells: map[string]*cell{}}
	for _, c := range classes {
		n.classes[c.Name] = c
	}
	return n
}

// Draw makes the engine take storage out of a pool, and put it back when it is closed.
func (n *Native) Draw(p *Pool) { n.pool = p }

// Step implements [Engine].
func (n *Native) Step(object string, at int64, opened durable.Opened, event durable.Event) ([]durable.Command, error) {
	c, err := n.cell(object)
	if err != nil {
		return nil, err
	}
	var commands []durable.Command
	if c.object == nil {
		class, ok := n.classes[opened.Class]
		if !ok {
			return nil, fmt.Errorf("durabletest: no class %q", opened.Class)
		}
		c.object, c.alone = class.New(), c.apart(at)
		if commands, err = n.event(c, at, opened); err != nil {
			return nil, err
		}
	}
	if event == nil {
		return commands, nil
	}
	more, err := n.event(c, at, event)
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
	n.cells[object] = &cell{storage: storage}
	return n.cells[object], nil
}

func (n *Native) open() (*SQLite, error) {
	if n.pool != nil {
		return n.pool.Open()
	}
	return OpenSQLite("")
}

// event lets one event happen in one transaction. A panic is a trap: it takes
// every object of the instance with it, as it would in the module; who traps again gets an
// instance of its own.
func (n *Native) event(c *cell, at int64, event durable.Event) (commands []durable.Command, err error) {
	if err := c.storage.Begin(); err != nil {
		return nil, err
	}
	defer func() {
		if p := recover(); p != nil {
			n.evictWith(c)
			c.trap(at)
			commands, err = nil, fmt.Errorf("durabletest: trap: %v", p)
			if failed := c.storage.Rollback(); failed != nil {
				panic(failed)
			}
		}
	}()
	tx := durable.NewTx(at, c.storage, n.random)
	c.object.Step(tx, event)
	if err := c.storage.Commit(); err != nil {
		c.object = nil // which may be ahead of storage
		return nil, fmt.Errorf("durabletest: commit: %w", err)
	}
	return tx.Commands(), nil
}

// evictWith takes the instance in which an object lives.
func (n *Native) evictWith(c *cell) {
	if c.alone {
		c.object = nil
		return
	}
	for _, other := range n.cells {
		if !other.alone {
			other.object = nil
		}
	}
}

// Evict implements [Engine].
func (n *Native) Evict(object string) {
	c, ok := n.cells[object]
	if !ok {
		return
	}
	if d, ok := c.object.(durable.Dropper); ok {
		d.Drop()
	}
	c.object = nil
}

// Awake implements [Engine].
func (n *Native) Awake(object string) bool {
	c, ok := n.cells[object]
	return ok && c.object != nil
}

// Storage implements [Keeper].
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
