package object

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/check"
)

// This file checks that nothing is due at the root without an alarm. It reads the table schedule
// (due).

// OverdueFor is how long something may be due without an alarm while an object stays in memory, in
// milliseconds. When an object is opened, it sets its alarm in any case.
const OverdueFor = 60_000

// NothingOverdueRests checks that the root's alarm is set for the first entry of its schedule. An
// alarm that was lost on its way to the platform, or that the platform has given up, is set again
// when the root is opened, or a minute after its time.
func (r *Rules) NothingOverdueRests(e check.Event) {
	if e.Slot != "" || e.Trap != nil || e.Performed < len(e.Commands) || !r.Made(e.Object) {
		return
	}
	due, alarm, now := r.Due(r.World.Object("")), r.World.Alarm(), r.World.Now()
	_, fired := e.Event.(durable.AlarmFired)
	switch late := now - due; {
	case due == 0 || alarm > 0 && alarm <= max(due, now+OverdueFor+r.SetBack): // it was set before the clock was
	case !r.AlarmsLost || e.Opened || fired || late > OverdueFor:
		r.Fail("alarm", "something is due in %d ms, and the alarm is at %d ms of it", -late, alarm-due)
	}
}

// AlarmsAreSetAnew checks that an object that is opened sets the alarm for its schedule, whatever
// it did before. It sets none for the past: an alarm that fails each time would go off without a
// pause. An alarm that is a minute late is set again by the next event.
func (r *Rules) AlarmsAreSetAnew(e check.Event) {
	if e.Slot != "" {
		return
	}
	before, now := r.alarm, r.World.Now()
	r.alarm = r.World.Alarm()
	_, fired := e.Event.(durable.AlarmFired)
	late := before > 0 && now-before >= OverdueFor && !fired
	if e.Trap != nil || e.Performed < len(e.Commands) || !e.Opened && !late {
		return
	}
	at, set := firstAlarm(e.Commands)
	switch {
	case set && e.Opened && at > 0 && at < now:
		r.Fail("alarm", "an object that is opened sets its alarm to %d ms ago", now-at)
	case set || r.Due(r.World.Object("")) == 0:
	case e.Opened:
		r.Fail("alarm", "an object that is opened sets no alarm, and something is scheduled")
	default:
		r.Fail("alarm", "the alarm is %d ms late, and %T does not set it again", now-before, e.Event)
	}
}

// firstAlarm returns the time of the first alarm that is set.
func firstAlarm(commands []durable.Command) (at int64, ok bool) {
	for _, c := range commands {
		if a, ok := c.(durable.SetAlarm); ok {
			return a.At, true
		}
	}
	return 0, false
}
