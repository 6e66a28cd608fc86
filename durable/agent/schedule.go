package agent

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/schedule"
)

// ScheduleInfo is the public view of a schedule. Its JSON is public. Callback is a name among
// [Agent.Callbacks].
type ScheduleInfo struct {
	ID       string `json:"id"`
	Callback string `json:"callback"`
	// Payload is left out of lists.
	Payload json.RawMessage `json:"payload,omitempty"`
	schedule.When
	Status schedule.State `json:"status"`
	// DueAt is when the callback is called next. For a schedule that has failed, it is when the last
	// call was due. MadeAt is when the schedule was made. Both are in milliseconds since 1970.
	DueAt  int64 `json:"dueAt"`
	MadeAt int64 `json:"createdAt"`
	// Attempts counts the attempts of the call that is due. Failure says why the last attempt failed,
	// and may be of an earlier call.
	Attempts int    `json:"attempts"`
	Failure  string `json:"error,omitempty"`
}

func scheduleInfo(e schedule.Entry) ScheduleInfo {
	return ScheduleInfo{
		ID: e.ID, Callback: e.Callback, Payload: e.Payload, When: e.When, Status: schedule.State(e.State), DueAt: e.Due, MadeAt: e.MadeAt,
		Attempts: e.Attempts, Failure: e.Failure,
	}
}

// Schedule has the callback of that name called at the given time. payload becomes JSON of at most
// 64 KiB; nil means none. If a schedule has the same id and the same content, it is joined and
// stays as it is, even if it has failed. If it has the same id and other content, it is replaced.
// An id is free again when its schedule is done. An error means that nothing was scheduled: there
// is no such callback, the time never comes, or a limit of package schedule is exceeded.
func (c *Conversation) Schedule(when schedule.When, callback string, payload any, options ...schedule.Option) (ScheduleInfo, error) {
	if err := c.object.CheckCallback(callback); err != nil {
		return ScheduleInfo{}, err
	}
	e := schedule.Entry{When: when, Callback: callback, Claims: c.acting()}
	for _, option := range options {
		option(&e)
	}
	if payload != nil {
		var err error
		if e.Payload, err = limit.Marshal(payload); err != nil {
			return ScheduleInfo{}, fmt.Errorf("payload: %w", err)
		}
	}
	e, err := schedule.Create(c.tx, e)
	if err != nil {
		return ScheduleInfo{}, err
	}
	c.object.FollowSchedules(c.tx)
	return scheduleInfo(e), nil
}

// Schedules lists the schedules in the order in which they are due, and failed ones at the end.
// Schedules that are done are not listed.
func (c *Conversation) Schedules() []ScheduleInfo {
	infos := []ScheduleInfo{} // never null
	for _, e := range schedule.List(c.tx) {
		infos = append(infos, scheduleInfo(e))
	}
	return infos
}

// InspectSchedule returns one schedule, with its payload. Its error says that there is no such
// schedule.
func (c *Conversation) InspectSchedule(id string) (ScheduleInfo, error) {
	e, ok := schedule.Find(c.tx, id)
	if !ok {
		return ScheduleInfo{}, noSchedule(id)
	}
	return scheduleInfo(e), nil
}

// CancelSchedule removes a schedule. Work that its callback has begun goes on. The error says that
// there is no such schedule.
func (c *Conversation) CancelSchedule(id string) error {
	if !schedule.Cancel(c.tx, id) {
		return noSchedule(id)
	}
	c.object.FollowSchedules(c.tx)
	return nil
}

// RetrySchedule has a failed schedule tried again at once. After that, a repeated schedule goes on
// with its next time. From then on the schedule works for the claims of the code that retries it, with the
// scopes that it had as well. The error says that no schedule of that id has failed.
func (c *Conversation) RetrySchedule(id string) error {
	if !schedule.Retry(c.tx, id, c.acting()) {
		return fmt.Errorf("there is no schedule %.80q that has failed", id)
	}
	c.object.FollowSchedules(c.tx)
	return nil
}

func noSchedule(id string) error { return fmt.Errorf("there is no schedule %.80q", id) }

// Schedule is [Conversation.Schedule] for a tool's code. It is journaled, so that a replay does not
// repeat it.
func (c *Context) Schedule(when schedule.When, callback string, payload any, options ...schedule.Option) (ScheduleInfo, error) {
	return flow.Step(c, "schedule "+callback, func(tx *durable.Tx) (ScheduleInfo, error) {
		return c.now(tx).Schedule(when, callback, payload, options...)
	})
}

// Schedules is [Conversation.Schedules] for a tool's code. What it returns is journaled.
func (c *Context) Schedules() ([]ScheduleInfo, error) {
	return flow.Step(c, "list schedules", func(tx *durable.Tx) ([]ScheduleInfo, error) { return c.now(tx).Schedules(), nil })
}

// CancelSchedule is [Conversation.CancelSchedule] for a tool's code.
func (c *Context) CancelSchedule(id string) error {
	_, err := flow.Step(c, "cancel schedule "+id, func(tx *durable.Tx) (any, error) { return nil, c.now(tx).CancelSchedule(id) })
	return err
}

// Callback is what a schedule calls, see [Conversation.Schedule]. It runs in an event of its own
// and cannot wait. It starts longer work with [Conversation.Notify] or [StartDetached].
//
// A callback that returns an error is called again later, five times in all unless
// [schedule.MaxAttempts] says otherwise. What a failed call has done is not undone. After the last
// failure, a repeated schedule waits for its next time. Any other schedule is kept as failed. A callback that
// panics is tried as often. Its schedule is then kept as failed, also if it is repeated.
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
