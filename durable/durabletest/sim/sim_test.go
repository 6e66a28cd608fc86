package sim_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable/durabletest/sim"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/subject"
)

// seeds returns the number of worlds of a test run, which SIM_SEEDS can change.
func seeds(t *testing.T) int {
	if n, err := strconv.Atoi(os.Getenv("SIM_SEEDS")); err == nil {
		return n
	}
	if testing.Short() {
		return 200
	}
	return 2000
}

// TestSeeds runs the agents of package subject through trouble of every kind. It prints the
// shortest script of a seed that fails, and the command that runs the seed again.
func TestSeeds(t *testing.T) {
	started, failures := time.Now(), 0
	all := sim.RunMany(subject.Native, 1, seeds(t), func(r sim.Result) bool {
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

// TestMemoryIsACache checks I4: browsers and models are told the same after the same decisions,
// although every object hibernates as soon as it may.
func TestMemoryIsACache(t *testing.T) {
	s, slept := subject.Native(), 0
	for seed := range uint32(120) {
		first := sim.Run(s, seed)
		forgetful := subject.Native()
		forgetful.Forgetful = true
		again := sim.Replay(forgetful, first.Script, nil)
		// An object that wakes during a turn sends the transcript once more, because it does not
		// know which tabs have it, and reconciles its runs at once. Its first event has more
		// commands, so that a process dies at another one. It does not know which probe it has
		// answered.
		sensitive := slices.ContainsFunc(first.Script.Decisions, func(d string) bool { return strings.HasPrefix(d, "lose ") || strings.HasPrefix(d, "echo ") })
		exact := !again.SleptInTurn && !sensitive && first.Traps == again.Traps
		if again.Failure != nil || exact && first.Seen != again.Seen {
			t.Errorf("seed %d: what was seen was %s, and is %s: %v", seed, first.Seen, again.Seen, again.Failure)
		}
		if first.Sum != again.Sum {
			slept++
		}
	}
	if slept == 0 {
		t.Error("no object ever hibernated")
	}
}

// TestSeedsRepeat checks that a seed decides everything that happens in its world.
func TestSeedsRepeat(t *testing.T) {
	s := subject.Native()
	for seed := range uint32(20) {
		first, again := sim.Run(s, seed), sim.Run(s, seed)
		if replayed := sim.Replay(subject.Native(), first.Script, nil); first.Sum != again.Sum || first.Sum != replayed.Sum {
			t.Errorf("seed %d: %s, then %s, and replayed %s", seed, first.Sum, again.Sum, replayed.Sum)
		}
	}
}
