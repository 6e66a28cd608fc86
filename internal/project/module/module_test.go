package module

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestOutput builds a program where there is nothing, where there is something else, and where there
// is the program already, which is then left alone.
func TestOutput(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module example.com/door\n\ngo 1.26\n",
		"main.go": "package main\n\nfunc main() {}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	output := filepath.Join(dir, "build", "door.wasm")
	build := func() ([]byte, os.FileInfo) {
		t.Helper()
		if err := FrontDoor(t.Context(), dir, ".", output); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(output)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(output)
		if err != nil {
			t.Fatal(err)
		}
		return data, info
	}

	want, _ := build()
	if !bytes.HasPrefix(want, []byte("\x00asm")) {
		t.Errorf("the output begins with %q", want[:4])
	}
	if err := os.WriteFile(output, []byte("no program"), 0o644); err != nil {
		t.Fatal(err)
	}
	got, before := build()
	if !bytes.Equal(got, want) {
		t.Error("in place of something else, another program is built")
	}
	got, after := build()
	if !bytes.Equal(got, want) || !os.SameFile(before, after) {
		t.Error("a program that is up to date is written again")
	}
	for _, folder := range []string{"build", "build/linked"} {
		files, err := filepath.Glob(filepath.Join(dir, folder, "*.wasm*"))
		if err != nil || len(files) != 1 {
			t.Errorf("the build leaves %q and %v in %s", files, err, folder)
		}
	}
}
