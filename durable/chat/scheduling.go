package chat

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/schedule"
)

// ScheduleOption says something about a schedule, where what is usual does not serve.
type ScheduleOption func(*schedule.Entry)

// ScheduleInfo is what can be told of a schedule. Its JSON is public.
type ScheduleInfo struct {
	ID       string `json:"id"`
	Callback string `json:"callback"`
	// Payload is left out of lists.
	Payload json.RawMessage `json:"payload,omitempty"`
	schedule.When
	Status schedule.State `json:"status"`
	// DueAt is when the callback is called next, and of one that has failed, when it was
	// last; MadeAt is when the schedule was made. Both are in milliseconds since 1970.
	DueAt  int64 `json:"dueAt"`
	MadeAt int64 `json:"createdAt"`
	// Attempts counts those of the call that is due, Failure says why the last attempt
	// failed, also of a call before.
	Attempts int    `json:"attempts"`
	Failure  string `json:"error,omitempty"`
}

func scheduleInfo(e schedule.Entry) ScheduleInfo {
	return ScheduleInfo{
		ID: e.ID, Callback: e.Callback, Payload: e.Payload, When: e.When, Status: e.State, DueAt: e.Due, MadeAt: e.MadeAt,
		Attempts: e.Attempts, Failure: e.Failure,
	}
}

// Schedule has the callback of that name called when the time comes, with a payload that
// becomes JSON. A schedule of the same id and the same content is joined and stays as it
// is, also as failed; one of the same id with another content is replaced. An id is free
// again when its schedule is done.
func (c *Conversation) Schedule(when schedule.When, callback string, payload any, options ...ScheduleOption) (ScheduleInfo, error) {
	if c.host.agent.Callbacks[callback] == nil {
		return ScheduleInfo{}, errors.New(c.host.noCallback(callback))
	}
	e := schedule.Entry{When: when, Callback: callback}
	for _, option := range options {
		option(&e)
	}
	if payload != nil {
		var err error
		if e.Payload, err = json.Marshal(payload); err != nil {
			return ScheduleInfo{}, fmt.Errorf("payload: %w", err)
		}
	}
	e, err := schedule.Make(c.tx, e)
	if err != nil {
		return ScheduleInfo{}, err
	}
	c.host.followSchedules(c.tx)
	return scheduleInfo(e), nil
}

// Schedules lists the schedules, the next one first, and those that have failed at the end.
// Those that are done are gone.
func (c *Conversation) Schedules() []ScheduleInfo {
	infos := []ScheduleInfo{} // never null
	for _, e := range schedule.List(c.tx) {
		infos = append(infos, scheduleInfo(e))
	}
	return infos
}

// InspectSchedule tells of one schedule.
func (c *Conversation) InspectSchedule(id string) (ScheduleInfo, error) {
	e, ok := schedule.Find(c.tx, id)
	if !ok {
		return ScheduleInfo{}, noSchedule(id)
	}
	return scheduleInfo(e), nil
}

// CancelSchedule takes a schedule away. What its callback has begun goes on.
func (c *Conversation) CancelSchedule(id string) error {
	if !schedule.Cancel(c.tx, id) {
		return noSchedule(id)
	}
	c.host.followSchedules(c.tx)
	return nil
}

// RetrySchedule has a schedule that has failed tried again at once. One that is repeated
// goes on with its next time then.
func (c *Conversation) RetrySchedule(id string) error {
	if !schedule.Retry(c.tx, id) {
		return fmt.Errorf("there is no schedule %.80q that has failed", id)
	}
	c.host.followSchedules(c.tx)
	return nil
}

func noSchedule(id string) error { return fmt.Errorf("there is no schedule %.80q", id) }

// Schedule is [Conversation.Schedule] for a tool's code. It is journaled, and so done once.
func (c *ToolContext) Schedule(when schedule.When, callback string, payload any, options ...ScheduleOption) (ScheduleInfo, error) {
	return flow.Step(c, "schedule "+callback, func(tx *durable.Tx) (ScheduleInfo, error) {
		return c.now(tx).Schedule(when, callback, payload, options...)
	})
}

// Schedules is [Conversation.Schedules] for a tool's code. What it returns is journaled.
func (c *ToolContext) Schedules() ([]ScheduleInfo, error) {
	return flow.Step(c, "list schedules", func(tx *durable.Tx) ([]ScheduleInfo, error) { return c.now(tx).Schedules(), nil })
}

// CancelSchedule is [Conversation.CancelSchedule] for a tool's code.
func (c *ToolContext) CancelSchedule(id string) error {
	_, err := flow.Step(c, "cancel schedule "+id, func(tx *durable.Tx) (any, error) { return nil, c.now(tx).CancelSchedule(id) })
	return err
}
