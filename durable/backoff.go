package durable

// Backoff returns how long to wait after a number of failures, in milliseconds: a quarter of a second,
// doubled with each failure, at most eight seconds.
func Backoff(failures int) int64 { return 250 << min(failures, 5) }

// BackoffAfterCrash returns how long to wait before work is retried that may have crashed the
// instance, after a number of attempts, in milliseconds. The first retry does not wait: usually
// something else caused the crash.
func BackoffAfterCrash(attempts int) int64 {
	if attempts <= 1 {
		return 0
	}
	return Backoff(attempts - 2)
}
