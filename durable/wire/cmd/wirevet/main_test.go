package main_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestVet runs the command as the build does, over a package that is sound and
// over one that must not pass.
// The tool is built a little differently, because go vet remembers by tool and package that it was content, also where it
// only looked at a package for the sake of another.
func TestVet(t *testing.T) {
	tool := filepath.Join(t.TempDir(), "wirevet")
	if out, err := exec.Command("go", "build", "-ldflags=-w", "-o", tool, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	vet := func(name string) (string, error) {
		out, err := exec.Command("go", "vet", "-vettool="+tool, "../../travel/testdata/"+name).CombinedOutput()
		return string(out), err
	}
	if out, err := vet("allowed"); err != nil {
		t.Errorf("a sound package does not pass: %v\n%s", err, out)
	}
	out, err := vet("refused")
	if want := "StartRequest.Options.OnDone: a function cannot travel between objects"; err == nil || !strings.Contains(out, want) {
		t.Errorf("got %v, want a failure with %q:\n%s", err, want, out)
	}
}
