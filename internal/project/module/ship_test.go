package module

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/tributary-agents/tributary/wasm/snapshot"
)

// small is a module without anything, of which there is no snapshot.
const small = "\x00asm\x01\x00\x00\x00"

// TestStart writes a module that has no snapshot, twice, with the reason each time, and anew when it has changed.
func TestStart(t *testing.T) {
	dir := t.TempDir()
	linked, output := filepath.Join(dir, "linked.wasm"), filepath.Join(dir, "out.wasm")
	write := func(code string) {
		t.Helper()
		if err := os.WriteFile(linked, []byte(code), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	start := func() (code []byte, whole error) {
		t.Helper()
		whole, err := Start(t.Context(), linked, output)
		if err != nil {
			t.Fatal(err)
		}
		if code, err = os.ReadFile(output); err != nil {
			t.Fatal(err)
		}
		return code, whole
	}

	write(small)
	code, first := start()
	if !errors.Is(first, snapshot.ErrUnfit) || string(code) != small {
		t.Errorf("got %v and %x", first, code)
	}
	key, err := os.ReadFile(filepath.Join(dir, keyFile))
	if err != nil || len(key) != 32 {
		t.Errorf("the key is %x, %v", key, err)
	}
	_, again := start()
	if again == nil || again.Error() != first.Error() {
		t.Errorf("the second build says %v, the first %v", again, first)
	}
	if kept, _ := os.ReadFile(filepath.Join(dir, keyFile)); !bytes.Equal(kept, key) {
		t.Error("the second build has another key")
	}
	write(small + "\x05\x03\x01\x00\x01") // with a memory
	if code, _ = start(); len(code) == len(small) {
		t.Error("a module that has changed is not written")
	}
	if err := os.WriteFile(output, []byte("no module"), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _ = start(); string(code) == "no module" {
		t.Error("something else in its place stays")
	}
	write("no module")
	if _, err := Start(t.Context(), linked, output); err == nil {
		t.Error("what is no module has a snapshot")
	}
}
