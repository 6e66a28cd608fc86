package meter_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/tributary-agents/tributary/wasm/quickjs/meter"
)

var limits = meter.Limits{Pages: 2, Stack: 64 << 10}

// run calls the exports of a module one after the other, and returns the results, and the error of the
// last call. Units are set before each call.
func run(t *testing.T, module []byte, fuel uint64, calls ...call) (results []uint64, left uint64, stack int32, err error) {
	t.Helper()
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer r.Close(ctx)
	m, err := r.Instantiate(ctx, module)
	if err != nil {
		t.Fatal(err)
	}
	global, metered := m.ExportedGlobal(meter.Fuel).(api.MutableGlobal)
	for _, c := range calls {
		if metered {
			global.Set(fuel)
		}
		var out []uint64
		if out, err = m.ExportedFunction(c.name).Call(ctx, c.args...); err != nil {
			break
		}
		results = append(results, out...)
	}
	if metered {
		left, stack = global.Get(), int32(m.ExportedGlobal(meter.Stack).Get())
	}
	return results, left, stack, err
}

type call struct {
	name string
	args []uint64
}

func metered(t *testing.T, module []byte) []byte {
	t.Helper()
	out, err := meter.Module(module, limits)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestUnits shows that a metered module computes the same, and takes the units that its functions and
// loops say.
func TestUnits(t *testing.T) {
	for _, c := range []struct {
		name string
		call call
		want uint64
		// units are what the call takes.
		units uint64
	}{
		{"a function", call{"one", nil}, 1, 1},
		{"a loop", call{"sum", []uint64{10}}, 55, 1 + 10},
		{"a loop in a loop", call{"square", []uint64{7}}, 49, 1 + 7 + 7*7},
		{"recursion", call{"factorial", []uint64{6}}, 720, 6 + 1},
		{"a return out of blocks", call{"sign", []uint64{5}}, 1, 1 + 1},
		{"another one", call{"sign", []uint64{0}}, 0, 1},
		{"a call through a table", call{"indirect", []uint64{4}}, 10, 1 + 1 + 4},
		{"bytes that are copied", call{"copy", []uint64{3200}}, 7, 1 + 3200/32},
		{"bytes that are filled", call{"fill", []uint64{3231}}, 7, 1 + 3200/32},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, _, _, err := run(t, small, 0, c.call)
			if err != nil || before[0] != c.want {
				t.Fatalf("the module computes %v, %v, want %d: the test is wrong", before, err, c.want)
			}
			after, left, stack, err := run(t, metered(t, small), c.units+1, c.call)
			if err != nil || after[0] != c.want || left != 1 {
				t.Errorf("got %v with %d units left, %v, want %d with one", after, left, err, c.want)
			}
			if stack != int32(limits.Stack) {
				t.Errorf("the call has kept %d bytes of the stack", int32(limits.Stack)-stack)
			}
			if _, left, _, err := run(t, metered(t, small), c.units, c.call); err != nil || left != 0 {
				t.Errorf("got %v, and %d of exactly enough units", err, left)
			}
			if _, left, _, err := run(t, metered(t, small), c.units-1, c.call); err == nil || left != 0 {
				t.Errorf("got %v, and %d units left of one too few", err, left)
			}
		})
	}
}

func TestEndless(t *testing.T) {
	for name, wantStack := range map[string]bool{"endless": false, "deep": true} {
		_, left, stack, err := run(t, metered(t, small), 100_000, call{name, nil})
		if err == nil || !strings.Contains(err.Error(), "unreachable") {
			t.Errorf("%s: got %v", name, err)
		}
		if (stack < 0) != wantStack || (left == 0) == wantStack {
			t.Errorf("%s: got %d units and %d bytes of the stack left", name, left, stack)
		}
	}
}

// TestMemory shows that the memory does not grow beyond its limit.
func TestMemory(t *testing.T) {
	got, _, _, err := run(t, metered(t, small), 100, call{"grow", []uint64{1}}, call{"grow", []uint64{1}})
	if err != nil || got[0] != 1 || int32(got[1]) != -1 {
		t.Errorf("got %v, %v, want 1 and -1", got, err)
	}
}

