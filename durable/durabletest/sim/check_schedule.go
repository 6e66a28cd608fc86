package sim

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// This file follows schedules: what people have ordered, when it is due by their words, and
// what the root says it was called for. Checks know the table callback (id, state, planned,
// due, attempts) and the kind callback in the table schedule.

// expectedCalls are the callbacks that are to be called, by id.
type expectedCalls struct {
	orders map[string]*expectedCall
	calls  int
	// latest is the latest time that there was.
	latest int64
}

// expectedCall is a schedule, and its next time.
type expectedCall struct {
	ScheduleRequest
	planned int64
	// earliest is when it may be tried again, having failed, or 0.
	earliest int64
	failed   bool
}

// next is the time after one that was planned, or 0 where there is none.
func (o ScheduleRequest) next(planned, now int64) int64 {
	switch o.Kind {
	case Every:
		return planned + (max(now-planned, 0)/o.MS+1)*o.MS
	case Cron:
		return (now/o.MS + 1) * o.MS
	}
	return 0
}

func (o ScheduleRequest) first(now int64) int64 {
	if o.Kind == Once {
		return now + o.MS
	}
	return o.next(now, now)
}

// schedulesAreKept is that a callback is called for every time that was due, once unless it
// fails, never before, and never when its schedule was cancelled.
func schedulesAreKept(s *Sim, h durabletest.HandledEvent) {
	if s.methodCalls == nil || h.Slot != "" || !s.made(h.Object) {
		return
	}
	if h.Trap != nil {
		s.checks.rootTraps++
		return
	}
	t := &s.checks.expectedCalls
	t.latest = max(t.latest, s.world.Now())
	s.arrange(h)
	if b := s.book(h.Object); b.Calls != t.calls {
		if b.Calls != t.calls+1 {
			s.fail("schedule", "%d callbacks are called in one event", b.Calls-t.calls)
		}
		t.calls = b.Calls
		s.rang(b.Last)
	}
	s.holdsTimetable(h.Object)
}

// arrange notes what is ordered, and cancelled.
func (s *Sim) arrange(h durabletest.HandledEvent) {
	m, ok := h.Event.(durable.SocketMessage)
	if !ok {
		return
	}
	var f struct {
		Type, ID, Method string
		Args             []json.RawMessage
	}
	if json.Unmarshal([]byte(m.Text), &f) != nil || f.Type != "rpc" {
		return
	}
	c := s.checks.called[string(m.Conn)+" "+f.ID]
	switch {
	case c == nil:
	case f.Method == "schedule":
		var o ScheduleRequest
		if err := json.Unmarshal(f.Args[0], &o); err != nil {
			panic("sim: " + err.Error())
		}
		if have := s.checks.orders[o.ID]; have == nil || have.ScheduleRequest != o {
			s.checks.orders[o.ID] = &expectedCall{ScheduleRequest: o, planned: o.first(s.world.Now())}
		}
	case f.Method == "cancelSchedule":
		var id string
		if err := json.Unmarshal(f.Args[0], &id); err != nil {
			panic("sim: " + err.Error())
		}
		delete(s.checks.orders, id)
	}
}

// firstPause is how long a call that has failed once waits at least, in milliseconds. The pause doubles
// each time.
const firstPause = 1_000

// rang looks at a call of a callback.
func (s *Sim) rang(c Called) {
	o := s.checks.orders[c.ID]
	switch {
	case o == nil:
		s.fail("schedule", "%s is called, which was done or cancelled", c.ID)
		return
	case o.failed:
		s.fail("schedule", "%s is called, which has failed for good", c.ID)
	case c.Planned != o.planned:
		s.fail("schedule", "%s is called for %d, and its next time is %d", c.ID, c.Planned, o.planned)
	case c.Planned > s.checks.latest:
		s.fail("schedule", "%s is called %d ms before its time", c.ID, c.Planned-s.checks.latest)
	case s.checks.latest < o.earliest:
		s.fail("schedule", "%s is tried again %d ms too early", c.ID, o.earliest-s.checks.latest)
	case c.Attempt < 1 || c.Attempt > maxTries:
		s.fail("schedule", "%s is called for the %dth time", c.ID, c.Attempt)
	}
	o.earliest = 0
	if o.Does == Quit && o.Kind != Once {
		delete(s.checks.orders, c.ID)
		return
	}
	if c.Failed && c.Attempt < maxTries {
		o.earliest = s.world.Now() + firstPause<<(c.Attempt-1)
		return
	}
	next := o.next(o.planned, s.world.Now())
	switch {
	case next > 0:
		o.planned = next
	case c.Failed:
		o.failed = true
	default:
		delete(s.checks.orders, c.ID)
	}
}

// holdsTimetable is that the root has stored what it is to call, and when.
func (s *Sim) holdsTimetable(object string) {
	rows := s.rows(object, `SELECT id, state, planned FROM callback`)
	stored := map[string]bool{}
	for _, row := range rows {
		id, failed, planned := row.Text(0), row.Text(1) == "failed", row.Int(2)
		o := s.checks.orders[id]
		stored[id] = true
		switch {
		case o == nil:
			s.fail("schedule", "%s is kept, which was done or cancelled", id)
		case planned != o.planned:
			s.fail("schedule", "the next time of %s is kept as %d, and is %d", id, planned, o.planned)
		case failed && !o.failed && s.checks.rootTraps == 0:
			s.fail("schedule", "%s is kept as failed, and has not failed", id)
		case o.failed && !failed:
			s.fail("schedule", "%s has failed, and is kept as %s", id, row.Text(1))
		case failed:
			o.failed = true
		}
	}
	for _, id := range sortedKeys(s.checks.orders) {
		if !stored[id] {
			s.fail("schedule", "%s is lost", id)
		}
	}
}

// coming returns when the next call of what is repeated is due, where nothing else is due at
// the root, and no call is under way.
func (s *Sim) coming() (at int64, only bool) {
	root := s.world.Object("")
	if s.methodCalls == nil || !s.made(root) {
		return 0, false
	}
	for _, o := range s.checks.orders {
		if o.Kind == Once && !o.failed {
			return 0, false
		}
	}
	row := s.rows(root, `SELECT COALESCE(MIN(due), 0), COALESCE(MAX(attempts), 0), (SELECT COUNT(*) FROM schedule WHERE kind != 'callback')
		FROM callback WHERE state != 'failed'`)[0]
	return row.Int(0), row.Int(0) > 0 && row.Int(1) == 0 && row.Int(2) == 0
}

// timesAreArmed is that the alarm of a world that rests is set for what is to come.
func timesAreArmed(s *Sim) {
	at, only := s.coming()
	if due, _ := s.world.Due(); only && due != at {
		s.fail("schedule", "a schedule is due at %d, and the next that happens is at %d", at, due)
	}
	for _, id := range sortedKeys(s.checks.orders) {
		if o := s.checks.orders[id]; !o.failed && o.planned <= s.world.Now() {
			s.fail("schedule", "%s was due at %d and is not called", id, o.planned)
		}
	}
}

// book is what the root has noted.
func (s *Sim) book(object string) Records {
	var b Records
	for _, row := range s.rows(object, `SELECT value FROM setting WHERE key = 'state'`) {
		if err := json.Unmarshal([]byte(row.Text(0)), &b); err != nil {
			panic(fmt.Errorf("sim: the state: %w", err))
		}
	}
	return b
}
