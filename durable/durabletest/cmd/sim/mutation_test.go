package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// core is the folder that the paths of mutations begin in.
const core = "../../.."

// within is the number of seeds, from 1 on, of which one must find a fault.
const within = 240

// search looks for the first seed that finds each mutation, instead of trying the known seed. It
// also searches for the mutations that tests find. It takes a while:
//
//	go test ./durable/durabletest/cmd/sim -run Mutations -timeout 0 -v -search
var search = flag.Bool("search", false, "look for the first seed that finds each mutation")

// TestMutations shows that the simulator finds faults: with each fault in the core, the command
// fails on the seed that is known to find the fault, and without it the command passes. When the
// simulator or the core changes, the worlds of the seeds change, and another seed may have to find
// the fault. A fault that the simulator does not find is found by the test that the mutation names.
func TestMutations(t *testing.T) {
	b := &binaries{overlay: overlay(t), dir: t.TempDir(), built: map[string]func() error{}}
	for i, m := range mutations {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			switch {
			case *search:
				b.find(t, i+1)
			case m.test != "":
				b.foundByTest(t, m, i+1)
			case !b.fails(t, i+1, m.seed):
				t.Logf("seed %d does not find it any more", m.seed)
				b.find(t, i+1)
			}
		})
	}
}

// TestMutationsFitTheCore shows that what each fault replaces occurs once in its file. It builds nothing,
// and names all faults that do not fit.
func TestMutationsFitTheCore(t *testing.T) {
	for i := range mutations {
		m := &mutations[i]
		if err := m.locate(); err != nil {
			t.Error(err)
			continue
		}
		text, err := os.ReadFile(filepath.Join(core, m.file))
		if err != nil {
			t.Errorf("%s: %v", m.name, err)
			continue
		}
		if _, _, err := m.twin(string(text), 1); err != nil {
			t.Errorf("%s: %v", m.name, err)
			continue
		}
		if _, _, err := withFaults(m.file, string(text)); err != nil {
			t.Error(err)
		}
	}
}

// binaries are the command and the tests of some packages, built with all faults.
type binaries struct {
	overlay, dir string
	mutex        sync.Mutex
	built        map[string]func() error
}

// build returns the path of the command, or of the tests of a folder. It builds each of them once.
func (b *binaries) build(t *testing.T, folder string) (path string) {
	t.Helper()
	path = filepath.Join(b.dir, "binary-"+strings.NewReplacer("/", "-", ".", "-").Replace(folder))
	args := []string{"test", "-c", "-overlay", b.overlay, "-ldflags=-s -w", "-o", path, "./" + filepath.Join(core, folder)}
	if folder == "" {
		args = []string{"build", "-overlay", b.overlay, "-ldflags=-s -w", "-o", path, "."}
	}
	b.mutex.Lock()
	if b.built[folder] == nil {
		b.built[folder] = sync.OnceValue(func() error {
			if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
				return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
			}
			return nil
		})
	}
	once := b.built[folder]
	b.mutex.Unlock()
	if err := once(); err != nil {
		t.Fatal(err)
	}
	return path
}

// run runs a binary with the fault that has a number, or with none for 0.
func run(path, dir string, fault int, args ...string) (out string, err error) {
	cmd := exec.Command(path, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", fmt.Sprintf("%s=%d", chosen, fault))
	text, err := cmd.CombinedOutput()
	return string(text), err
}

// fails says whether a seed fails with a fault, and passes without it.
func (b *binaries) fails(t *testing.T, fault int, seed uint32) bool {
	t.Helper()
	command, args := b.build(t, ""), []string{"-seed", fmt.Sprint(seed), "-shrink", "0"}
	if _, err := run(command, "", fault, args...); err == nil {
		return false
	}
	_, err := run(command, "", 0, args...)
	return err == nil
}

// find looks for the first seed that finds a fault.
func (b *binaries) find(t *testing.T, fault int) {
	t.Helper()
	command := b.build(t, "")
	for from := 1; from <= within; {
		out, err := run(command, "", fault, "-from", fmt.Sprint(from), "-seeds", fmt.Sprint(within-from+1), "-enough", "1")
		first := failed.FindStringSubmatch(out)
		if first == nil && err != nil {
			t.Fatalf("the command broke behind seed %d: %v\n%.4000s", from, err, out)
		}
		if first == nil {
			break
		}
		seed, _ := strconv.ParseUint(first[2], 10, 32)
		if b.fails(t, fault, uint32(seed)) {
			t.Logf("found by seed %d: %.200s", seed, first[1])
			return
		}
		from = int(seed) + 1
	}
	t.Errorf("not found within %d seeds", within)
}

// failed matches the lines in which the command reports a failure and its seed.
var failed = regexp.MustCompile(`(?m)^(.*)\n(?:.*\n)*?\tgo run .* -seed (\d+)$`)

// foundByTest runs a test, which must fail with the fault and pass without it.
func (b *binaries) foundByTest(t *testing.T, m mutation, fault int) {
	t.Helper()
	folder, name, _ := strings.Cut(m.test, " ")
	if out, err := run(b.build(t, folder), filepath.Join(core, folder), 0, "-test.run", name); err != nil || strings.Contains(out, "no tests to run") {
		t.Fatalf("%s does not pass without it: %v\n%s", m.test, err, out)
	}
	out, err := run(b.build(t, folder), filepath.Join(core, folder), fault, "-test.run", name)
	if err == nil || !strings.Contains(out, "--- FAIL") && !strings.Contains(out, "panic") {
		t.Fatalf("%s does not find it: %v\n%s", m.test, err, out)
	}
}
