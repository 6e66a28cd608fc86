// Command soak runs simulated worlds with seeds that were not tried before: the first seed comes
// from the clock. Most run natively only. Some of those with the shipped agents run on the module
// too, and must give the same result, to the byte.
//
//	go run ./wasm/tck/cmd/soak -minutes 30   runs fresh seeds on all cores
//	go run ./wasm/tck/cmd/soak -seed 4711    runs one, natively and on the module
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/sim"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/subject"
	"github.com/tributary-agents/tributary/internal/progress"
	"github.com/tributary-agents/tributary/wasm/host"
	"github.com/tributary-agents/tributary/wasm/tck"
)

var (
	minutes = flag.Float64("minutes", 30, "for how long seeds are begun")
	seed    = flag.Uint("seed", 0, "the only seed to run")
	enough  = flag.Int("enough", 20, "after how many seeds that failed no other is begun")
)

// share says that one seed of so many runs on the module too. It is an odd one, because odd seeds
// have the shipped agents, and the module has no others.
const share = 20

func main() {
	flag.Parse()
	clean, err := soak(context.Background())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if !clean {
		os.Exit(1)
	}
}

func soak(ctx context.Context) (clean bool, err error) {
	module, err := compile(ctx)
	if err != nil {
		return false, err
	}
	defer func() { _ = module.Close(ctx) }()
	if *seed != 0 {
		r := both(module)(uint32(*seed))
		fmt.Printf("seed %d: %d events, %s: %s\n", *seed, r.Events, r.Sum, summary(r))
		return r.Failure == nil, nil
	}
	return many(module), nil
}

// many runs fresh seeds until the time is up, and says whether none has failed.
func many(module *host.Module) (clean bool) {
	started := time.Now()
	until := started.Add(time.Duration(*minutes * float64(time.Minute)))
	first := fresh(started)
	fmt.Printf("seeds from %d on, for %g minutes\n", first, *minutes)
	runner := func() sim.Runner {
		here, there := subject.Native(), both(module)
		return func(seed uint32) sim.Result {
			if onModule(seed) {
				return there(seed)
			}
			return sim.Run(here, seed)
		}
	}
	worlds := progress.NewWorlds()
	line := progress.Begin(os.Stdout, func() string {
		return fmt.Sprintf("%s; %s to go", worlds, time.Until(until).Round(time.Second))
	})
	all := sim.RunWhile(runner, first, func(int) bool { return time.Now().Before(until) }, func(r sim.Result) bool {
		if r.Failure != nil {
			line.Printf("seed %d: %.400s\n\t%s -seed %[1]d", r.Script.Seed, r.Failure, command(r.Script.Seed))
		}
		return worlds.Done(r.Failure != nil) < *enough
	})
	line.End()
	fmt.Printf("%s\n%s, from %d on\n", worlds, all, first)
	return all.Failed == 0
}

// fresh returns the first seed for a time. Each second has a hundred seeds of its own, more than
// are run in it, so that two soaks have different seeds. After more than a year the seeds repeat.
// The lowest seeds are left to the tests.
func fresh(t time.Time) uint32 {
	const tested, aSecond = 10_000_000, 100
	return uint32(tested + t.Unix()*aSecond%(1<<32-2*tested))
}

// command returns the command that runs a seed again.
func command(seed uint32) string {
	if onModule(seed) {
		return "go run ./wasm/tck/cmd/soak"
	}
	return "go run ./durable/durabletest/cmd/sim"
}

func onModule(seed uint32) bool { return seed%share == 1 }

func summary(r sim.Result) string {
	if r.Failure == nil {
		return "nothing is found"
	}
	return r.Failure.Error()
}

func compile(ctx context.Context) (*host.Module, error) {
	path, err := tck.Build("wasm/cmd/tributary")
	if err != nil {
		return nil, err
	}
	code, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return host.Compile(ctx, code, host.Options{})
}

// both runs a seed natively and on the module, and compares the results.
func both(module *host.Module) sim.Runner {
	native, pool := subject.Native(), &durabletest.Pool{}
	wasm := sim.Subject{Root: agents.Assistant.Name, Engine: func(seed uint32) durabletest.Inspector {
		return host.NewEngine(module, host.EngineOptions{Seed: seed, Pool: pool, MaxMemory: 1 << 30})
	}}
	return func(seed uint32) sim.Result {
		want := sim.Run(native, seed)
		if want.Failure != nil || seed%2 == 0 {
			return want
		}
		got := sim.Run(wasm, seed)
		if got.Failure == nil && got.Sum != want.Sum {
			got.Failure = &check.Failure{Invariant: "module", Message: fmt.Sprintf("%d events happen on it and %d natively", got.Events, want.Events)}
		}
		return got
	}
}
