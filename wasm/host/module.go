// Package host runs the built module on wazero, as the shim does on workerd: one event is one
// transaction, a trap rolls it back and ends the instance, and every object goes on from storage in
// a new one.
//
// It is deterministic. It receives randomness and time from its caller and nothing else from
// outside, so the same events bring the same commands, bit by bit.
package host

import (
	"context"
	"errors"
	"fmt"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/tributary-agents/tributary/wasm/abi"
	"github.com/tributary-agents/tributary/wasm/cache"
)

// Options are the settings of a [Module]. The zero value is valid.
type Options struct {
	// CacheDir keeps compiled machine code between runs of a process, because compiling
	// takes seconds. It defaults to a folder of the user's cache.
	CacheDir string
	// MemoryLimit is how many bytes an instance's linear memory may grow to. It
	// defaults to 128 MiB, the memory of an isolate.
	MemoryLimit int
}

const page = 64 << 10

// Module is a compiled module, from which instances are made. A module and everything that it makes
// are for one goroutine at a time.
type Module struct {
	runtime  wazero.Runtime
	cache    wazero.CompilationCache
	compiled wazero.CompiledModule
}

// Compile compiles a module. A module of another version of the ABI is refused
// with an [abi.VersionError].
func Compile(ctx context.Context, wasm []byte, o Options) (*Module, error) {
	kept, err := cache.Open(o.CacheDir)
	if err != nil {
		return nil, fmt.Errorf("host: %w", err)
	}
	if o.MemoryLimit == 0 {
		o.MemoryLimit = 128 << 20
	}
	config := wazero.NewRuntimeConfig().WithCompilationCache(kept).WithMemoryLimitPages(uint32(o.MemoryLimit / page))
	m := &Module{runtime: wazero.NewRuntimeWithConfig(ctx, config), cache: kept}
	if err := m.compile(ctx, wasm); err != nil {
		return nil, errors.Join(err, m.Close(ctx))
	}
	return m, nil
}

func (m *Module) compile(ctx context.Context, wasm []byte) error {
	var err error
	if m.compiled, err = m.runtime.CompileModule(ctx, wasm); err != nil {
		return fmt.Errorf("host: compile: %w", err)
	}
	if err := checkVersion(m.compiled); err != nil {
		return err
	}
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, m.runtime); err != nil {
		return fmt.Errorf("host: wasi: %w", err)
	}
	return instantiateImports(ctx, m.runtime)
}

// Close frees the module and all its instances.
func (m *Module) Close(ctx context.Context) error {
	return errors.Join(m.runtime.Close(ctx), m.cache.Close(ctx))
}

func checkVersion(m wazero.CompiledModule) error {
	known := false
	for _, f := range m.ImportedFunctions() {
		namespace, _, _ := f.Import()
		if err := abi.CheckNamespace(namespace); err != nil {
			return err
		}
		known = known || namespace == abi.Namespace
	}
	if !known {
		return errors.New("host: this is no module of Tributary")
	}
	return nil
}
