package sim

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// This file holds that nothing which is due rests without an alarm. Checks know the table
// schedule (due).

// overdueFor is how long something may be due without an alarm while an object stays in memory,
// in milliseconds. When it is opened it sets its alarm in any case.
const overdueFor = 60_000

// nothingOverdueRests is that the root's alarm is set for what comes first. One that was lost on
// its way to the platform, or given up by it, is set again with the root's next life, or a minute
// after it should have come.
func nothingOverdueRests(s *Sim, h durabletest.HandledEvent) {
	if h.Slot != "" || h.Trap != nil || h.Performed < len(h.Commands) || !s.made(h.Object) {
		return
	}
	due, alarm, now := s.nextDue(), s.world.Alarm(), s.world.Now()
	_, fired := h.Event.(durable.AlarmFired)
	switch late := now - due; {
	case due == 0 || alarm > 0 && alarm <= max(due, now+overdueFor+s.setBack): // it was set by the clock of then
	case !s.alarmsLost || h.Opened || fired || late > overdueFor:
		s.fail("alarm", "something is due in %d ms, and the alarm is at %d ms of it", -late, alarm-due)
	}
}

// alarmsAreSetAnew is that a life which begins sets the alarm for what is scheduled, whatever the life
// before has done. It sets none for the past: an alarm that fails each time would go off without a
// pause. An alarm that is a minute late is set again by the next event.
func alarmsAreSetAnew(s *Sim, h durabletest.HandledEvent) {
	if h.Slot != "" {
		return
	}
	before, now := s.checks.alarm, s.world.Now()
	s.checks.alarm = s.world.Alarm()
	_, fired := h.Event.(durable.AlarmFired)
	late := before > 0 && now-before >= overdueFor && !fired
	if h.Trap != nil || h.Performed < len(h.Commands) || !h.Opened && !late {
		return
	}
	at, set := firstAlarm(h.Commands)
	switch {
	case set && h.Opened && at > 0 && at < now:
		s.fail("alarm", "a new life sets its alarm to %d ms ago", now-at)
	case set || s.nextDue() == 0:
	case h.Opened:
		s.fail("alarm", "a new life sets no alarm, and something is scheduled")
	default:
		s.fail("alarm", "the alarm is %d ms late, and %T does not set it again", now-before, h.Event)
	}
}

// firstAlarm returns when the first alarm is to go off that an event sets.
func firstAlarm(commands []durable.Command) (at int64, ok bool) {
	for _, c := range commands {
		if a, ok := c.(durable.SetAlarm); ok {
			return a.At, true
		}
	}
	return 0, false
}

// nextDue returns when the first entry of the root's schedule is due, or 0.
func (s *Sim) nextDue() int64 {
	root := s.world.Object("")
	if !s.made(root) {
		return 0
	}
	return s.rows(root, `SELECT COALESCE(MIN(due), 0) FROM schedule`)[0].Int(0)
}

// visit has a person come where something is due and nothing will wake the root, and says
// whether that is so: an alarm that the platform has given up, or that was lost before it was
// set, comes back when the root is opened anew, or is told something after a minute.
func (s *Sim) visit() bool {
	due := s.nextDue()
	if due == 0 || s.world.Alarm() > 0 || s.visits >= 3 {
		return false
	}
	s.visits++
	s.world.Advance(max(s.world.Now(), due) + overdueFor + 1)
	s.do("open")
	return true
}
