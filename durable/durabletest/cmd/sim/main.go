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
	"runtime"
	"strings"
	"time"

	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/sim"
)

var (
	seed     = flag.Uint("seed", 0, "the only seed to run, and to shrink if it fails")
	from     = flag.Uint("from", 1, "the first of many seeds")
	seeds    = flag.Uint("seeds", 2000, "how many")
	failures = flag.Int("failures", 20, "after how many seeds that failed no other is begun")
	tries    = flag.Int("shrink", 2000, "how often to try to leave something out of a seed that fails")
	verbose  = flag.Bool("v", false, "tell everything that happens")
)

func main() {
	flag.Parse()
	if *seed != 0 {
		os.Exit(one(uint32(*seed)))
	}
	os.Exit(many())
}

func subject() sim.Subject {
	pool := &durabletest.Pool{}
	return sim.Subject{Root: agents.Assistant.Name, Engine: func(seed uint32) durabletest.Keeper {
		n := durabletest.NewNative(seed, agents.Classes()...)
		n.Draw(pool)
		return n
	}}
}

func one(seed uint32) int {
	s := subject()
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
	started := time.Now()
	total := sim.Sweep{
		Subject: subject, From: uint32(*from), Seeds: uint32(*seeds), Workers: runtime.GOMAXPROCS(0), Enough: *failures,
	}.Run()
	for _, r := range total.Failed {
		fmt.Printf("seed %d (%d decisions): %.300s\n", r.Seed, len(r.Script), r.Failure)
	}
	fmt.Printf("%d seeds, %.1f a second, %d events, %d checks, %d failed, known: %v\n",
		total.Seeds, float64(total.Seeds)/time.Since(started).Seconds(), total.Events, total.Checks, len(total.Failed), total.Known)
	if len(total.Failed) > 0 {
		return 1
	}
	return 0
}
