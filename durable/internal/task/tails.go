package task

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/run"
)

// Tails are the streams through which the parent reads the runs of this object, the time at which
// the parent wakes it, and whether its run is paused. The streams are not stored.
type Tails struct {
	work Work
	// tailWriters are the streams, by name.
	tailWriters map[string]*tailWriter
	// nextWake is when the parent wakes this object, or 0.
	nextWake int64
	// pause is the last pause of the run, or its end.
	pause pause
	// asked counts the changes of the object's questions to a person.
	asked int
	// reportedAsked is the latest of them that a parent was told.
	reportedAsked int
}

// Work is what is known of the work on a run.
type Work interface {
	// Store stores what the event has said. It is called before a log is read.
	Store(*durable.Tx)
	// TakeRequests returns what is to go up to the root now.
	TakeRequests(*durable.Tx) []*facet.HostRequest
	// Usage is what a run has cost so far.
	Usage(Task) run.Usage
	// Received is how many signals the code of a run has received.
	Received(*durable.Tx, Task) run.Received
	// Pause says why a run produces nothing for a long time, if it does not.
	Pause(*durable.Tx, Task) (facet.Pause, bool)
	// NextWake is when the parent has to wake this object, in milliseconds since 1970, or 0.
	NextWake(*durable.Tx) int64
	// Questions are the object's questions to a person, and those of its helpers.
	Questions(*durable.Tx) []facet.Question
	// Idle says that this object has nothing to do before the parent wakes it or sends it something.
	Idle(*durable.Tx) bool
}

// New returns tails without a reader.
func New(w Work) *Tails { return &Tails{work: w} }

// Arm arms the timer of a helper for its next due entry of a kind that keep accepts. The parent may
// wake the helper for it. It does not while a call of its own waits for what is due: what this helper has
// announced meanwhile may have been lost with a stream.
func (t *Tails) Arm(tx *durable.Tx, timer string, calling bool, keep func(kind string) bool) {
	woken := t.nextWake
	if calling {
		woken = 0
	}
	durable.ArmTimer(tx, timer, woken, keep)
}
