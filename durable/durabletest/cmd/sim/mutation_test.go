package main

import (
	"encoding/json"
	"flag"
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

// search looks for the first seed that finds a mutation, in place of the one that is known to:
//
//	go test ./durable/durabletest/cmd/sim -run Mutations -search
var search = flag.Bool("search", false, "look for the first seed that finds each mutation")

// TestMutations shows that the simulator finds faults: it puts each of them into the core,
// for the go command alone, and has the command find it within its seeds. Those that the
// simulator does not see are found by the test that is named.
func TestMutations(t *testing.T) {
	for _, m := range mutations {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			switch {
			case m.test != "":
				m.foundByTest(t)
			case m.seed > 0 && !*search:
				m.foundBySeed(t, m.build(t))
			default:
				m.found(t, m.build(t))
			}
		})
	}
}

// found lets a command with the fault in it run until a seed fails.
func (m mutation) found(t *testing.T, command string) {
	t.Helper()
	out, err := run(command, "-seeds", fmt.Sprint(m.seeds), "-enough", "1")
	first := regexp.MustCompile(`(?m)^(.*)\n(.*\n)?(.*\n)?\tgo run .* -seed (\d+)$`).FindStringSubmatch(out)
	if first == nil {
		t.Fatalf("not found within %d seeds: %v\n%s", m.seeds, err, out)
	}
	t.Logf("found by seed %s: %.200s", first[4], first[1])
}

// foundBySeed lets it run on the seed that is known to fail.
func (m mutation) foundBySeed(t *testing.T, command string) {
	t.Helper()
	if out, err := run(command, "-seed", fmt.Sprint(m.seed), "-shrink", "0"); err == nil {
		t.Fatalf("not found by seed %d any more; -search looks for another:\n%s", m.seed, out)
	}
}

func run(command string, args ...string) (out string, err error) {
	cmd := exec.Command(command, args...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	text, err := cmd.CombinedOutput()
	return string(text), err
}

// foundByTest runs a test with the fault in the core, which has to fail. What does not build is no
// fault that it finds.
func (m mutation) foundByTest(t *testing.T) {
	t.Helper()
	folder, name, _ := strings.Cut(m.test, " ")
	command := filepath.Join(t.TempDir(), "test")
	target := "./" + filepath.Join(core, folder)
	if out, err := exec.Command("go", "test", "-c", "-overlay", m.overlay(t, t.TempDir()), "-o", command, target).CombinedOutput(); err != nil {
		t.Fatalf("go test -c: %v\n%s", err, out)
	}
	cmd := exec.Command(command, "-test.run", name)
	cmd.Dir = filepath.Join(core, folder)
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "--- FAIL") && !strings.Contains(string(out), "panic") {
		t.Fatalf("%s does not find it: %v\n%s", m.test, err, out)
	}
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
