package quickjs

import (
	"context"
	"fmt"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/tributary-agents/tributary/internal/embedded/quickjs"
	"github.com/tributary-agents/tributary/wasm/cache"
)

// engine is the compiled engine, from which boxes are instantiated.
type engine struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
}

// compile compiles the engine when the process needs it for the first time.
var compile = sync.OnceValue(func() *engine {
	e, err := newEngine(context.Background())
	if err != nil {
		panic(fmt.Errorf("quickjs: the embedded engine: %w", err))
	}
	return e
})

func newEngine(ctx context.Context) (*engine, error) {
	kept, err := cache.Open("")
	if err != nil {
		return nil, err
	}
	e := &engine{runtime: wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCompilationCache(kept))}
	if e.compiled, err = e.runtime.CompileModule(ctx, quickjs.Engine); err != nil {
		return nil, err
	}
	return e, e.imports(ctx)
}

func (e *engine) instantiate(ctx context.Context) (api.Module, error) {
	return e.runtime.InstantiateModule(ctx, e.compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions())
}
