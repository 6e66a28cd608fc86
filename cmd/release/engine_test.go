package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/tributary-agents/tributary/internal/embedded/quickjs"
	"github.com/tributary-agents/tributary/wasm/cache"
	"github.com/tributary-agents/tributary/wasm/quickjs/meter"
)

const root = "../.."

// TestEngine shows that the committed engine is what the npm package's becomes.
func TestEngine(t *testing.T) {
	made, err := engine(root)
	if err != nil {
		t.Fatalf("%v: run npm install", err)
	}
	if !bytes.Equal(made, quickjs.Engine) {
		t.Error("the committed engine is another: run go run ./cmd/release")
	}
}

// TestEngineSize holds what an application with code mode carries in addition to its bounds.
func TestEngineSize(t *testing.T) {
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	if _, err := w.Write(quickjs.Engine); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if raw := len(quickjs.Engine); raw > 760_000 || zipped.Len() > 310_000 {
		t.Errorf("the engine has %d bytes, compressed %d, want at most 760,000 and 310,000", raw, zipped.Len())
	}
}

// TestEngineComputes shows that the published engine and the one with the countdowns give the same values.
func TestEngineComputes(t *testing.T) {
	published, err := os.ReadFile(filepath.Join(root, "node_modules", "quickjs-wasi", "quickjs.wasm"))
	if err != nil {
		t.Fatalf("%v: run npm install", err)
	}
	before, after := evaluator(t, published), evaluator(t, quickjs.Engine)
	for _, code := range []string{
		`JSON.stringify([..."a1b22".matchAll(/\d+/g)].map(m => [m[0], m.index]))`,
		`(3n ** 500n).toString(36)`,
		`Array.from({length: 5000}, (_, i) => (i * 7919) % 5003).sort((a, b) => a - b).join()`,
		`let n = 0; const f = () => { n++; f() }; try { f() } catch (e) { n + e.message }`,
		`try { JSON.parse("{a") } catch (e) { String(e) + e.stack }`,
		`[Math.sin(1), 0.1 + 0.2, 1 / 3, (1e21).toFixed(2), parseFloat("1e-7"), new Date(1e12).toISOString()].join()`,
		`class A { #x = 1; static s = 2; get x() { return this.#x } } new A().x + A.s + eval("1+1") + new Function("return 7")()`,
		`"x".repeat(100000).replace(/x/g, "yz").length + new Uint8Array(70000).fill(3).copyWithin(5, 100).reduce((a, b) => a + b)`,
	} {
		want := before(code)
		if got := after(code); got != want || want == "" {
			t.Errorf("%s: got %.200q, want %.200q", code, got, want)
		}
	}
}

// evaluator compiles an engine. It returns a function that returns the value of a script as a text.
func evaluator(t *testing.T, engine []byte) func(code string) string {
	t.Helper()
	ctx := context.Background()
	kept, err := cache.Open("")
	if err != nil {
		t.Fatal(err)
	}
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCompilationCache(kept))
	t.Cleanup(func() {
		if err := errors.Join(r.Close(ctx), kept.Close(ctx)); err != nil {
			t.Error(err)
		}
	})
	compiled, err := r.CompileModule(ctx, engine)
	if err != nil {
		t.Fatal(err)
	}
	imports(t, r, compiled)
	return func(code string) string {
		m, err := r.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions())
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close(ctx)
		return evaluate(t, m, code)
	}
}

// imports gives an engine imports that do nothing.
func imports(t *testing.T, r wazero.Runtime, compiled wazero.CompiledModule) {
	t.Helper()
	nothing := api.GoFunc(func(_ context.Context, stack []uint64) {
		if len(stack) > 0 {
			stack[0] = 0
		}
	})
	for _, namespace := range []string{"env", "wasi_snapshot_preview1"} {
		b := r.NewHostModuleBuilder(namespace)
		for _, f := range compiled.ImportedFunctions() {
			if of, name, _ := f.Import(); of == namespace {
				b.NewFunctionBuilder().WithGoFunction(nothing, f.ParamTypes(), f.ResultTypes()).Export(name)
			}
		}
		if _, err := b.Instantiate(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
}

func evaluate(t *testing.T, m api.Module, code string) string {
	t.Helper()
	if fuel, ok := m.ExportedGlobal(meter.Fuel).(api.MutableGlobal); ok {
		fuel.Set(1 << 40)
	}
	call := func(name string, args ...uint64) uint32 {
		out, err := m.ExportedFunction(name).Call(context.Background(), args...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(out) == 0 {
			return 0
		}
		return uint32(out[0])
	}
	call("_initialize")
	call("qjs_init")
	call("qjs_set_max_stack_size", 128<<10)
	at := call("wasm_malloc", uint64(len(code)+1))
	m.Memory().WriteString(at, code+"\x00")
	value := call("qjs_eval", uint64(at), uint64(len(code)), uint64(at+uint32(len(code))), 0)
	length := call("wasm_malloc", 4)
	start := call("qjs_get_string_len", uint64(value), uint64(length))
	n, _ := m.Memory().ReadUint32Le(length)
	text, _ := m.Memory().Read(start, n)
	return string(text)
}
