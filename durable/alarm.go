package durable

// Alarm keeps the one alarm of a root in line with its schedule. It lives in memory, because
// storage does not know the platform's alarm: a command is lost if the process dies between commit
// and perform, and the platform gives an alarm up after six failed retries. So each life of the
// object sets the alarm once, whatever storage says. The zero value belongs to a life that has just
// begun.
type Alarm struct {
	// due is the due time of the entry that the alarm stands for. at is the time that the alarm was
	// set to. Both are 0 if the alarm is off.
	due, at int64
	// begun is set once this life has looked at the schedule. first is set if it did so in the last
	// event: an alarm that goes off in the next event may be one of an earlier life. sure is set if
	// the alarm is known to stand as it was set.
	begun, first, sure bool
}

// The times of an overdue alarm, in milliseconds.
const (
	// missedAfter is how late an alarm must be before it is set again.
	missedAfter = 60_000
	// soonest and latest bound how far ahead the alarm for an overdue entry is set.
	soonest = 1_000
	latest  = 30_000
	// share is the part of the time that an entry is overdue which its alarm waits: one of so many.
	share = 16
	// needless is how far ahead an alarm for nothing may stay.
	needless = 60_000
)

// Fired notes that the alarm has gone off. An object calls it in the step of [AlarmFired].
func (a *Alarm) Fired(tx *Tx) {
	if !a.first && a.at <= tx.Now {
		a.due, a.at = 0, 0
	}
	a.sure = false
}

// Arm sets the alarm to the earliest entry of the schedule, or removes it if the schedule is empty. An
// alarm that is to come earlier may stay. An object calls Arm at the end of every step. It does
// nothing unless the schedule was touched, the alarm has gone off, the object was opened, or the
// alarm is a minute late.
func (a *Alarm) Arm(tx *Tx) {
	opened := !a.begun
	missed := a.at > 0 && tx.Now-a.at >= missedAfter
	a.begun, a.first = true, opened
	if a.sure && !missed && !tx.rescheduled {
		return
	}
	due := NextDue(tx)
	if due == a.due && (due == 0 || a.sure && !missed) {
		a.sure = true
		return
	}
	if a.stays(due, tx.Now) {
		return
	}
	a.due, a.at, a.sure = due, due, true
	if opened || missed {
		a.at = retryAt(due, tx.Now)
	}
	tx.Do(SetAlarm{At: a.at})
}

// stays says whether the alarm is left where it is, although the next entry is due later, or none is
// left. It goes off once for nothing, which costs less than setting it with each change of a busy
// schedule. Only an alarm that is still to come is left: it cannot have been given up.
func (a *Alarm) stays(due, now int64) bool {
	return a.sure && a.at > now && (due > a.at || due == 0 && a.at-now <= needless)
}

// retryAt returns when the alarm for an entry goes off that may be overdue. An overdue entry waits
// for a sixteenth of the time that it is overdue already: a second after a short interruption, half a
// minute after a long one. Without that pause an alarm that fails each time would be set again at
// once, because setting it may replace the platform's own retry.
func retryAt(due, now int64) int64 {
	if due >= now {
		return due
	}
	return now + min(max((now-due)/share, soonest), latest)
}
