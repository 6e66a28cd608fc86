package durable

// Backoff is how long to wait before each retry, in milliseconds.
type Backoff []int64

// Wait returns how long to wait after a number of failures in a row, in milliseconds. After more
// failures than there are waits, it is the last wait.
func (b Backoff) Wait(failures int) int64 { return b[min(max(failures, 1), len(b))-1] }

// afterCrash is the back-off of work that may crash the instance. The first retry does not wait:
// usually something else caused the crash.
var afterCrash = Backoff{0, 250, 500, 1_000, 2_000, 4_000, 8_000}

// BackoffAfterCrash returns how long to wait before work is retried that may have crashed the
// instance, after a number of attempts, in milliseconds.
func BackoffAfterCrash(attempts int) int64 { return afterCrash.Wait(attempts) }