// TestTwice shows that what is metered is not metered again: its exports are taken.
func TestTwice(t *testing.T) {
	if _, err := meter.Module(metered(t, small), limits); !errors.Is(err, meter.ErrRefused) {
		t.Errorf("got %v", err)
	}
}

func TestRefused(t *testing.T) {
	for name, c := range map[string]struct {
		module []byte
		want   string
	}{
		"nothing":           {nil, "does not begin"},
		"another version":   {[]byte("\x00asm\x02\x00\x00\x00"), "does not begin"},
		"a cut section":     {wasm(section(1, 1)[:2]), "cut off"},
		"an unknown one":    {wasm(section(13, 0)), "unknown"},
		"out of order":      {wasm(section(3, 0), section(1, 0)), "out of order"},
		"twice":             {wasm(section(1, 0), section(1, 0)), "out of order"},
		"a start function":  {wasm(section(8, 0)), "start function"},
		"imported memory":   {wasm(section(2, 1, 1, 'a', 1, 'b', 2, 0, 1)), "imports its memory"},
		"imports":           {wasm(section(2, 1, 1, 'a')), "imports are malformed"},
		"a type":            {wasm(section(1, 1, 0x5f)), "not that of a function"},
		"types":             {wasm(section(1, 1, 0x60, 9)), "types are malformed"},
		"a function":        {wasm(section(3, 1, 0)), "type that is not there"},
		"no code":           {wasm(section(1, 1, 0x60, 0, 0), section(3, 1, 0)), "code of 0"},
		"more code":         {wasm(section(10, 1, 2, 0, 0x0b)), "code of 1"},
		"two memories":      {wasm(section(5, 2, 0, 0, 0, 0)), "more than one memory"},
		"a shared memory":   {wasm(section(5, 1, 3, 0, 1)), "malformed one"},
		"a large memory":    {wasm(section(5, 1, 0, 3)), "begins with 3 pages"},
		"an empty body":     {function(), "cut off"},
		"no end":            {function(0, 0x41, 0), "cut off"},
		"more than the end": {function(0, 0x0b, 0x0b), "more follows"},
		"a vector":          {function(0, 0xfd, 12, 0x0b), "not counted: 0xfd"},
		"a tail call":       {function(0, 0x12, 0, 0x0b), "not counted: 0x12"},
		"memory.init":       {function(0, 0xfc, 8, 0, 0, 0x0b), "not counted: 0xfc 8"},
		"a long number":     {function(0, 0x41, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0, 0x0b), "cut off"},
		"two results": {wasm(section(1, 1, 0x60, 0, 2, 0x7f, 0x7f), section(3, 1, 0),
			section(10, 1, 4, 0, 0x10, 0, 0x0b)), "more than one value"},
		"exports": {wasm(section(7, 1, 1)), "exports are malformed"},
		"fuel":    {wasm(section(6, 1, 0x7e, 1, 0x42, 0, 0x0b), section(7, 1, 4, 'f', 'u', 'e', 'l', 3, 0)), "exports fuel already"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := meter.Module(c.module, limits)
			if !errors.Is(err, meter.ErrRefused) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// FuzzModule shows that a metered module is valid if the module was, and that nothing panics.
func FuzzModule(f *testing.F) {
	f.Add(small)
	f.Add(function(0, 0x0b))
	f.Add(wasm(section(5, 1, 0, 1), section(0, 1, 'n', 5)))
	f.Fuzz(func(t *testing.T, module []byte) {
		out, err := meter.Module(module, limits)
		if err != nil {
			if !errors.Is(err, meter.ErrRefused) {
				t.Errorf("got %v", err)
			}
			return
		}
		ctx := context.Background()
		r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
		defer r.Close(ctx)
		if _, err := r.CompileModule(ctx, module); err != nil {
			return
		}
		if _, err := r.CompileModule(ctx, out); err != nil {
			t.Errorf("the module is valid, and what becomes of it is not: %v", err)
		}
	})
}
