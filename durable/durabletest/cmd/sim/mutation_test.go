package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tributary-agents/tributary/internal/draw"
	"github.com/tributary-agents/tributary/internal/progress"
)

// core is the folder that the paths of mutations begin in.
const core = "../../.."

// within is the number of seeds, from 1 on, of which one must find a fault.
const within = 240

// The flags of a run of the list: ./build.sh mutants.
var (
	// search looks for the first seed that finds each mutation, instead of trying the known seed. It also searches for
	// the mutations that tests find. It takes a while:
	//
	//	go test ./durable/durabletest/cmd/sim -run Mutations -timeout 0 -v -search
	search = flag.Bool("search", false, "look for the first seed that finds each mutation")
	list   = flag.Bool("list", false, "print what finds each mutation")
	room   = flag.String("room", "", "the folder below durable whose mutations are run, such as chat or supervisor")
)

// TestMutations shows that the simulator finds faults: with each fault in the core, the command
// fails on the seed that is known to find the fault, and without it the command passes. When the
// simulator or the core changes, the worlds of the seeds change, and another seed may have to find
// the fault. A fault that the simulator does not find is found by the test that the mutation names.
func TestMutations(t *testing.T) {
	draw.Long(t, "a binary is built with all faults, and run for each: ./build.sh mutants ROOM")
	numbers := chosenMutations(t)
	said := tell(t, len(numbers))
	b := &binaries{overlay: overlay(t), dir: t.TempDir(), built: map[string]func() error{}, sound: map[string]func() error{}}
	for _, n := range numbers {
		m := mutations[n-1]
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			found := m.foundBy()
			defer func() { said(m.name, found, t.Failed()) }()
			switch {
			case *search:
				found = b.find(t, n)
			case m.test != "":
				b.foundByTest(t, m, n)
			case !b.fails(t, n, m.seed):
				t.Logf("seed %d does not find it any more", m.seed)
				found = b.find(t, n)
			}
		})
	}
}

// tell returns a function that is told what has become of a mutation. With -list it prints that, and how far the list is.
func tell(t *testing.T, all int) func(name, found string, failed bool) {
	if !*list {
		return func(string, string, bool) {}
	}
	var done, unfound atomic.Int64
	line := progress.Begin(os.Stdout, func() string {
		return fmt.Sprintf("%d of %d faults, %d not found; the core with all of them is built first", done.Load(), all, unfound.Load())
	})
	t.Cleanup(func() {
		line.End()
		fmt.Printf("%d faults, %d not found\n", done.Load(), unfound.Load())
	})
	return func(name, found string, failed bool) {
		done.Add(1)
		if failed {
			unfound.Add(1)
			found = "NOTHING: the words of the test are below"
		}
		line.Printf("%s\n\tfound by %s", name, found)
	}
}

// foundBy says what finds a mutation, as it is known.
func (m mutation) foundBy() string {
	if m.test != "" {
		return "durable/" + m.test
	}
	return fmt.Sprintf("seed %d, within %d seeds", m.seed, m.seed)
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
	// built are the builds, by folder, and sound the runs without a fault, by what is run.
	built, sound map[string]func() error
}

// build returns the path of the command, or of the tests of a folder. It builds each of them once.
func (b *binaries) build(t *testing.T, folder string) (path string) {
	t.Helper()
	path = filepath.Join(b.dir, "binary-"+strings.NewReplacer("/", "-", ".", "-").Replace(folder))
	args := []string{"test", "-c", "-overlay", b.overlay, "-ldflags=-s -w", "-o", path, "./" + filepath.Join(core, folder)}
	if folder == "" {
		args = []string{"build", "-overlay", b.overlay, "-ldflags=-s -w", "-o", path, "."}
	}
	err := b.once(b.built, folder, func() error {
		if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
			return fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, out)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// once does something at the first call with a key, and returns its error at every call.
func (b *binaries) once(done map[string]func() error, key string, do func() error) error {
	b.mutex.Lock()
	if done[key] == nil {
		done[key] = sync.OnceValue(do)
	}
	once := done[key]
	b.mutex.Unlock()
	return once()
}

// run runs a binary with the fault that has a number, or with none for 0. Tests leave nothing out: a fault may show at
// one moment alone.
func run(path, dir string, fault int, args ...string) (out string, err error) {
	cmd := exec.Command(path, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", fmt.Sprintf("%s=%d", chosen, fault), draw.Variable+"=all")
	text, err := cmd.CombinedOutput()
	return string(text), err
}

// passes says whether a binary passes without a fault.
func (b *binaries) passes(path, dir string, args ...string) error {
	return b.once(b.sound, fmt.Sprint(path, args), func() error {
		out, err := run(path, dir, 0, args...)
		if err == nil && strings.Contains(out, "no tests to run") {
			err = errors.New("there is no such test")
		}
		if err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
		return nil
	})
}

// fails says whether a seed fails with a fault, and passes without it.
func (b *binaries) fails(t *testing.T, fault int, seed uint32) bool {
	t.Helper()
	command, args := b.build(t, ""), []string{"-seed", fmt.Sprint(seed), "-shrink", "0"}
	_, err := run(command, "", fault, args...)
	return err != nil && b.passes(command, "", args...) == nil
}

// find looks for the first seed that finds a fault, and returns what it has found.
func (b *binaries) find(t *testing.T, fault int) (found string) {
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
		seed, _ := strconv.ParseUint(first[1], 10, 32)
		if b.fails(t, fault, uint32(seed)) {
			t.Logf("found by seed %d: %.200s", seed, first[2])
			return fmt.Sprintf("seed %d, within %d seeds, where another one is listed: %.200s", seed, seed, first[2])
		}
		from = int(seed) + 1
	}
	t.Errorf("not found within %d seeds", within)
	return ""
}

// failed matches the line in which the command reports a seed and its failure.
var failed = regexp.MustCompile(`(?m)^seed (\d+): (.*)$`)

// foundByTest runs a test, which must fail with the fault and pass without it.
func (b *binaries) foundByTest(t *testing.T, m mutation, fault int) {
	t.Helper()
	folder, name, _ := strings.Cut(m.test, " ")
	path, dir, args := b.build(t, folder), filepath.Join(core, folder), []string{"-test.failfast", "-test.run", name}
	if err := b.passes(path, dir, args...); err != nil {
		t.Fatalf("%s does not pass without it: %v", m.test, err)
	}
	out, err := run(path, dir, fault, args...)
	if err == nil || !strings.Contains(out, "--- FAIL") && !strings.Contains(out, "panic") {
		t.Fatalf("%s does not find it: %v\n%s", m.test, err, out)
	}
}
