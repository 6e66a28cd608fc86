package durable

// Alarm keeps the one alarm of a root in line with its schedule. It lives in memory, because
// storage does not know what the platform has: a command is lost where the process dies between
// commit and perform, and an alarm is given up after six failed retries. So each life of the
// object sets it once by itself. The zero value belongs to a life that has just begun.
type Alarm struct {
	// due is the entry's time that the alarm was set for, at the time that it was set to; both
	// are 0 where it is off.
	due, at int64
	// begun says that this life has looked at the schedule, and first that it has done so in the
	// last event: an alarm that goes off in the next may be that of an earlier life. sure says
	// that the alarm stands as it was set.
	begun, first, sure bool
}

// The times of an alarm that does not come, in milliseconds.
const (
	// missedAfter is how long after its time an alarm is set again.
	missedAfter = 60_000
	// soonest and latest bound how far off the alarm for an overdue entry is.
	soonest = 1_000
	latest  = 60_000
)

// Fired notes that an alarm has gone off. An object calls it in the step of [AlarmFired].
func (a *Alarm) Fired(tx *Tx) {
	if !a.first && a.at <= tx.Now {
		a.due, a.at = 0, 0
	}
	a.sure = false
}

// Arm sets the alarm to the earliest entry of the schedule, or takes it away when nothing is
// left. An object calls it at the end of every step. It does nothing unless the schedule was
// touched, the alarm has gone off, the object was opened, or the alarm is a minute late.
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
	a.due, a.at, a.sure = due, due, true
	if opened || missed {
		a.at = retryAt(due, tx.Now)
	}
	tx.Do(SetAlarm{At: a.at})
}

// retryAt is when the alarm for an entry goes off that may be overdue. It is off as long again
// as the entry is overdue already, so that an alarm which fails each time does not come without
// a pause: setting it may replace the platform's own retry.
func retryAt(due, now int64) int64 {
	if due >= now {
		return due
	}
	return now + min(max(now-due, soonest), latest)
}
