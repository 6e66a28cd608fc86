// Command sim runs simulated worlds, one for each seed, and checks that the invariants hold in
// them. Odd seeds have the shipped agents, and even seeds have the agents of package subject.
//
//	go run ./durable/durabletest/cmd/sim -seeds 100000    runs many worlds
//	go run ./durable/durabletest/cmd/sim -seed 4711       runs one, and shrinks it if it fails
//	go run ./durable/durabletest/cmd/sim -script FILE -v  runs decisions, and prints what happens
//	go run ./durable/durabletest/cmd/sim -digest          compares all transcripts with those of an earlier run
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/tributary-agents/tributary/durable/durabletest/sim"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/subject"
	"github.com/tributary-agents/tributary/internal/progress"
)

var (
	seed    = flag.Uint("seed", 0, "the only seed to run")
	script  = flag.String("script", "", "a file of decisions to run")
	from    = flag.Uint("from", 1, "the first of many seeds")
	seeds   = flag.Int("seeds", 2000, "how many")
	step    = flag.Uint("step", 1, "the distance between two seeds: from 16 on in steps of 16, all roots use servers")
	enough  = flag.Int("enough", 20, "after how many seeds that failed no other is begun")
	tries   = flag.Int("shrink", 2000, "how often to try to leave something out of what fails")
	digests = flag.Bool("digest", false, "compare the sums of the transcripts of 2,000 seeds and all scripts with those in "+digestFile)
	rewrite = flag.Bool("write", false, "with -digest: write that file")
	verbose = flag.Bool("v", false, "tell everything that happens")
)

func main() {
	flag.Parse()
	failure, err := start()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if failure {
		os.Exit(1)
	}
}

func start() (failed bool, err error) {
	switch {
	case *digests:
		return digest(*rewrite)
	case *script != "":
		text, err := os.ReadFile(*script)
		if err != nil {
			return false, err
		}
		s, err := sim.ParseScript(string(text))
		if err != nil {
			return false, err
		}
		return report(sim.Replay(subject.Native(), s, words())), nil
	case *seed != 0:
		return report(sim.Run(subject.Native(), uint32(*seed))), nil
	}
	return many(), nil
}

func words() io.Writer {
	if *verbose {
		return os.Stdout
	}
	return nil
}

// report prints the outcome of one world, and says whether the world has failed.
func report(r sim.Result) bool {
	if r.Failure != nil && *tries > 0 {
		r = sim.Shrink(subject.Native(), r, *tries)
	}
	if *verbose && *script == "" {
		sim.Replay(subject.Native(), r.Script, os.Stdout)
	}
	fmt.Printf("seed %d: %d decisions, %d events, %s\n", r.Script.Seed, len(r.Script.Decisions), r.Events, r.Sum)
	if r.Failure == nil {
		return false
	}
	fmt.Printf("%s\n\n%s", r.Failure, r.Script)
	return true
}

// many runs seeds side by side, and says whether any has failed.
func many() bool {
	worlds := progress.NewWorlds()
	line := progress.Begin(os.Stdout, worlds.String)
	runner := func() sim.Runner {
		s := subject.Native()
		return func(n uint32) sim.Result { return sim.Run(s, uint32(*from)+n*uint32(*step)) }
	}
	all := sim.RunWhile(runner, 0, func(n int) bool { return n < *seeds }, func(r sim.Result) bool {
		if r.Failure != nil {
			line.Printf("seed %d: %.400s\n\tgo run ./durable/durabletest/cmd/sim -seed %[1]d", r.Script.Seed, r.Failure)
		}
		return worlds.Done(r.Failure != nil) < *enough
	})
	line.End()
	fmt.Printf("%s\n%s\n", worlds, all)
	return all.Failed > 0
}
