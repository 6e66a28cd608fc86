package flow

import (
	"fmt"
	"iter"
	"slices"
)

// coroutine is one coroutine of a routine: the code itself, or a branch of it.
type coroutine struct {
	// branch is the coroutine's own journal branch.
	branch int
	// in is the journal branch of the next await, and place its place. It is the coroutine's own, or
	// that of an attempt of a step.
	in, place int
	// limits are the awaits of the time limits around it, outermost first.
	limits []int
	// waits says whether the coroutine can continue. Nil means that it can.
	waits func() bool
	// key is what the code sends to servers to be recognised, or "".
	key string
	// doing names the step whose function is running. That function must not await.
	doing string

	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
	// over says that its code has ended, or was told to end.
	over bool
	// contain is told of an error that would end the whole routine, if it is not nil.
	contain func(error)
}

// addCoroutine adds a coroutine, which begins when the others wait. The coroutines keep the order
// in which they were first begun, also when the code is run again.
func (r *Routine) addCoroutine(branch int, limits []int, code func()) *coroutine {
	s := &coroutine{branch: branch, in: branch, limits: slices.Clone(limits)}
	if r.current != nil {
		s.key = r.current.key
	}
	s.next, s.stop = iter.Pull(func(yield func(struct{}) bool) {
		s.yield = yield
		defer r.finished(s)
		code()
		r.checkEnd(s)
	})
	at, _ := slices.BinarySearchFunc(r.coroutines, branch, func(have *coroutine, branch int) int { return have.branch - branch })
	r.coroutines = slices.Insert(r.coroutines, at, s)
	return s
}

// checkEnd compares the end of a coroutine, or of an attempt in it, with the journal. Code that has
// awaited more in an earlier life has diverged.
func (r *Routine) checkEnd(s *coroutine) {
	if e := r.journal.find(s.in, s.place); e != nil {
		panic(ending{&DivergedError{Key: e.key, Code: r.code, Was: e.name, Asked: "its end"}})
	}
}

// finished runs when a coroutine's code ends. It does not recover panics of the code itself: they
// are traps.
func (r *Routine) finished(s *coroutine) {
	s.over = true
	switch p := recover().(type) {
	case nil, halted:
	case ending:
		if s.contain != nil {
			s.contain(p.error)
			return
		}
		r.end(nil, p.error)
	default:
		panic(p)
	}
}

// ready returns the first coroutine that can continue, or nil.
func (r *Routine) ready() *coroutine {
	for _, s := range r.coroutines {
		if !s.over && (s.waits == nil || s.waits()) {
			return s
		}
	}
	return nil
}

func (r *Routine) run(s *coroutine) {
	r.current = s
	defer func() { r.current = nil }()
	s.next()
	if s.over {
		r.coroutines = slices.DeleteFunc(r.coroutines, func(have *coroutine) bool { return have.over })
	}
}

// halt ends a coroutine where it waits, or the running one at its next await. Its deferred
// functions run, and cannot await.
func (r *Routine) halt(s *coroutine) {
	if s.over {
		return
	}
	if s == r.current {
		s.over = true
		return
	}
	defer func(before *coroutine) { r.current = before }(r.current)
	r.current, s.over = s, true
	s.stop()
}

// first waits until one of some awaits has ended, and returns its position, or -1 if a time limit
// came first. The recorded order of ends decides, so code that is run again gets the same result.
func (r *Routine) first(positions ...int) int {
	s := r.running()
	for _, position := range positions {
		if r.journal.entries[position] == nil {
			panic(ending{fmt.Errorf("%s waits for what a step has begun, and the step has ended", r.code)})
		}
	}
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

// won returns which of some awaits has ended first, or -1 for a time limit. Code goes on behind a
// limit only when everything under the limit has been cancelled. If the instance was lost before,
// the code that is run again has to reach that first.
func (r *Routine) won(s *coroutine, positions []int) (i int, found bool) {
	earliest := r.overSince(s.limits)
	i, found = -1, earliest > 0
	if found && len(r.overdue()) > 0 {
		return -1, false
	}
	for n, position := range positions {
		if ended := r.journal.entries[position].ended; ended > 0 && (!found || ended < earliest) {
			i, found, earliest = n, true, ended
		}
	}
	return i, found
}

// running returns the coroutine that is running now.
func (r *Routine) running() *coroutine {
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
