package snapshot

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/internal/section"
	wasmhost "github.com/tributary-agents/tributary/wasm/host"
)

// planted returns a module that was linked of testdata/planted, whose start does what the tags name.
func planted(t *testing.T, tags string) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "planted.wasm")
	cmd := exec.Command("go", "build", "-trimpath", "-buildmode=c-shared", "-ldflags=-s -w", "-tags="+tags, "-o", path, "./testdata/planted")
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

var key = Key{1, 2, 3}

func taken(t *testing.T, linked []byte) []byte {
	t.Helper()
	module, err := Take(t.Context(), linked, key)
	if err != nil {
		t.Fatal(err)
	}
	return module
}

// tell delivers an event to an instance that was made with a seed, and returns what it says.
func tell(t *testing.T, module []byte, seed uint32) string {
	t.Helper()
	m, err := wasmhost.Compile(t.Context(), module, wasmhost.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = m.Close(context.Background()) }()
	e := wasmhost.NewEngine(m, wasmhost.EngineOptions{Seed: seed})
	defer func() { _ = e.Close() }()
	commands, err := e.Step("one", 1, durable.Opened{Class: "Planted"}, durable.SocketMessage{Conn: "a", Text: "tell"})
	if err != nil {
		t.Fatal(err)
	}
	return commands[0].(durable.Send).Text
}

// TestSnapshot runs instances of a snapshot. They know what the start has made, and draw numbers and seeds of
// their own.
func TestSnapshot(t *testing.T) {
	linked := planted(t, "")
	module := taken(t, linked)
	if again := taken(t, linked); !bytes.Equal(module, again) {
		t.Error("two builds give different bytes")
	}
	exports := exportsOf(t, module)
	if strings.Contains(exports, "_initialize") || strings.Contains(exports, "snapshot") {
		t.Errorf("it exports %s", exports)
	}
	parts := map[string]int{}
	for _, seed := range []uint32{1, 12, 123} {
		text := tell(t, module, seed)
		if !strings.HasSuffix(text, " 77") {
			t.Errorf("what the start has made is not there: %s", text)
		}
		if tell(t, module, seed) != text {
			t.Errorf("the same seed gives something else")
		}
		for _, part := range strings.Fields(text)[:3] {
			parts[part]++
		}
	}
	if len(parts) != 9 {
		t.Errorf("instances draw the same: %v", parts)
	}
}

func exportsOf(t *testing.T, module []byte) (names string) {
	t.Helper()
	m, err := section.Split(module)
	if err != nil {
		t.Fatal(err)
	}
	exports, err := m.Exports()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range exports {
		names += e.Name + " "
	}
	return names
}

// TestUnseededSnapshot runs an instance that nobody has told where its seeds are. It refuses its first event.
func TestUnseededSnapshot(t *testing.T) {
	m, err := section.Split(taken(t, planted(t, "")))
	if err != nil {
		t.Fatal(err)
	}
	data, err := m.Data()
	if err != nil {
		t.Fatal(err)
	}
	memory := section.Image(data)
	// The builder's note: it is taken, four places of seeds, and four behind them.
	at := bytes.Index(memory, []byte{1, 0, 0, 0})
	for ; at >= 0; at += 1 + bytes.Index(memory[at+1:], []byte{1, 0, 0, 0}) {
		if memory[at+8] == 32 && memory[at+16] == 32 && memory[at+40] == 12 && memory[at+48] == 12 {
			break
		}
	}
	clear(memory[at+4 : at+4+64])
	m.SetData(section.Segments(memory))
	module, err := wasmhost.Compile(t.Context(), m.Join(), wasmhost.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = module.Close(context.Background()) }()
	e := wasmhost.NewEngine(module, wasmhost.EngineOptions{})
	defer func() { _ = e.Close() }()
	if _, err := e.Step("one", 1, durable.Opened{Class: "Planted"}, nil); err == nil || !strings.Contains(err.Error(), "where its seeds are") {
		t.Errorf("got %v", err)
	}
}

// TestUnfit plants starts that each instance would have to run.
func TestUnfit(t *testing.T) {
	for tag, want := range map[string]string{
		"waits":  "its start leaves 1 goroutines that wait",
		"sleeps": "its start leaves 1 goroutines that wait",
		"file":   "its start opens a file (path_open)",
		"clock":  "its start reads the time",
		"random": "its start draws randomness",
		"words":  "its start writes: planted words",
		"host":   "its start calls the host (random)",
		"fails":  "its start ends with an error: panic: planted trouble",
	} {
		t.Run(tag, func(t *testing.T) {
			_, err := Take(t.Context(), planted(t, tag), key)
			if !errors.Is(err, ErrUnfit) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v, want %s", err, want)
			}
		})
	}
	if _, err := Take(t.Context(), []byte("MZ"), key); !errors.Is(err, section.ErrModule) {
		t.Errorf("got %v", err)
	}
	if _, err := Take(t.Context(), []byte("\x00asm\x01\x00\x00\x00"), key); !errors.Is(err, ErrUnfit) {
		t.Errorf("got %v", err)
	}
}

// TestNothingOfTheBuilder searches a snapshot for what the machine that has made it knows.
func TestNothingOfTheBuilder(t *testing.T) {
	const secret = "planted-secret-7c1d"
	t.Setenv("PLANTED", secret)
	module := taken(t, planted(t, "environment"))
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{secret, here, os.TempDir() + "/", string(key[:])} {
		if bytes.Contains(module, []byte(s)) {
			t.Errorf("it holds %q", s)
		}
	}
}

// TestMemory checks that a snapshot begins with all the memory that its start has taken, and with its bytes.
func TestMemory(t *testing.T) {
	linked := planted(t, "")
	m, err := section.Split(linked)
	if err != nil {
		t.Fatal(err)
	}
	exports, err := m.Exports()
	if err != nil {
		t.Fatal(err)
	}
	globals, err := m.Globals()
	if err != nil {
		t.Fatal(err)
	}
	s, err := run(t.Context(), watched(m, exports, globals), key, globals)
	if err != nil {
		t.Fatal(err)
	}
	r := wazero.NewRuntimeWithConfig(t.Context(), wazero.NewRuntimeConfigInterpreter())
	defer func() { _ = r.Close(context.Background()) }()
	compiled, err := r.CompileModule(t.Context(), taken(t, linked))
	if err != nil {
		t.Fatal(err)
	}
	if err := (&host{}).provide(t.Context(), r, compiled); err != nil {
		t.Fatal(err)
	}
	in, err := r.InstantiateModule(t.Context(), compiled, wazero.NewModuleConfig())
	if err != nil {
		t.Fatal(err)
	}
	memory, _ := in.Memory().Read(0, in.Memory().Size())
	if len(memory) != len(s.memory) || !bytes.Equal(memory, s.memory) {
		t.Errorf("it begins with %d bytes, and there were %d; the bytes are the same: %v", len(memory), len(s.memory), bytes.Equal(memory, s.memory))
	}
}
