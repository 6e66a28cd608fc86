package durabletest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write what scripts say now into their files")

// RunScripts runs every script of a folder, each in a new world on a new engine, and compares the
// transcript with the file.
//
// A script is a text file. A line without indentation is an action (see [World.Do]) or, after #, a
// comment. The lines below it that begin with a tab are the results of the action. With -update the
// files are rewritten.
func RunScripts(t *testing.T, folder, class string, engine func(t *testing.T) Engine) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts in %s: %v", folder, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			script, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			e := engine(t)
			defer func() {
				if err := e.Close(); err != nil {
					t.Error(err)
				}
			}()
			got, err := Replay(NewWorld(e, class, "room"), string(script))
			if err != nil {
				t.Fatal(err)
			}
			CompareScript(t, file, got)
		})
	}
}

// CompareScript compares a script and its results with its file, or writes the file with -update.
func CompareScript(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: %s\nrun with -update and read the difference", file, firstDifference(got, string(want)))
	}
}

// Replay runs a script's actions in a world and returns the script with their current results.
func Replay(w *World, script string) (string, error) {
	var b strings.Builder
	for number, line := range strings.Split(strings.TrimSuffix(script, "\n"), "\n") {
		if strings.HasPrefix(line, "\t") {
			continue
		}
		b.WriteString(line + "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := w.Do(line); err != nil {
			return "", fmt.Errorf("line %d: %w", number+1, err)
		}
		for _, out := range w.Take() {
			b.WriteString("\t" + out + "\n")
		}
	}
	return b.String(), nil
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d:\n got %s\nwant %s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}
