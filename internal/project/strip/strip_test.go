package strip

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/tributary-agents/tributary/internal/draw"
	"github.com/tributary-agents/tributary/internal/section"
)

// program returns a module that was built of testdata/program.
func program(t testing.TB) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program.wasm")
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", path, "./testdata/program")
	cmd.Env = append(cmd.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	module, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return module
}

// run runs a module and returns what it prints.
func run(t *testing.T, module []byte, args ...string) (out, trace string) {
	t.Helper()
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer r.Close(ctx)
	wasi_snapshot_preview1.MustInstantiate(ctx, r)
	var stdout, stderr bytes.Buffer
	config := wazero.NewModuleConfig().WithStdout(&stdout).WithStderr(&stderr).WithArgs(append([]string{"program"}, args...)...)
	if _, err := r.InstantiateWithConfig(ctx, module, config); err != nil && len(args) == 0 {
		t.Error(err)
	}
	return stdout.String(), stderr.String()
}

func zipped(data []byte) int {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(data) // a buffer takes everything
	_ = w.Close()
	return b.Len()
}

// TestStrippedProgramDoesTheSame checks that a stripped program works, and that its traces name nothing.
func TestStrippedProgramDoesTheSame(t *testing.T) {
	draw.Long(t, "it builds a project, and ./build.sh test runs it")
	whole := program(t)
	stripped, err := Module(whole)
	if err != nil {
		t.Fatal(err)
	}
	before, after := zipped(whole), zipped(stripped)
	t.Logf("compressed %d bytes, stripped %d", before, after)
	if after*100 > before*95 {
		t.Errorf("%d of %d bytes are left, compressed, want a twentieth less", after, before)
	}
	want, _ := run(t, whole)
	if got, _ := run(t, stripped); got != want || !strings.Contains(got, "a recovers by itself") {
		t.Errorf("got %q, want %q", got, want)
	}
	_, trace := run(t, stripped, "panic")
	if !strings.Contains(trace, "panic: for good") || strings.Contains(trace, "main.main") {
		t.Errorf("got the trace %q", trace)
	}
	if _, trace = run(t, whole, "panic"); !strings.Contains(trace, "main.main") {
		t.Errorf("got the trace %q of the whole module", trace)
	}
}

// TestOtherModulesAreRefused checks what cannot be stripped.
func TestOtherModulesAreRefused(t *testing.T) {
	for _, tt := range []struct {
		title, module string
		want          error
	}{
		{"no module", "MZ", section.ErrModule},
		{"a module of another compiler", "\x00asm\x01\x00\x00\x00", ErrTables},
		{"a section beyond the end", "\x00asm\x01\x00\x00\x00\x0b\x05", section.ErrModule},
		{"a segment beyond the end", "\x00asm\x01\x00\x00\x00\x0b\x06\x01\x00\x41\x00\x0b\x09", section.ErrModule},
		{"a segment of another memory", "\x00asm\x01\x00\x00\x00\x0b\x06\x01\x01\x41\x00\x0b\x00", section.ErrModule},
		{"a header without tables", "\x00asm\x01\x00\x00\x00\x0b\x0e\x01\x00\x41\x00\x0b\x08" + string(magic), ErrTables},
	} {
		t.Run(tt.title, func(t *testing.T) {
			if _, err := Module([]byte(tt.module)); !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
		})
	}
}

// FuzzModule checks that no module traps, and that a stripped one has nothing more to strip.
func FuzzModule(f *testing.F) {
	f.Add([]byte("\x00asm\x01\x00\x00\x00\x0b\x06\x01\x00\x41\x00\x0b\x00"))
	tables := append([]byte("\x00asm\x01\x00\x00\x00\x0b\xde\x01\x01\x00\x41\x00\x0b\xd6\x01"), magic...)
	for _, v := range []byte{1, 0, 0, 72, 80, 84, 88, 96} {
		tables = append(tables, v, 0, 0, 0, 0, 0, 0, 0)
	}
	f.Add(append(tables, make([]byte, 142)...))
	f.Fuzz(func(t *testing.T, module []byte) {
		if len(module) > 1<<16 {
			return
		}
		out, err := Module(module)
		if err != nil {
			return
		}
		if again, err := Module(out); err != nil || !bytes.Equal(again, out) {
			t.Errorf("got %x, and again %x, %v", out, again, err)
		}
	})
}
