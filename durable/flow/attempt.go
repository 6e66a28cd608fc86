package flow

import (
	"encoding/binary"
	"fmt"
	"slices"
	"time"
)

// maxLost is how many attempts of a step are not counted because they were lost.
const maxLost = 100

// runStep runs the attempts of a step that has not ended, and returns its journal entry.
func (c *Context) runStep(name string, retry Retry, f func(*Attempt) ([]byte, error)) *entry {
	r := c.routine
	s := r.running()
	e, fresh := r.findAwait(s, "do "+name, true)
	switch {
	case e.ended > 0:
		return e
	case e.step == nil: // a row of an earlier version of the code
		panic(ending{&DivergedError{Key: e.key, Code: r.code, Was: e.name, Asked: "a step with attempts"}})
	case fresh && r.overSince(s.limits) > 0:
		r.journal.complete(r.tx, e, nil, neverStarted, neverStarted.text())
		return e
	}
	d := &doing{Context: c, s: s, e: e, name: name, retry: retry}
	before, place := s.in, s.place
	for e.ended == 0 {
		s.in, s.place = e.key.Position, 0
		if d.pauses() {
			d.try(f)
		}
	}
	s.in, s.place = before, place
	return e
}

// doing is a step in this life.
type doing struct {
	*Context
	s     *coroutine
	e     *entry
	name  string
	retry Retry
	// pause is how long the next attempt waits, if the one before was made in this life.
	pause time.Duration
}

// pauses waits between two attempts. It returns false if a time limit has ended the step meanwhile.
func (d *doing) pauses() bool {
	r, e := d.routine, d.e
	if e.step.attempts+e.step.lost == 0 {
		return true
	}
	_, err := d.Await(sleeping("pause", d.pause)).Wait()
	begun := r.journal.find(d.s.in, d.s.place) != nil
	if err == nil && (begun || r.overSince(d.s.limits) == 0) {
		return true
	}
	last := r.journal.lastError(r.tx, e)
	d.end(nil, TimedOut, fmt.Sprintf("%s: %s after attempt %d of %d: %s", d.name, TimedOut.text(), e.step.last(), d.retry.Attempts, last), last)
	return false
}

// try makes an attempt, and decides what comes after it.
func (d *doing) try(f func(*Attempt) ([]byte, error)) {
	r, s, e := d.routine, d.s, d.e
	n := e.step.attempts + 1
	if r.journal.find(s.in, s.place) == nil {
		d.observe(StepInfo{State: StepRunning, Attempt: n})
	}
	op := sleeping(fmt.Sprintf("attempt %d", n), d.retry.Timeout)
	op.Around = true
	limit := d.Await(op)
	outer := s.limits
	s.limits = append(slices.Clip(outer), limit.position)
	s.in, s.place = limit.position, 0
	result, err := f(&Attempt{Context: d.Context, number: n, key: r.keyOf(e), interrupted: e.step.wasLost})
	r.running()
	r.checkEnd(s)
	s.limits = outer
	s.in, s.place = e.key.Position, 0
	lost := r.journal.lostInside(e)
	r.cancelInside(e, Cancelled)
	e.step.doubt = e.step.doubt || err != nil && r.journal.doubtInside(e)
	d.decide(n, lost, result, err)
}

// decide ends the step after an attempt, or begins the pause before the next one.
func (d *doing) decide(n int, wasLost bool, result []byte, err error) {
	r, step := d.routine, d.e.step
	if err == nil {
		step.attempts, step.wasLost = n, false
		d.end(result, "", "", r.journal.lastError(r.tx, d.e))
		return
	}
	v, over := verdictOf(err), r.overSince(d.s.limits) > 0
	words := errorText(err)
	uncounted := wasLost && d.retry.Attempts > 1 && step.lost < maxLost
	step.wasLost = wasLost
	if uncounted {
		step.lost++
	} else {
		step.attempts = n
	}
	if v.permanent || over || !uncounted && n >= d.retry.Attempts {
		reason := reasonOf(err)
		switch {
		case over:
			reason = TimedOut
		case wasLost:
			reason = lost
		case reason == "" && step.doubt:
			reason = inDoubt
		}
		d.end(nil, reason, fmt.Sprintf("%s: attempt %d of %d: %s", d.name, n, d.retry.Attempts, words), cut(words))
		return
	}
	switch {
	case v.hasAfter:
		d.pause = v.after
	case d.retry.Delay != nil:
		d.pause = d.retry.Delay(n, err)
	default:
		d.pause = d.backOff(n + step.lost)
	}
	d.pause = max(d.pause, 0)
	words = cut(words)
	r.journal.failAttempt(r.tx, d.e, words)
	d.observe(StepInfo{State: StepWaiting, Attempt: n, Error: words, RetryAt: r.tx.Now + d.pause.Milliseconds()})
}

// backOff returns the pause behind the nth attempt that has failed.
func (d *doing) backOff(n int) time.Duration {
	pause := float64(d.retry.First)
	for i := 1; i < n && pause < float64(d.retry.Longest); i++ {
		pause *= max(d.retry.Factor, 1)
	}
	var chance [4]byte
	d.routine.tx.Random(chance[:])
	pause *= 0.8 + 0.4*float64(binary.LittleEndian.Uint32(chance[:]))/(1<<32)
	return min(time.Duration(min(pause, float64(d.retry.Longest))), d.retry.Longest)
}

// end ends the step.
func (d *doing) end(result []byte, reason Reason, failure, last string) {
	r, e := d.routine, d.e
	if len(result) > MaxResult {
		result, failure = nil, fmt.Sprintf("%s: what it brought has %d bytes, at most %d", d.name, len(result), MaxResult)
	}
	r.journal.endStep(r.tx, e, result, reason, failure, last)
	info := StepInfo{State: StepCompleted, Attempt: e.step.last()}
	if failure != "" {
		info.State, info.Error = StepFailed, cut(failure)
	}
	d.observe(info)
}

// observe tells the owner how the step goes on.
func (d *doing) observe(info StepInfo) {
	r := d.routine
	if r.options.Observe == nil {
		return
	}
	info.ID, info.Name, info.Attempts = r.journal.path(d.e), d.name, d.retry.Attempts
	if nth := d.e.step.nth; nth > 1 {
		info.Name = fmt.Sprintf("%s (%d)", d.name, nth)
	}
	r.options.Observe(r.tx, info)
}
