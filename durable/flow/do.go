package flow

import (
	"cmp"
	"errors"
	"time"
)

// Retry says how often a step is tried, and when. A field that is 0 has the value that is named
// beside it.
type Retry struct {
	// Attempts is how many attempts there are at most: 5. With 1 the step is tried once.
	Attempts int
	// First is the pause before the second attempt: 1 s. Each later pause is Factor times as long: 2.
	// No pause is longer than Longest: 1 h. Pauses are up to 20 % shorter or longer by chance.
	First   time.Duration
	Factor  float64
	Longest time.Duration
	// Timeout limits the time of one attempt: 5 min. It goes on while the server is away. See [Within].
	Timeout time.Duration
	// Delay returns the pause behind attempt n, which has failed with err. It takes the place of First,
	// Factor and Longest. It is called once, and the pause is journaled.
	Delay func(n int, err error) time.Duration
}

// usual returns r with values in place of what is 0.
func (r Retry) usual() Retry {
	r.Attempts = max(cmp.Or(r.Attempts, 5), 1)
	r.First = cmp.Or(r.First, time.Second)
	r.Factor = cmp.Or(r.Factor, 2)
	r.Longest = cmp.Or(r.Longest, time.Hour)
	r.Timeout = cmp.Or(r.Timeout, 5*time.Minute)
	return r
}

// Do runs f until it succeeds, and journals what it returned, as JSON. Between two attempts it
// sleeps, and holds a row of the schedule only. The error of the last attempt is the step's:
//
//	charge: attempt 5 of 5: 503
//
// An attempt may do what a branch may: make requests, ask helpers, sleep, run steps. What it has
// begun and not waited for is cancelled when it ends. When the step has ended, the journal forgets
// the awaits inside of it. So f must not change variables around it, and nothing that f has begun
// can be waited for outside of f.
//
// The code of an attempt whose instance was lost goes on over its journal, like all code. If that
// fails because a request must not be repeated, see [Fetch], the attempt is made again under its
// number, and [Attempt.Interrupted] says so. With Attempts 1 it has failed.
//
// Only one r is used. An attempt does not begin under a time limit that is over.
func Do[T any](c Awaiter, name string, f func(a *Attempt) (T, error), r ...Retry) (T, error) {
	var retry Retry
	if len(r) > 0 {
		retry = r[0]
	}
	e := c.context().runStep(name, retry.usual(), func(a *Attempt) ([]byte, error) {
		v, err := f(a)
		if err != nil {
			return nil, err
		}
		return encodeResult(name, v)
	})
	return decode[T](name, e.outcome)
}

// Attempt is one attempt of a step. It is valid in the function that it was given to.
type Attempt struct {
	*Context
	number      int
	key         string
	interrupted bool
}

// Number returns the number of the attempt, from 1 on.
func (a *Attempt) Number() int { return a.number }

// Key returns 32 hexadecimal digits that name the step. They are the same in every attempt and every
// life, and no other step has them. They are meant for the header Idempotency-Key, with
// [Request.Repeatable].
func (a *Attempt) Key() string { return a.key }

// Interrupted says that the instance of the attempt before died during a request that must not be
// repeated. The request may have had its effect.
func (a *Attempt) Interrupted() bool { return a.interrupted }

// Permanent returns an error with which an attempt ends its step at once. Its text is that of err.
// It is nil if err is nil. An error that a branch or a step inside has returned does not say so any
// more.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return &verdict{err: err, permanent: true}
}

// After returns an error with which an attempt says when the next one begins, as the header
// Retry-After does. It is nil if err is nil.
func After(err error, d time.Duration) error {
	if err == nil {
		return nil
	}
	return &verdict{err: err, after: d, hasAfter: true}
}

// verdict is the error of an attempt that says what becomes of its step.
type verdict struct {
	err       error
	permanent bool
	after     time.Duration
	hasAfter  bool
}

func (v *verdict) Error() string { return errorText(v.err) }

func (v *verdict) Unwrap() error { return v.err }

// verdictOf returns the verdict in an error.
func verdictOf(err error) verdict {
	var v *verdict
	if errors.As(err, &v) {
		return *v
	}
	return verdict{}
}
