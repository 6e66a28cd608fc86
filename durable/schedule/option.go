package schedule

// Option changes a default of a schedule.
type Option func(*Entry)

// ID names the schedule, in 256 bytes at most. If a schedule with the id exists and has the same
// content, it is joined. If it has other content, it is replaced.
func ID(id string) Option { return func(e *Entry) { e.ID = id } }

// MaxAttempts is how often one call is attempted: 5 times by default, and at most 20 times.
func MaxAttempts(n int) Option { return func(e *Entry) { e.MaxAttempts = n } }
