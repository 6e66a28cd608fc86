package main

import "slices"

// mutation is a fault that is put into the core: in a file below durable, new replaces old, which
// occurs once there, within a function. file may be a pattern.
type mutation struct {
	name, file, old, new string
	// seed is the first seed that finds the fault, or a later one if the worlds have changed since. It
	// is the number of seeds that a search needs.
	seed uint32
	// test is the folder and the name of the test that finds a fault that the simulator does not find,
	// or "". unseen says why the simulator does not find it.
	test, unseen string
}

var mutations = slices.Concat(socketMutations, mcpMutations, shareMutations, linkMutations, serverMutations, schemaMutations, codeMutations, browserMutations, turnMutations, helperMutations, runMutations, signalMutations, originMutations, flowMutations, actionMutations, controlMutations, baseMutations, reportMutations, scopeMutations, lossMutations, modelMutations, snapshotMutations, owedMutations)
