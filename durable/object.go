package durable

// Object is one durable object, root or helper alike: the in-memory part of
// what lies in its storage.
type Object interface {
	// Step lets one event happen. It reads and writes through tx and answers by
	// tx.Do. It panics only when an invariant is broken.
	Step(tx *Tx, event Event)
	// Load says what keeping this value in memory costs and saves.
	Load() Load
}

// Dropper is an [Object] that is told when its host throws its value away, and ends what
// would stay in memory without it: coroutines are never collected. It cannot do anything
// else; when a whole instance dies, nobody is told.
type Dropper interface{ Drop() }

// Load is what a host weighs when it wants memory back.
type Load struct {
	// Busy says that throwing the value away now would interrupt something,
	// such as a model's answer that is streaming in.
	Busy bool
	// Bytes is roughly what the value holds in memory.
	Bytes int
}

// Class is a kind of object.
type Class struct {
	// Name is the class's name as the platform knows it, such as "Assistant".
	Name string
	// Helper says that its objects live in a parent, as its facets, and that nobody
	// else reaches them.
	Helper bool
	// New makes the in-memory part of one object, before its [Opened] event.
	New func() Object
}
