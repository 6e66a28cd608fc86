package durabletest

// This file is the rule by which an object that traps again is taken out of the instance that
// it shares with its neighbours. Every host keeps it: the module's hosts with instances, the
// native engine with what a trap takes.

// Times in milliseconds.
const (
	// trapsAgain is how soon after a trap another one has its object moved.
	trapsAgain = 60_000
	// wellFor is how long an object has to be without a trap before it comes back.
	wellFor = 600_000
)

// containment remembers of one object how it has trapped.
type containment struct {
	trapped   bool
	last      int64
	contained bool
}

// trap notes that the object has trapped.
func (c *containment) trap(at int64) {
	c.contained = c.apart(at) || c.trapped && at-c.last <= trapsAgain
	c.trapped, c.last = true, at
}

// apart says whether the object has an instance of its own when it is opened.
func (c *containment) apart(at int64) bool { return c.contained && at-c.last < wellFor }
