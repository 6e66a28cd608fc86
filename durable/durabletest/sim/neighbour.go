package sim

import (
	"slices"
	"strconv"
)

// This file is about roots that live in one isolate: each has people, a model and checks of its
// own. Trouble is decided by the first, and comes over all.

// moveIn adds a root to the isolate.
func (s *Sim) moveIn() {
	if s.first != nil {
		return
	}
	number := strconv.Itoa(len(s.neighbours) + 1)
	seed := newDice(s.seed, "neighbour", number).seed()
	n := &Sim{
		seed: seed, profile: newProfile(seed, s.methodCalls), methodCalls: s.methodCalls, engine: s.engine, dice: newDice(seed, "decisions"), inFlight: newInFlight(),
		known: s.known, log: s.log.neighbour("beside " + number), armed: unarmed, losing: unarmed, mounted: s.mounted, forgetful: s.forgetful,
		root: s.root, first: s,
	}
	n.profile.faults, n.profile.calm = nil, 0
	n.world = s.world.Beside(s.root, "room-"+number)
	n.model, n.checks = newEndpoint(n), newCheckState()
	n.asking, n.plans = slices.Contains(n.profile.planned, "questions"), slices.Contains(n.profile.planned, "plans")
	n.world.Hold(n.witness)
	s.neighbours = append(s.neighbours, n)
}

// everyone returns the roots of the isolate that do no harm.
func (s *Sim) everyone() []*Sim {
	if s.first != nil {
		return s.first.everyone()
	}
	return append([]*Sim{s}, s.neighbours...)
}

// any has all of the isolate do something, and says whether any of them had something to do.
func (s *Sim) any(do func(*Sim) bool) bool {
	did := false
	for _, n := range s.everyone() {
		did = do(n) || did
	}
	return did
}

// happened and held are how many events have happened to one, and how often something was held
// against them.
func (s *Sim) happened() int { return s.events }
func (s *Sim) held() int     { return s.checked }

// count adds up what is counted of all.
func (s *Sim) count(of func(*Sim) int) int {
	n := 0
	for _, each := range s.everyone() {
		n += of(each)
	}
	return n
}
