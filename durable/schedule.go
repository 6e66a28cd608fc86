package durable

// ScheduleSchema is the table behind [Tx.Schedule].
var ScheduleSchema = Schema{Component: "schedule", Steps: []string{
	`CREATE TABLE schedule (kind TEXT NOT NULL, id TEXT NOT NULL, due INTEGER NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID`,
	`CREATE INDEX schedule_due ON schedule (due)`,
	`CREATE TABLE alarm (one INTEGER PRIMARY KEY CHECK (one = 1), at INTEGER NOT NULL)`,
	`DROP TABLE alarm`,
	// Few entries wait at a time. An index by time is a row more for each entry that is written, which
	// costs as much as a thousand rows that are read.
	`DROP INDEX schedule_due`,
}, Parts: []string{
	`CREATE TABLE schedule (kind TEXT NOT NULL, id TEXT NOT NULL, due INTEGER NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID`,
}}

// Due is one entry of the schedule whose time has come.
type Due struct {
	// Kind says which component the entry belongs to, and ID which of its items.
	Kind, ID string
}

// Schedule makes an entry fall due at the given time, in milliseconds since 1970. It moves an entry
// of the same kind and id. [Alarm.Arm] sets the object's alarm to match.
func (tx *Tx) Schedule(kind, id string, at int64) {
	tx.rescheduled = true
	tx.SQL(`INSERT INTO schedule (kind, id, due) VALUES (?, ?, ?)
		ON CONFLICT (kind, id) DO UPDATE SET due = excluded.due`, kind, id, at)
}

// Unschedule removes an entry. An unknown entry is no error.
func (tx *Tx) Unschedule(kind, id string) {
	tx.rescheduled = true
	tx.SQL(`DELETE FROM schedule WHERE kind = ? AND id = ?`, kind, id)
}

// UnscheduleAll removes the entries of a kind whose id begins with a prefix.
func (tx *Tx) UnscheduleAll(kind, prefix string) {
	tx.rescheduled = true
	tx.SQL(`DELETE FROM schedule WHERE kind = ? AND SUBSTR(id, 1, LENGTH(?)) = ?`, kind, prefix, prefix)
}

// TakeDue removes and returns the entries that are due, earliest first. Only tx.Now decides what is
// due, because an alarm is delivered at least once and may come early or late.
func TakeDue(tx *Tx) []Due {
	tx.rescheduled = true
	var due []Due
	for _, row := range tx.SQL(`SELECT kind, id FROM schedule WHERE due <= ? ORDER BY due, kind, id`, tx.Now) {
		due = append(due, Due{Kind: row.Text(0), ID: row.Text(1)})
	}
	tx.SQL(`DELETE FROM schedule WHERE due <= ?`, tx.Now)
	return due
}

// ArmTimer is [Alarm.Arm] for an object that may set no alarm: a timer of the given name follows
// the schedule. The timer lives in memory only, so it is set again in the step of every [Opened].
// No timer runs for an entry that is due at the time woken or later, because another object wakes
// this one then. A woken of 0 means that no other object does. Nor does one run for entries whose
// kind keep does not accept.
func ArmTimer(tx *Tx, timer string, woken int64, keep func(kind string) bool) {
	if !tx.rescheduled {
		return
	}
	due := NextDueOf(tx, keep)
	if due == 0 || woken > 0 && due >= woken {
		tx.Do(StopTimer{Timer: timer})
		return
	}
	tx.Do(StartTimer{Timer: timer, After: min(max(due-tx.Now, 0), maxTimer)})
}

// maxTimer is the longest timer of a host, in milliseconds: a longer one would go off at once. When
// it goes off and nothing is due, it is set again.
const maxTimer = 1<<31 - 1

// NextDue returns when the earliest entry falls due, or 0 if there is none.
func NextDue(tx *Tx) int64 {
	for _, row := range tx.SQL(`SELECT due FROM schedule ORDER BY due LIMIT 1`) {
		return row.Int(0)
	}
	return 0
}

// NextDueOf is [NextDue] for the entries whose kind keep accepts.
func NextDueOf(tx *Tx, keep func(kind string) bool) int64 {
	for _, row := range tx.SQL(`SELECT kind, MIN(due) FROM schedule GROUP BY kind ORDER BY 2`) {
		if keep(row.Text(0)) {
			return row.Int(1)
		}
	}
	return 0
}

// Rearm makes the alarm, or the timer, follow the schedule at the end of this step even if no entry
// was touched.
func (tx *Tx) Rearm() { tx.rescheduled = true }

// Scheduled says whether an entry is waiting.
func (tx *Tx) Scheduled(kind, id string) bool {
	return len(tx.SQL(`SELECT 1 FROM schedule WHERE kind = ? AND id = ?`, kind, id)) > 0
}

// DueAt returns when an entry falls due, or 0 if it is not waiting.
func (tx *Tx) DueAt(kind, id string) int64 {
	for _, row := range tx.SQL(`SELECT due FROM schedule WHERE kind = ? AND id = ?`, kind, id) {
		return row.Int(0)
	}
	return 0
}

// ScheduledBefore says whether an entry is waiting that falls due before a time.
func (tx *Tx) ScheduledBefore(kind, id string, at int64) bool {
	return len(tx.SQL(`SELECT 1 FROM schedule WHERE kind = ? AND id = ? AND due < ?`, kind, id, at)) > 0
}
