package sim

import "io"

// Result is what came of one world.
type Result struct {
	// Script is what was decided in it.
	Script  Script
	Failure *Failure
	// Events is how many events have happened, Checks how many times something was held
	// against them, and Known how often each excuse was needed.
	Events, Checks int
	Known          map[string]int
	// Sum stands for everything that was decided and has happened: it is the same on every
	// engine. Seen stands for what browsers and the model were told.
	Sum, Seen string
	// SleptInTurn says that an object hibernated while a turn of its was open. It shows more when
	// it wakes than one that has stayed awake.
	SleptInTurn bool
	// Traps is how many events have trapped. The same decision may have another event trap, or none,
	// where an object has to be opened first: that takes statements, too.
	Traps int
}

// Run lets the world of a seed go its way, and checks it.
func Run(subject Subject, seed uint32) Result {
	return run(subject, seed, nil, func(s *Sim) {
		for range s.profile.length {
			if s.failure != nil {
				return
			}
			s.do(s.choose())
		}
	})
}

// Replay lets given decisions be made in the world of a seed. What happens is written to
// words, if there is one.
func Replay(subject Subject, script Script, words io.Writer) Result {
	return run(subject, script.Seed, words, func(s *Sim) {
		for _, decision := range script.Decisions {
			if s.failure != nil {
				return
			}
			s.do(decision)
		}
	})
}

// run lets some decisions be made, and then the world come to rest.
func run(subject Subject, seed uint32, words io.Writer, decide func(*Sim)) Result {
	s := newSim(subject, seed)
	s.log.words = words
	defer func() {
		if err := s.engine.Close(); err != nil {
			panic(err)
		}
	}()
	decide(s)
	script := Script{Seed: seed, Decisions: s.script}
	s.settle()
	for _, n := range s.everyone() {
		if s.failure == nil {
			n.rest()
		}
	}
	return Result{Script: script, Failure: s.failure, Events: s.count((*Sim).happened), Checks: s.count((*Sim).held), Known: s.known, Sum: s.log.sum(), Seen: s.log.seen(), SleptInTurn: s.sleptInTurn, Traps: s.traps}
}
