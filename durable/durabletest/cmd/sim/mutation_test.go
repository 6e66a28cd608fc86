package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// core is where the files are that mutations speak of.
const core = "../../.."

// TestMutations shows that the simulator finds faults: it puts each of them into the core,
// for the go command alone, and has the command find it within its seeds.
func TestMutations(t *testing.T) {
	if testing.Short() {
		t.Skip("each of the faults is built into the command")
	}
	for _, m := range mutations {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			m.found(t, m.build(t))
		})
	}
}

// found lets a command with the fault in it run until a seed fails.
func (m mutation) found(t *testing.T, command string) {
	t.Helper()
	cmd := exec.Command(command, "-seeds", fmt.Sprint(m.seeds), "-enough", "1")
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	out, err := cmd.CombinedOutput()
	first := regexp.MustCompile(`(?m)^(.*)\n(.*\n)?(.*\n)?\tgo run .* -seed (\d+)$`).FindStringSubmatch(string(out))
	if first == nil {
		t.Fatalf("not found within %d seeds: %v\n%s", m.seeds, err, out)
	}
	t.Logf("found by seed %s: %.200s", first[4], first[1])
}

// build builds the command with the fault in it.
func (m mutation) build(t *testing.T) (command string) {
	t.Helper()
	dir := t.TempDir()
	command = filepath.Join(dir, "sim")
	out, err := exec.Command("go", "build", "-overlay", m.overlay(t, dir), "-ldflags=-s -w", "-o", command, ".").CombinedOutput()
	if err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return command
}

// overlay puts the changed file into its place.
func (m mutation) overlay(t *testing.T, dir string) (list string) {
	t.Helper()
	file, err := filepath.Abs(filepath.Join(core, m.file))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), m.old); n != 1 {
		t.Fatalf("%s has %d times what the fault replaces, want it once:\n%s", m.file, n, m.old)
	}
	changed := filepath.Join(dir, "changed.go")
	write(t, changed, []byte(strings.Replace(string(text), m.old, m.new, 1)))
	body, err := json.Marshal(map[string]any{"Replace": map[string]string{file: changed}})
	if err != nil {
		t.Fatal(err)
	}
	list = filepath.Join(dir, "overlay.json")
	write(t, list, body)
	return list
}

func write(t *testing.T, path string, body []byte) {
	t.Helper()
	if err := os.WriteFile(path, body, 0o644); err != nil {
		t.Fatal(err)
	}
}
