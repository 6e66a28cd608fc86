package host

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/wasm/quickjs"
)

// ErrDead is the error of an instance after a [Trap].
var ErrDead = errors.New("host: this instance is dead")

// Trap says that a call has ended its instance: a panic, an exit, or a fatal error of Go's runtime.
// Nothing that the call wrote may be committed.
type Trap struct {
	// Said is what the module wrote before it died, if anything.
	Said string
	Err  error
}

func (t *Trap) Error() string {
	if t.Said != "" {
		return "host: trap: " + t.Said
	}
	return "host: trap: " + t.Err.Error()
}

// Loss returns the loss for the object whose event trapped.
func (t *Trap) Loss() durable.Loss {
	if strings.Contains(t.Error(), "out of memory") {
		return durable.LostByMemory
	}
	return durable.LostByTrap
}

// Unwrap returns wazero's error.
func (t *Trap) Unwrap() error { return t.Err }

// Instance is one instance of a module with its linear memory. It is dead after a trap: Go's memory
// is then in an unknown state, although calls would still return, with wrong results.
type Instance struct {
	ports   Ports
	module  api.Module
	storage durable.Storage
	// texts are the statements that are numbered, from 1.
	texts []string
	// scripts runs the scripts of the module, from the first one on.
	scripts *quickjs.Host
	kept    []byte
	said    strings.Builder
	dead    bool
}

// Instantiate makes and starts an instance.
func (m *Module) Instantiate(ctx context.Context, ports Ports) (*Instance, error) {
	in := &Instance{ports: ports}
	clock := &clock{now: ports.Now}
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize").
		WithRandSource(reader(ports.Seed)).
		WithWalltime(clock.wall, 1).WithNanotime(clock.read, 1).WithNanosleep(clock.wait).
		WithStdout(&in.said).WithStderr(&in.said)
	var err error
	in.module, err = m.runtime.InstantiateModule(context.WithValue(ctx, callerKey{}, in), m.compiled, config)
	if err != nil {
		return nil, &Trap{Said: strings.TrimSpace(in.said.String()), Err: err}
	}
	return in, nil
}

// Size returns the size of the linear memory in bytes. It never shrinks.
func (in *Instance) Size() int { return int(in.module.Memory().Size()) }

// Open makes the in-memory part of an object. occurrence holds an Opened. Open returns the bytes of
// the reply, which the caller owns.
func (in *Instance) Open(ctx context.Context, object uint32, occurrence []byte, s durable.Storage) ([]byte, error) {
	return in.deliver(ctx, "open", object, occurrence, s)
}

// Step handles one event of an object, and returns the bytes of the reply.
func (in *Instance) Step(ctx context.Context, object uint32, occurrence []byte, s durable.Storage) ([]byte, error) {
	return in.deliver(ctx, "step", object, occurrence, s)
}

// Drop drops the in-memory part of an object.
func (in *Instance) Drop(ctx context.Context, object uint32) error {
	_, err := in.call(ctx, "close", uint64(object))
	return err
}

// Close frees the instance and its scripts.
func (in *Instance) Close(ctx context.Context) error {
	in.dead = true
	if in.scripts != nil {
		in.scripts.Close()
	}
	return in.module.Close(ctx)
}

func (in *Instance) deliver(ctx context.Context, verb string, object uint32, occurrence []byte, s durable.Storage) ([]byte, error) {
	ptr, err := in.call(ctx, "alloc", uint64(len(occurrence)))
	if err != nil {
		return nil, err
	}
	if ptr == 0 {
		return nil, fmt.Errorf("host: the module takes no event of %d bytes", len(occurrence))
	}
	copy(view(in.module, ptr, uint32(len(occurrence))), occurrence)
	in.storage = s
	defer func() { in.storage = nil }()
	reply, err := in.call(ctx, verb, uint64(object), uint64(ptr), uint64(len(occurrence)))
	if err != nil {
		return nil, err
	}
	length := binary.LittleEndian.Uint32(view(in.module, reply, 4))
	bytes := append([]byte(nil), view(in.module, reply+4, length)...)
	in.trace(verb, occurrence, bytes)
	return bytes, nil
}

func (in *Instance) call(ctx context.Context, export string, params ...uint64) (uint32, error) {
	if in.dead {
		return 0, ErrDead
	}
	in.said.Reset()
	results, err := in.module.ExportedFunction(export).Call(context.WithValue(ctx, callerKey{}, in), params...)
	if err != nil {
		return 0, errors.Join(&Trap{Said: strings.TrimSpace(in.said.String()), Err: err}, in.Close(ctx))
	}
	if len(results) == 0 {
		return 0, nil
	}
	return uint32(results[0]), nil
}
