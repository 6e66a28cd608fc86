package agent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/schedule"
)

// Callback is what a schedule calls, see [Conversation.Schedule]. It runs in an event of its own
// and cannot wait. Longer work it starts with [Conversation.Notify] or [StartDetached]. A callback
// that returns an error is called again later, five times in all unless [MaxAttempts] says
// otherwise. What a failed call has done is not undone. After the last failure, a repeated schedule
// goes on with its next time, and any other schedule is kept as failed. A callback that panics is
// tried as often, and its schedule is kept as failed in any case.
type Callback = chat.Callback

// Scheduled is one call of a [Callback].
type Scheduled = chat.Scheduled

// ScheduleInfo is the public view of a schedule. Its times are in milliseconds since 1970.
type ScheduleInfo = chat.ScheduleInfo

// When says when a callback is called; [At], [After], [Every] and [Cron] make one.
type When = schedule.When

// At is once, at a time, to the millisecond. A time in the past is due at once. A time more than a
// hundred years ahead is refused.
func At(t time.Time) When { return schedule.At(t) }

// After is once, when the duration has passed.
func After(d time.Duration) When { return schedule.After(d) }

// Every is repeated, at multiples of d, which is at least a second. Of several missed times, only
// one is made up for. While a failed call waits for its retry, the callback is not called for a
// later time.
func Every(d time.Duration) When { return schedule.Every(d) }

// Cron is at the times of an expression of five fields, by the clocks of a time zone. The zone ""
// is UTC. Zones such as "Europe/Zurich" need package schedule/zone, which main has to import.
// [schedule.Cron] says what happens when clocks are put forward or back.
func Cron(spec, zone string) When { return schedule.Cron(spec, zone) }

// ScheduleOption changes a default of a schedule.
type ScheduleOption = chat.ScheduleOption

// ScheduleID names the schedule, in 256 bytes at most. If a schedule with the id exists and has the
// same content, it is joined. If it has other content, it is replaced.
func ScheduleID(id string) ScheduleOption { return func(e *schedule.Entry) { e.ID = id } }

// MaxAttempts is how often one call is attempted, at most 20 times.
func MaxAttempts(n int) ScheduleOption { return func(e *schedule.Entry) { e.MaxAttempts = n } }

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
