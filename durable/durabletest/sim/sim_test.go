package sim_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable/durabletest/sim"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/subject"
	"github.com/tributary-agents/tributary/internal/draw"
)

// seedsVar is the variable that says how many worlds a test run has. They are then run one and all.
const seedsVar = "SIM_SEEDS"

// seeds returns the number of worlds of a test run.
func seeds(t *testing.T) int {
	if n, err := strconv.Atoi(os.Getenv(seedsVar)); err == nil {
		return n
	}
	if testing.Short() {
		return 100
	}
	return 2000
}

// drawn returns the first of consecutive seeds, and how many these are: one of some parts of all worlds, which is drawn,
// or all of them if they are few.
func drawn(t *testing.T, parts, worlds int) (from uint32, n int) {
	if draw.All() || testing.Short() || os.Getenv(seedsVar) != "" {
		return 0, worlds
	}
	n = (worlds + parts - 1) / parts
	return uint32(draw.Below(t.Name(), parts) * n), n
}

// TestSeeds runs the agents of package subject through trouble of every kind. It prints the
// shortest script of a seed that fails, and the command that runs the seed again.
func TestSeeds(t *testing.T) {
	started, failures := time.Now(), 0
	from, worlds := drawn(t, 4, seeds(t))
	all := sim.RunMany(subject.Native, 1+from, worlds, func(r sim.Result) bool {
		if r.Failure == nil {
			return true
		}
		r = sim.Shrink(subject.Native(), r, 500)
		t.Errorf("%.400s\n%s\tgo run ./durable/durabletest/cmd/sim -seed %d", r.Failure, r.Script, r.Script.Seed)
		failures++
		return failures < 3
	})
	t.Logf("%s; %.1f seeds a second", all, float64(all.Seeds)/time.Since(started).Seconds())
}

// TestScripts replays decisions that have once shown a fault.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			script, err := sim.ParseScript(string(text))
			if err != nil {
				t.Fatal(err)
			}
			if r := sim.Replay(subject.Native(), script, nil); r.Failure != nil {
				t.Error(r.Failure)
			}
		})
	}
}

// part returns the number of worlds of a test that runs so many in a hundred of [seeds], and at least a few.
func part(t *testing.T, percent, least int) int { return max(least, seeds(t)*percent/100) }

// many runs some worlds on all processors, and reports those that fail.
func many(t *testing.T, from uint32, worlds int, runner func() sim.Runner) {
	t.Helper()
	sim.RunWhile(runner, from, func(n int) bool { return n < worlds }, func(r sim.Result) bool {
		if r.Failure != nil {
			t.Errorf("seed %d: %v", r.Script.Seed, r.Failure)
		}
		return true
	})
}

// broken is a result with a failure of the test that compares it.
func broken(r sim.Result, invariant, format string, args ...any) sim.Result {
	r.Failure = &check.Failure{Invariant: invariant, Message: fmt.Sprintf(format, args...)}
	return r
}

// TestMemoryIsACache checks I4: browsers and models are told the same after the same decisions,
// although every object hibernates as soon as it may.
func TestMemoryIsACache(t *testing.T) {
	var slept atomic.Int64
	from, worlds := drawn(t, 3, part(t, 6, 12))
	many(t, from, worlds, func() sim.Runner {
		s, forgetful := subject.Native(), subject.Native()
		forgetful.Forgetful = true
		return func(seed uint32) sim.Result {
			first := sim.Run(s, seed)
			again := sim.Replay(forgetful, first.Script, nil)
			// An object that wakes during a turn sends the transcript once more, because it does not
			// know which tabs have it, and reconciles its runs at once. Its first event has more
			// commands, so that a process dies at another one. It does not know which probe it has
			// answered.
			sensitive := slices.ContainsFunc(first.Script.Decisions, func(d string) bool { return strings.HasPrefix(d, "lose ") || strings.HasPrefix(d, "echo ") })
			exact := !again.SleptInTurn && !sensitive && first.Traps == again.Traps
			if first.Sum != again.Sum {
				slept.Add(1)
			}
			if again.Failure == nil && exact && first.Seen != again.Seen {
				return broken(again, "I4", "what was seen was %s, and is %s", first.Seen, again.Seen)
			}
			return again
		}
	})
	if slept.Load() == 0 {
		t.Error("no object ever hibernated")
	}
}

// TestSeedsRepeat checks that a seed decides everything that happens in its world.
func TestSeedsRepeat(t *testing.T) {
	many(t, 0, part(t, 1, 4), func() sim.Runner {
		s, other := subject.Native(), subject.Native()
		return func(seed uint32) sim.Result {
			first, again := sim.Run(s, seed), sim.Run(s, seed)
			replayed := sim.Replay(other, first.Script, nil)
			if first.Sum != again.Sum || first.Sum != replayed.Sum {
				return broken(first, "I4", "%s, then %s, and replayed %s", first.Sum, again.Sum, replayed.Sum)
			}
			first.Failure = nil // TestSeeds tells of it
			return first
		}
	})
}
