package agent

import (
	"cmp"
	"encoding/json"
	"fmt"
)

// Callback is what a schedule calls, see [Conversation.Schedule]. It runs in an event of its own
// and cannot wait. It starts longer work with [Conversation.Notify] or [StartDetached].
//
// A callback that returns an error is called again later, five times in all unless
// [schedule.MaxAttempts] says otherwise. What a failed call has done is not undone. After the last
// failure, a repeated schedule goes on with its next time, and any other schedule is kept as
// failed. A callback that panics is tried as often, and its schedule is kept as failed in any case.
type Callback func(c *Conversation, s Scheduled) error

// Scheduled is one call of a [Callback].
type Scheduled struct {
	// ID names the schedule. Payload is the schedule's payload, JSON or nil.
	ID      string
	Payload json.RawMessage
	// Planned is the time for which the call was scheduled, and Now is the current time, both in
	// milliseconds since 1970. They are far apart if the object did not run in between.
	Planned, Now int64
	// Attempt counts the calls for this time, from 1.
	Attempt int
}

// NewCallback makes a callback of a function whose payload is a Go type. A stored payload that
// cannot be decoded as that type is a failure.
func NewCallback[In any](f func(c *Conversation, in In, s Scheduled) error) Callback {
	return func(c *Conversation, s Scheduled) error {
		var in In
		if err := json.Unmarshal([]byte(cmp.Or(string(s.Payload), "null")), &in); err != nil {
			return fmt.Errorf("payload: %w", err)
		}
		return f(c, in, s)
	}
}
