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

// core is where the files are that mutations speak of.
const core = "../../.."

// search looks for the first seeds that find the mutations, in place of those that are known to:
//
//	go test ./durable/durabletest/cmd/sim -run Mutations -timeout 0 -v -search 240
var search = flag.Int("search", 0, "look for the first seed that finds each mutation, among so many")

// TestMutations shows that the simulator finds faults: with each of them in the core, the command
// fails on the seed that is known to find it, and does not without. Those that the simulator does
// not see are found by the test that is named.
func TestMutations(t *testing.T) {
	b := &binaries{overlay: overlay(t), dir: t.TempDir(), built: map[string]func() error{}}
	for i, m := range mutations {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			switch {
			case *search > 0:
				b.find(t, i+1)
			case m.test != "":
				b.foundByTest(t, m, i+1)
			default:
				b.foundBySeed(t, m, i+1)
			}
		})
	}
}

// binaries are the command and the tests of some packages, with all faults in them.
type binaries struct {
	overlay, dir string
	mutex        sync.Mutex
	built        map[string]func() error
}

// build returns the command, or the tests of a folder, and builds them once.
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

// run runs a binary with one of the faults, or with none, which is 0.
func run(path, dir string, fault int, args ...string) (out string, err error) {
	cmd := exec.Command(path, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1", fmt.Sprintf("%s=%d", chosen, fault))
	text, err := cmd.CombinedOutput()
	return string(text), err
}

// find looks for the first seed that fails with the fault in the core, and does not without.
func (b *binaries) find(t *testing.T, fault int) {
	t.Helper()
	command := b.build(t, "")
	for from := 1; from <= *search; {
		out, err := run(command, "", fault, "-from", fmt.Sprint(from), "-seeds", fmt.Sprint(*search-from+1), "-enough", "1")
		first := failed.FindStringSubmatch(out)
		if first == nil && err != nil {
			t.Fatalf("the command broke behind seed %d: %v\n%.4000s", from, err, out)
		}
		if first == nil {
			break
		}
		if _, err := run(command, "", 0, "-seed", first[2], "-shrink", "0"); err == nil {
			t.Logf("found by seed %s: %.200s", first[2], first[1])
			return
		}
		from, _ = strconv.Atoi(first[2])
		from++
	}
	t.Errorf("not found within %d seeds", *search)
}

// failed is how the command says which seed failed, and by what.
var failed = regexp.MustCompile(`(?m)^(.*)\n(?:.*\n)*?\tgo run .* -seed (\d+)$`)

// foundBySeed lets the command run on the seed that is known to fail.
func (b *binaries) foundBySeed(t *testing.T, m mutation, fault int) {
	t.Helper()
	command, seed := b.build(t, ""), fmt.Sprint(m.seed)
	if out, err := run(command, "", 0, "-seed", seed, "-shrink", "0"); err != nil {
		t.Fatalf("seed %s fails without the fault:\n%s", seed, out)
	}
	if out, err := run(command, "", fault, "-seed", seed, "-shrink", "0"); err == nil {
		t.Fatalf("not found by seed %s any more; -search looks for another:\n%s", seed, out)
	}
}

// foundByTest runs a test with the fault in the core, which has to fail.
func (b *binaries) foundByTest(t *testing.T, m mutation, fault int) {
	t.Helper()
	folder, name, _ := strings.Cut(m.test, " ")
	out, err := run(b.build(t, folder), filepath.Join(core, folder), fault, "-test.run", name)
	if err == nil || !strings.Contains(out, "--- FAIL") && !strings.Contains(out, "panic") {
		t.Fatalf("%s does not find it: %v\n%s", m.test, err, out)
	}
}
