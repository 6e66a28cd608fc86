package agent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/schedule"
)

// Callback is what a schedule calls, see [Conversation.Schedule]. It runs in an event of its
// own and waits for nothing; what takes long it begins, by [Conversation.Notify] or
// [StartDetached]. One that returns an error is called again later, five times in all
// unless [Tries] says otherwise, with all that it did standing; then a schedule that is
// repeated goes on with its next time, and any other one is kept as failed. One that panics
// is tried as often, and kept as failed in any case.
type Callback = chat.Callback

// Scheduled is one call of a [Callback].
type Scheduled = chat.Scheduled

// ScheduleInfo is what can be told of a schedule. Its times are in milliseconds since 1970.
type ScheduleInfo = chat.ScheduleInfo

// When says when a callback is called; [At], [After], [Every] and [Cron] make one.
type When = schedule.When

// At is once, at a time, to the millisecond. One that is past is due at once; one that is
// more than a hundred years ahead is refused.
func At(t time.Time) When { return schedule.At(t) }

// After is once, when so much time has passed.
func After(d time.Duration) When { return schedule.After(d) }

// Every is again and again, at multiples of d, a second at least. Of times that were missed,
// one is made up for, and a callback that is tried again is not called beside itself.
func Every(d time.Duration) When { return schedule.Every(d) }

// Cron is at the times of an expression of five fields, by the clocks of a time zone; ""
// is UTC. Zones such as "Europe/Zurich" want main to import package schedule/zone. What happens
// where clocks are put forward and back is told at [schedule.Cron].
func Cron(spec, zone string) When { return schedule.Cron(spec, zone) }

// ScheduleOption says something about a schedule.
type ScheduleOption = chat.ScheduleOption

// ScheduleID names the schedule, in 256 bytes at most: one that has the id and says the same is joined, and one
// that says something else is replaced.
func ScheduleID(id string) ScheduleOption { return func(e *schedule.Entry) { e.ID = id } }

// Tries is how often one call is attempted, 20 times at most.
func Tries(n int) ScheduleOption { return func(e *schedule.Entry) { e.Tries = n } }

// NewCallback makes a callback of a function with a payload of a type of Go. One that was
// stored and cannot be read as that is a failure.
func NewCallback[In any](f func(c *Conversation, in In, s Scheduled) error) Callback {
	return func(c *Conversation, s Scheduled) error {
		var in In
		if err := json.Unmarshal([]byte(cmp.Or(string(s.Payload), "null")), &in); err != nil {
			return fmt.Errorf("payload: %w", err)
		}
		return f(c, in, s)
	}
}
