// Command sim lets simulated worlds of the shipped agents go their way, one a seed, and
// checks that the invariants hold in them.
//
//	go run ./durable/durabletest/cmd/sim -seeds 100000      runs many
//	go run ./durable/durabletest/cmd/sim -seed 4711 -v      runs one, and tells what happens
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/sim"
)

var (
	seed    = flag.Uint("seed", 0, "the only seed to run, and to shrink if it fails")
	from    = flag.Uint("from", 1, "the first of many seeds")
	seeds   = flag.Uint("seeds", 2000, "how many")
	tries   = flag.Int("shrink", 2000, "how often to try to leave something out of a seed that fails")
	verbose = flag.Bool("v", false, "tell everything that happens")
)

func main() {
	flag.Parse()
	if *seed != 0 {
		os.Exit(one(uint32(*seed)))
	}
	os.Exit(many())
}

func subject() (sim.Subject, *durabletest.Pool) {
	pool := &durabletest.Pool{}
	return sim.Subject{Root: agents.Assistant.Name, Engine: func(seed uint32) durabletest.Keeper {
		n := durabletest.NewNative(seed, agents.Classes()...)
		n.Draw(pool)
		return n
	}}, pool
}

func one(seed uint32) int {
	s, _ := subject()
	r := sim.Run(s, seed)
	if r.Failure != nil && *tries > 0 {
		r = sim.Shrink(s, r, *tries)
	}
	if *verbose {
		sim.Replay(s, seed, r.Script, os.Stdout)
	}
	fmt.Printf("seed %d: %d decisions, %d events, %s\n", seed, len(r.Script), r.Events, r.Sum)
	if r.Failure == nil {
		return 0
	}
	fmt.Println(strings.Join(r.Script, "\n"))
	fmt.Println(r.Failure)
	return 1
}

func many() int {
	s, _ := subject()
	failed := 0
	known := map[string]int{}
	events := 0
	for i := range uint32(*seeds) {
		r := sim.Run(s, uint32(*from)+i)
		events += r.Events
		for k, n := range r.Known {
			known[k] += n
		}
		if r.Failure != nil {
			failed++
			fmt.Printf("seed %d (%d decisions): %.300s\n", r.Seed, len(r.Script), r.Failure)
			if failed > 20 {
				break
			}
		}
	}
	fmt.Println(*seeds, "seeds,", events, "events,", failed, "failed, known:", known)
	if failed > 0 {
		return 1
	}
	return 0
}
