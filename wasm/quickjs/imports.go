package quickjs

import (
	"context"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// wasi is the namespace of the engine's imports that return an errno.
const wasi = "wasi_snapshot_preview1"

const badFile = 8 // the errno EBADF

// boxKey is the context key of the calling box, because all boxes share the imports.
type boxKey struct{}

// imports makes what the engine imports. It has a clock, which stands still during a request, and
// randomness that is the seed alone. Files are refused. The other imports belong to features of the
// engine that are never switched on, and return zero.
func (e *engine) imports(ctx context.Context) error {
	namespaces := map[string]wazero.HostModuleBuilder{}
	for _, f := range e.compiled.ImportedFunctions() {
		namespace, name, _ := f.Import()
		if namespaces[namespace] == nil {
			namespaces[namespace] = e.runtime.NewHostModuleBuilder(namespace)
		}
		namespaces[namespace].NewFunctionBuilder().
			WithGoModuleFunction(imported(namespace, name, len(f.ResultTypes()) > 0), f.ParamTypes(), f.ResultTypes()).
			Export(name)
	}
	for _, namespace := range namespaces {
		if _, err := namespace.Instantiate(ctx); err != nil {
			return err
		}
	}
	return nil
}

func imported(namespace, name string, returns bool) api.GoModuleFunc {
	switch {
	case namespace == wasi && name == "clock_time_get":
		return readClock
	case namespace == wasi && name == "random_get":
		return readRandom
	case namespace == wasi:
		return func(_ context.Context, _ api.Module, stack []uint64) { stack[0] = badFile }
	case returns:
		return func(_ context.Context, _ api.Module, stack []uint64) { stack[0] = 0 }
	}
	return func(context.Context, api.Module, []uint64) {}
}

// readClock writes the time in nanoseconds, whatever clock is asked.
func readClock(ctx context.Context, m api.Module, stack []uint64) {
	b := ctx.Value(boxKey{}).(*box)
	m.Memory().WriteUint64Le(uint32(stack[2]), uint64(b.now)*1_000_000)
	stack[0] = 0
}

// readRandom writes the seed as often as it fits.
func readRandom(ctx context.Context, m api.Module, stack []uint64) {
	b := ctx.Value(boxKey{}).(*box)
	out, _ := m.Memory().Read(uint32(stack[0]), uint32(stack[1]))
	for i := range out {
		out[i] = b.seed[i%len(b.seed)]
	}
	stack[0] = 0
}
