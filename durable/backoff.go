package durable

// Backoff is how long to wait before each retry, in milliseconds.
type Backoff []int64

// Wait returns how long to wait after a number of failures in a row, in milliseconds. After more
// failures than there are waits, it is the last wait.
func (b Backoff) Wait(failures int) int64 { return b[min(max(failures, 1), len(b))-1] }

// UntilAcknowledged is the back-off of what an object tells another one until that has acknowledged it.
// There is no last time, because nothing may be lost, so the wait grows to a day. Contact with the other
// object begins it anew.
var UntilAcknowledged = Backoff{5_000, 15_000, 30_000, 120_000, 120_000, 600_000, 3_600_000, 6 * 3_600_000, 24 * 3_600_000}

// afterCrash is the back-off of work that may crash the instance. The first retry does not wait:
// usually something else caused the crash.
var afterCrash = Backoff{0, 250, 500, 1_000, 2_000, 4_000, 8_000}

// BackoffAfterCrash returns how long to wait before work is retried that may have crashed the
// instance, after a number of attempts, in milliseconds.
func BackoffAfterCrash(attempts int) int64 { return afterCrash.Wait(attempts) }
