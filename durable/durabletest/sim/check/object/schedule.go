package object

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
)

// This file follows schedules: the requests of people, the times that follow from them, and the
// calls that the root has noted. It reads the table callback (id, state, planned, due, attempts)
// and the kind callback in the table schedule.

// expectedCalls are the callbacks that have to be called.
type expectedCalls struct {
	// schedules are the next calls, by the ids of their schedules.
	schedules map[string]*expectedCall
	// made is the number of calls until now.
	made int
	// latest is the latest time that there was.
	latest int64
}

// expectedCall is a schedule with its next time.
type expectedCall struct {
	contract.ScheduleRequest
	planned int64
	// earliest is when a call that has failed may be repeated, or 0.
	earliest int64
	failed   bool
}

// SchedulesAreKept checks that a callback is called once for each time of its schedule, unless it
// fails. It is never called before that time, nor after its schedule was cancelled.
func (r *Rules) SchedulesAreKept(e check.Event) {
	if r.MethodCalls == nil || e.Slot != "" || !r.Made(e.Object) {
		return
	}
	if e.Trap != nil {
		r.rootTraps++
		return
	}
	r.calls.latest = max(r.calls.latest, r.World.Now())
	r.keepSchedules(e)
	if records := r.Records(e.Object); records.Calls != r.calls.made {
		if records.Calls != r.calls.made+1 {
			r.Fail("schedule", "%d callbacks are called in one event", records.Calls-r.calls.made)
		}
		r.calls.made = records.Calls
		r.callIsExpected(records.Last)
	}
	r.schedulesAreStored(e.Object)
}

// keepSchedules notes the schedules that people make and cancel.
func (r *Rules) keepSchedules(e check.Event) {
	m, ok := e.Event.(durable.SocketMessage)
	if !ok {
		return
	}
	var f struct {
		Type, ID, Method string
		Args             []json.RawMessage
	}
	if json.Unmarshal([]byte(m.Text), &f) != nil || f.Type != "rpc" || !slices.Contains(e.Conns, m.Conn) {
		return
	}
	switch f.Method {
	case "schedule":
		var o contract.ScheduleRequest
		if err := json.Unmarshal(f.Args[0], &o); err != nil {
			panic("object: " + err.Error())
		}
		if have := r.calls.schedules[o.ID]; have == nil || have.ScheduleRequest != o {
			r.calls.schedules[o.ID] = &expectedCall{ScheduleRequest: o, planned: o.First(r.World.Now())}
		}
	case "cancelSchedule":
		var id string
		if err := json.Unmarshal(f.Args[0], &id); err != nil {
			panic("object: " + err.Error())
		}
		delete(r.calls.schedules, id)
	}
}

// firstPause is the shortest pause before the second attempt of a call, in milliseconds. The pause
// doubles each time.
const firstPause = 1_000

// callIsExpected checks a call of a callback.
func (r *Rules) callIsExpected(c contract.Called) {
	o := r.calls.schedules[c.ID]
	switch {
	case o == nil:
		r.Fail("schedule", "%s is called, and has ended or was cancelled", c.ID)
		return
	case o.failed:
		r.Fail("schedule", "%s is called, and has failed for good", c.ID)
	case c.Planned != o.planned:
		r.Fail("schedule", "%s is called for %d, and its next time is %d", c.ID, c.Planned, o.planned)
	case c.Planned > r.calls.latest:
		r.Fail("schedule", "%s is called %d ms before its time", c.ID, c.Planned-r.calls.latest)
	case r.calls.latest < o.earliest:
		r.Fail("schedule", "%s is tried again %d ms too early", c.ID, o.earliest-r.calls.latest)
	case c.Attempt < 1 || c.Attempt > contract.MaxTries:
		r.Fail("schedule", "%s is called for the %dth time", c.ID, c.Attempt)
	}
	o.earliest = 0
	if o.Does == contract.Quit && o.Kind != contract.Once {
		delete(r.calls.schedules, c.ID)
		return
	}
	if c.Failed && c.Attempt < contract.MaxTries {
		o.earliest = r.World.Now() + firstPause<<(c.Attempt-1)
		return
	}
	next := o.Next(o.planned, r.World.Now())
	switch {
	case next > 0:
		o.planned = next
	case c.Failed:
		o.failed = true
	default:
		delete(r.calls.schedules, c.ID)
	}
}

// schedulesAreStored checks that the root has stored its schedules with their next times.
func (r *Rules) schedulesAreStored(object string) {
	rows := r.Rows(object, `SELECT id, state, planned FROM callback`)
	kept := map[string]bool{}
	for _, row := range rows {
		id, failed, planned := row.Text(0), row.Text(1) == "failed", row.Int(2)
		o := r.calls.schedules[id]
		kept[id] = true
		switch {
		case o == nil:
			r.Fail("schedule", "%s is stored, and has ended or was cancelled", id)
		case planned != o.planned:
			r.Fail("schedule", "the next time of %s is stored as %d, and is %d", id, planned, o.planned)
		case failed && !o.failed && r.rootTraps == 0:
			r.Fail("schedule", "%s is stored as failed, and has not failed", id)
		case o.failed && !failed:
			r.Fail("schedule", "%s has failed, and is stored as %s", id, row.Text(1))
		case failed:
			o.failed = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(r.calls.schedules)) {
		if !kept[id] {
			r.Fail("schedule", "%s is lost", id)
		}
	}
}

// NextRepeated returns when the next call of a repeated schedule is due. only says that nothing
// else is due at the root and that no call is under way.
func (r *Rules) NextRepeated() (at int64, only bool) {
	root := r.World.Object("")
	if r.MethodCalls == nil && r.Mode.Own == nil || !r.Made(root) {
		return 0, false
	}
	if r.Mode.Own != nil && r.Number(root, `SELECT COUNT(*) FROM callback WHERE state != 'failed' AND timing ->> 'type' NOT IN ('interval', 'cron')`) > 0 {
		return 0, false
	}
	for _, o := range r.calls.schedules {
		if o.Kind == contract.Once && !o.failed {
			return 0, false
		}
	}
	for _, row := range r.Rows(root, `SELECT COALESCE(MIN(due), 0), COALESCE(MAX(attempts), 0), (SELECT COUNT(*) FROM schedule WHERE kind != 'callback')
		FROM callback WHERE state != 'failed'`) {
		return row.Int(0), row.Int(0) > 0 && row.Int(1) == 0 && row.Int(2) == 0
	}
	return 0, false
}

// NextTimesAreArmed checks that the alarm of a world at rest is set for the next call.
func (r *Rules) NextTimesAreArmed() {
	at, only := r.NextRepeated()
	if due, _ := r.World.Due(); only && due != at {
		r.Fail("schedule", "a schedule is due at %d, and the next timer at %d", at, due)
	}
	for _, id := range slices.Sorted(maps.Keys(r.calls.schedules)) {
		if o := r.calls.schedules[id]; !o.failed && o.planned <= r.World.Now() {
			r.Fail("schedule", "%s was due at %d and is not called", id, o.planned)
		}
	}
}
