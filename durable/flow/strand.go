package flow

import (
	"fmt"
	"iter"
	"slices"
)

// strand is one coroutine of a routine: the code itself, or a branch of it.
type strand struct {
	// branch is where its awaits stand in the journal, place the next of them.
	branch, place int
	// limits are the awaits that bound its time, outermost first.
	limits []int
	// waits says whether it can go on; nil is yes.
	waits func() bool
	// doing names the step whose function runs, which must not await.
	doing string

	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
	// over says that its code has ended, or was told to.
	over bool
}

// strand adds a coroutine, which begins when the others wait. They stand in the order in
// which they were begun first, which is theirs in every life.
func (r *Routine) strand(branch int, limits []int, code func()) {
	s := &strand{branch: branch, limits: slices.Clone(limits)}
	s.next, s.stop = iter.Pull(func(yield func(struct{}) bool) {
		s.yield = yield
		defer r.unwound(s)
		code()
		r.asIfAgain(s)
	})
	at, _ := slices.BinarySearchFunc(r.strands, branch, func(have *strand, branch int) int { return have.branch - branch })
	r.strands = slices.Insert(r.strands, at, s)
}

// asIfAgain holds a strand that has ended against the journal: one that was longer
// before has diverged.
func (r *Routine) asIfAgain(s *strand) {
	if e := r.journal.find(s.branch, s.place); e != nil {
		panic(ending{&DivergedError{Key: e.key, Code: r.code, Was: e.name, Asked: "its end"}})
	}
}

// unwound is where a strand's code ends. Panics of the code's own go on: they are
// traps.
func (r *Routine) unwound(s *strand) {
	s.over = true
	switch p := recover().(type) {
	case nil, halted:
	case ending:
		r.end(nil, p.error)
	default:
		panic(p)
	}
}

// ready returns the first strand that can go on, or nil.
func (r *Routine) ready() *strand {
	for _, s := range r.strands {
		if !s.over && (s.waits == nil || s.waits()) {
			return s
		}
	}
	return nil
}

func (r *Routine) run(s *strand) {
	r.current = s
	defer func() { r.current = nil }()
	s.next()
	if s.over {
		r.strands = slices.DeleteFunc(r.strands, func(have *strand) bool { return have.over })
	}
}

// halt ends a strand where it waits, or the running one where it awaits next. Its
// deferred functions run, and can await nothing.
func (r *Routine) halt(s *strand) {
	if s.over {
		return
	}
	if s == r.current {
		s.over = true
		return
	}
	defer func(before *strand) { r.current = before }(r.current)
	r.current, s.over = s, true
	s.stop()
}

// first waits until one of some awaits has ended, and returns which one; -1 says that
// a time limit came before. What has ended before decides, so that code which is run
// again finds the same.
func (r *Routine) first(positions ...int) int {
	s := r.running()
	i, found := r.won(s, positions)
	for !found {
		s.waits = func() bool { _, found := r.won(s, positions); return found }
		if !s.yield(struct{}{}) {
			panic(halted{})
		}
		i, found = r.won(s, positions)
	}
	s.waits = nil
	return i
}

func (r *Routine) won(s *strand, positions []int) (i int, found bool) {
	earliest := r.overSince(s.limits)
	i, found = -1, earliest > 0
	for n, position := range positions {
		if ended := r.journal.entries[position].ended; ended > 0 && (!found || ended < earliest) {
			i, found, earliest = n, true, ended
		}
	}
	return i, found
}

// running returns the strand that asks for something.
func (r *Routine) running() *strand {
	s := r.current
	if s == nil {
		panic("flow: " + r.code + " awaits from outside of itself: in a goroutine, or with a context that was kept")
	}
	if s.over {
		panic(halted{})
	}
	if s.doing != "" {
		panic(ending{fmt.Errorf("%s awaits inside of %s, and a step must not", r.code, s.doing)})
	}
	return s
}
