package host

import (
	"context"
	"errors"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/wasm/abi"
)

// EngineOptions are the settings of an [Engine]. The zero value is valid.
type EngineOptions struct {
	// Seed determines all randomness.
	Seed uint32
	// InstancePerObject gives each object an instance of its own, instead of a shared one.
	InstancePerObject bool
	// MaxMemory is how large the memory of the shared instance may grow, in bytes, before a new
	// instance replaces it. It defaults to 48 MiB.
	MaxMemory int
	// Pool is where storage is taken from and returned to, or nil.
	Pool *durabletest.Pool
	// Log and Trace are passed to the [Ports] of each instance.
	Log   func(level abi.LogLevel, text string)
	Trace func(call string, bytes ...[]byte)
}

// Engine runs objects by name, each on storage of its own. It implements
// [durabletest.Inspector].
type Engine struct {
	module  *Module
	options EngineOptions
	ports   Ports
	shared  *containment
	objects map[string]*object
	costs   durabletest.Costs
	now     int64
}

// NewEngine returns an engine without objects. The caller still owns the module.
func NewEngine(m *Module, o EngineOptions) *Engine {
	if o.MaxMemory == 0 {
		o.MaxMemory = 48 << 20
	}
	e := &Engine{module: m, options: o, objects: map[string]*object{}, costs: durabletest.Costs{}, now: 1}
	e.ports = Ports{
		Now:    func() int64 { return e.now },
		Seed:   durabletest.Rand(^o.Seed),
		Random: durabletest.Rand(o.Seed),
		Log:    o.Log,
		Trace:  o.Trace,
	}
	e.shared = newContainment(o.MaxMemory, e.newPool)
	return e
}

// Awake implements [durabletest.Engine]. An object that the module has dropped to free memory
// counts as awake.
func (e *Engine) Awake(name string) bool {
	o, ok := e.objects[name]
	return ok && o.isOpen()
}

// Expire implements [durabletest.Engine].
func (e *Engine) Expire(at int64) bool {
	ctx := context.Background()
	before := e.inMemory()
	_ = e.shared.expire(ctx, at) // an instance that failed to close is gone as well
	for _, o := range e.objects {
		_ = o.containment.expire(ctx, at)
	}
	return e.inMemory() < before
}

// inMemory returns how many objects are in memory.
func (e *Engine) inMemory() int {
	count := 0
	for _, o := range e.objects {
		if o.isOpen() {
			count++
		}
	}
	return count
}

// Storage implements [durabletest.Inspector].
func (e *Engine) Storage(name string) (*durabletest.SQLite, error) {
	o, err := e.object(name)
	if err != nil {
		return nil, err
	}
	return o.storage, nil
}

// Step implements [durabletest.Engine]. If the event trapped, the commands returned with the error
// belong to the Opened before it, which has committed.
func (e *Engine) Step(name string, at int64, opened durable.Opened, event durable.Event) ([]durable.Command, error) {
	o, err := e.object(name)
	if err != nil {
		return nil, err
	}
	e.now = max(e.now, at)
	e.costs.Arrived(name, o.storage, at, event)
	commands, err := o.deliver(context.Background(), at, opened, event)
	e.costs.Performed(name, commands)
	if errors.Is(err, durabletest.ErrKilled) {
		err = errors.Join(err, e.kill())
	}
	return commands, err
}

// kill discards all memory, as the end of the process does. No object is told of it.
func (e *Engine) kill() error {
	for _, o := range e.objects {
		o.lost = durable.LostQuietly
	}
	return e.Restart()
}

// Evict implements [durabletest.Engine].
func (e *Engine) Evict(name string) {
	if o, ok := e.objects[name]; ok {
		_ = o.leave(context.Background(), o.instance, e.now) // the object is gone even after an error
		e.costs.Evicted(name)
	}
}

// Restart discards all instances, as a deployment does. Storage stays.
func (e *Engine) Restart() error {
	clear(e.costs)
	errs := []error{e.shared.drop(context.Background())}
	for _, o := range e.objects {
		errs = append(errs, o.containment.drop(context.Background()))
	}
	return errors.Join(errs...)
}

// Close implements [durabletest.Engine].
func (e *Engine) Close() error {
	errs := []error{e.Restart()}
	for _, o := range e.objects {
		errs = append(errs, e.free(o.storage))
	}
	return errors.Join(errs...)
}

func (e *Engine) free(s *durabletest.SQLite) error {
	if e.options.Pool != nil {
		return e.options.Pool.Put(s)
	}
	return s.Close()
}

func (e *Engine) object(name string) (*object, error) {
	if o, ok := e.objects[name]; ok {
		return o, nil
	}
	storage, err := e.open()
	if err != nil {
		return nil, err
	}
	root, _, _ := strings.Cut(name, "/")
	o := &object{containment: e.shared, tree: root, handle: uint32(len(e.objects) + 1), storage: storage, metered: e.costs.Meter(name, storage)}
	if e.options.InstancePerObject {
		o.containment = alone(e.options.MaxMemory, e.newPool)
	}
	e.objects[name] = o
	return o, nil
}

func (e *Engine) open() (*durabletest.SQLite, error) {
	if e.options.Pool != nil {
		return e.options.Pool.Open()
	}
	return durabletest.OpenSQLite("")
}

func (e *Engine) newPool(maxMemory int) *pool {
	return &pool{module: e.module, ports: e.ports, maxMemory: maxMemory}
}
