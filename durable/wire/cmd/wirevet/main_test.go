package main_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestVet runs the command as the build does, over correct packages and over packages that must not
// pass. It builds the tool with another flag than the build: go vet caches the result of a tool for
// a package, also if it has only read that package for the sake of another one.
func TestVet(t *testing.T) {
	tool := filepath.Join(t.TempDir(), "wirevet")
	if out, err := exec.Command("go", "build", "-ldflags=-w", "-o", tool, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	vet := func(name string) (string, error) {
		out, err := exec.Command("go", "vet", "-vettool="+tool, "../../../"+name).CombinedOutput()
		alone, again := exec.Command(tool, "../../../"+name).CombinedOutput()
		if string(alone) != string(out) || (again == nil) != (err == nil) {
			t.Errorf("%s: by itself the tool says %v\n%s\nand with go vet %v\n%s", name, again, alone, err, out)
		}
		return string(out), err
	}
	for _, name := range []string{"wire/travel/testdata/allowed", "flow/replay/testdata/good"} {
		if out, err := vet(name); err != nil {
			t.Errorf("%s is sound and does not pass: %v\n%s", name, err, out)
		}
	}
	for name, want := range map[string]string{
		"wire/travel/testdata/refused": "StartRequest.Options.OnDone: a function cannot travel between objects",
		"flow/replay/testdata/bad":     "time.Now: the time is another one when this code is run again: use flow.Now",
	} {
		if out, err := vet(name); err == nil || !strings.Contains(out, want) {
			t.Errorf("%s: got %v, want a failure with %q:\n%s", name, err, want, out)
		}
	}
}
