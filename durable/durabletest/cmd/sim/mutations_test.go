package main

import "slices"

// mutation is a fault that is put into the core: in a file below durable, new stands in place of
// old, which occurs there once, in a function. A pattern may stand for the file.
type mutation struct {
	name, file, old, new string
	// seed is the first that finds it, counted from 1, so that a search needs as many. Where the
	// worlds have changed since, it is another.
	seed uint32
	// test is the folder and the name of the test that finds what the simulator does not see, or "",
	// and unseen says why it does not.
	test, unseen string
}

var mutations = slices.Concat(browserMutations, turnMutations, helperMutations, runMutations, baseMutations)
