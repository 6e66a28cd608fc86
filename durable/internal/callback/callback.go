// Package callback calls the callbacks of schedules. Each call is an event of its own, and so a transaction of its own: a
// failing callback affects no other. Each call claims the next one. So an event does a bounded amount of work, however many
// callbacks are due at the same time.
package callback

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/schedule"
)

// Due is the kind of the entry of an object's schedule at which the next callback is called. It is stored, and never changes.
const Due = "callback"

// Caller calls the callbacks of an agent.
type Caller struct {
	// Agent is the name of the agent.
	Agent string
	// Find returns the callback of a name, or nil.
	Find func(name string) func(tx *durable.Tx, e schedule.Entry) error
}

// Check returns an error if the agent has no callback of a name.
func (c Caller) Check(name string) error {
	if c.Find(name) == nil {
		return fmt.Errorf("%s has no callback named %.80q", c.Agent, name)
	}
	return nil
}

// HandleDue makes the call that was claimed, and claims the next one. If something else is done in the event, the call is
// made in the next event: alone and called are false.
func (c Caller) HandleDue(tx *durable.Tx, alone bool) (called bool) {
	if !alone {
		tx.Schedule(Due, "", tx.Now)
		return false
	}
	if e, ok := schedule.ToCall(tx); ok {
		c.call(tx, e)
	}
	schedule.Claim(tx)
	Follow(tx)
	return true
}

func (c Caller) call(tx *durable.Tx, e schedule.Entry) {
	if err := c.Check(e.Callback); err != nil { // a deployment has removed it; a retry would not help
		e.Attempts = e.MaxAttempts
		failed(tx, e, err.Error(), true)
		return
	}
	schedule.Take(tx, e)
	if err := c.Find(e.Callback)(tx, e); err != nil {
		failed(tx, e, err.Error(), false)
	}
}

// FailClaimed charges the call that was claimed for the loss of the instance, which this object has caused: most likely by
// the callback. It says whether a call was claimed.
func FailClaimed(tx *durable.Tx, why string) bool {
	e, ok := schedule.ToCall(tx)
	if ok {
		failed(tx, e, why, true)
		Follow(tx)
	}
	return ok
}

func failed(tx *durable.Tx, e schedule.Entry, why string, last bool) {
	state := schedule.Fail(tx, e, why, last)
	tx.Log(durable.Error, "a callback failed", "schedule", e.ID, "callback", e.Callback,
		"attempt", fmt.Sprint(e.Attempts), "state", string(state), "error", why)
}

// Follow sets the object's own schedule to the time of the next call.
func Follow(tx *durable.Tx) {
	if due := schedule.Next(tx); due > 0 {
		tx.Schedule(Due, "", due)
	} else if tx.Scheduled(Due, "") {
		tx.Unschedule(Due, "")
	}
}
