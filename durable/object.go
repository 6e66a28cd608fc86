package durable

// Object is one durable object, root or helper: the in-memory part of its storage.
type Object interface {
	// Step handles one event. It reads and writes through tx and answers by tx.Do. It panics only
	// if an invariant is broken.
	Step(tx *Tx, event Event)
	// Load returns what keeping this value in memory costs.
	Load() Load
}

// Dropper is an [Object] that its host tells before it discards the value. Drop ends what would
// otherwise stay in memory: coroutines are never garbage collected. Drop cannot do anything else.
// It is not called if a whole instance dies.
type Dropper interface{ Drop() }

// Load is what a host compares when it must free memory.
type Load struct {
	// Busy says that discarding the value now would interrupt work, such as a model's answer that
	// is streaming in.
	Busy bool
	// Bytes is roughly what the value holds in memory.
	Bytes int
	// Watched says that the object goes on with work whose memory was lost, which may have been the
	// work's own doing. The host delivers [TimerFired] with the timer [Announced] before its next event.
	// After an [Opened] that event is [Resumed].
	Watched bool
}

// Class is a kind of object.
type Class struct {
	// Name is the class's name as the platform knows it, such as "Assistant".
	Name string
	// Helper says that objects of this class live in a parent, as its facets, and that only the
	// parent reaches them.
	Helper bool
	// Title, Description and Suggestions are what a page shows of a root before the first message.
	// They are "" and nil if the application says nothing.
	Title, Description string
	Suggestions        []string
	// Methods are the names of what clients can call, in order. A page offers what there is a method
	// for.
	Methods []string
	// Exposed says that other programs use objects of this class by the Model Context Protocol.
	Exposed bool
	// Agent is the declaration that the class was made of, such as an agent.Agent, or nil. Tests read
	// it.
	Agent any
	// Check says what is wrong with the variables and the secrets of a deployment. It is nil if nothing can be. variable
	// returns a variable, or "", and hasSecret says whether there is a secret of a name.
	Check func(variable func(name string) string, hasSecret func(name string) bool) error
	// New makes the in-memory part of one object, before its [Opened] event.
	New func() Object
}
