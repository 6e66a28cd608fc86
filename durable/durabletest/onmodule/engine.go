// Package onmodule runs the objects of a test on the WebAssembly module of the test's own project,
// under wazero. It builds the module as a deployment does, without the network. The go command and
// wazero keep what they have compiled, so that an unchanged module takes about a second.
package onmodule

import (
	"context"
	"sync"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/wasm/host"
)

// Option changes what [Engine] and [RunScripts] do.
type Option func(*settings)

type settings struct {
	main string
	seed uint32
}

// Main chooses the main package of the module: an import path, or a path that begins with "./" and
// is relative to the folder of go.mod. It defaults to the package in that folder.
func Main(path string) Option { return func(s *settings) { s.main = path } }

// Seed determines all randomness. It defaults to 1.
func Seed(seed uint32) Option { return func(s *settings) { s.seed = seed } }

func settingsOf(options []Option) settings {
	s := settings{main: ".", seed: 1}
	for _, o := range options {
		o(&s)
	}
	return s
}

// Engine returns an engine that runs objects on the module of the project that the working
// directory belongs to. It ends with the test at the latest. If the module does not build, the test
// fails with the compiler's message.
func Engine(t testing.TB, options ...Option) durabletest.Inspector {
	t.Helper()
	s := settingsOf(options)
	p, err := programOf(s.main)
	if err != nil {
		t.Fatal(err)
	}
	m, err := p.take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	e := &engine{Engine: host.NewEngine(m, host.EngineOptions{Seed: s.seed}), log: t.Logf}
	e.free = sync.OnceValue(func() error {
		defer p.put(m)
		return e.Engine.Close()
	})
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

// engine logs traps, and gives its module back when it is closed.
type engine struct {
	*host.Engine
	log  func(format string, args ...any)
	free func() error
}

// Step implements [durabletest.Engine].
func (e *engine) Step(object string, at int64, opened durable.Opened, event durable.Event) ([]durable.Command, error) {
	commands, err := e.Engine.Step(object, at, opened, event)
	if err != nil {
		e.log("%s: %v", object, err)
	}
	return commands, err
}

// Close implements [durabletest.Engine].
func (e *engine) Close() error { return e.free() }

// program is a main package. Its modules are compiled for wazero and not in use. A module is for
// one goroutine at a time, so parallel tests have one each.
type program struct {
	build func() (built, error)

	mu   sync.Mutex
	idle []*host.Module
}

// take returns a module that nothing else uses.
func (p *program) take(ctx context.Context) (*host.Module, error) {
	b, err := p.build()
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.idle); n > 0 {
		m := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return m, nil
	}
	m, err := host.Compile(context.WithoutCancel(ctx), b.code, host.Options{CacheDir: b.cache})
	if err != nil {
		return nil, err
	}
	return m, prune(b.cache)
}

// put keeps a module for a later test. It is freed with the process.
func (p *program) put(m *host.Module) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, m)
}
