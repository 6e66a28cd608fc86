package sim

import (
	"io"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/transcript"
)

// Result is the outcome of one world.
type Result struct {
	// Script is the decisions that were made in it.
	Script Script
	// Failure is the first broken rule, or nil.
	Failure *check.Failure
	// Events is the number of events, Checks the number of comparisons, and Expected how often each
	// expected failure was seen.
	Events, Checks int
	Expected       map[string]int
	// Sum is a hash of everything that was decided and that happened, which is the same on every
	// engine. Seen is a hash of what browsers and the model were told.
	Sum, Seen string
	// SleptInTurn says that an object hibernated during a turn. When it wakes, it shows more than
	// one that has stayed awake.
	SleptInTurn bool
	// Traps is how many events have trapped. The same decision may make another event trap, or
	// none, if an object has to be opened first: that takes statements, too.
	Traps int
}

// Run lets the world of a seed go its way, and checks it.
func Run(subject Subject, seed uint32) Result {
	return run(subject, seed, nil, func(r *root) {
		for range r.profile.Length {
			if r.hasFailed() {
				return
			}
			r.do(r.chooser.Next())
		}
	})
}

// Replay makes given decisions in the world of their seed. What happens is written to words, unless
// that is nil.
func Replay(subject Subject, script Script, words io.Writer) Result {
	return run(subject, script.Seed, words, func(r *root) {
		for _, decision := range script.Decisions {
			if r.hasFailed() {
				return
			}
			r.do(decision)
		}
	})
}

// run makes decisions in the world of a seed, and then lets the world come to rest.
func run(subject Subject, seed uint32, words io.Writer, decide func(*root)) Result {
	r := newFirst(subject, seed, transcript.New(words))
	defer func() {
		if err := r.engine.Close(); err != nil {
			panic(err)
		}
	}()
	decide(r)
	script := Script{Seed: seed, Decisions: r.script}
	r.settle()
	for _, n := range r.everyone() {
		if !r.hasFailed() {
			n.checkRest()
		}
	}
	result := Result{
		Script: script, Failure: r.view.Failure, Expected: r.view.Expected,
		Sum: r.log.Sum(), Seen: r.log.Outside(), SleptInTurn: r.sleptInTurn, Traps: r.traps,
	}
	for _, n := range r.everyone() {
		result.Events += n.events
		result.Checks += n.view.Checks
	}
	return result
}
