package flow

import (
	"cmp"
	"errors"
	"fmt"
)

// ErrTimeout is what an await brings that was under a time limit, when the time is
// over; see [Within].
var ErrTimeout = errors.New("flow: the time is over")

// ErrCancelled is what an await brings that was cancelled by the code itself; see
// [Branch.Cancel].
var ErrCancelled = errors.New("flow: cancelled")

// Reason says why something that was begun is given up.
type Reason string

// The reasons.
const (
	// TimedOut: a time limit is over.
	TimedOut Reason = "timeout"
	// Cancelled: the code has cancelled it.
	Cancelled Reason = "cancelled"
	// Stopped: the routine was stopped from outside.
	Stopped Reason = "stopped"
	// Left: the code has ended without waiting for it.
	Left Reason = "left"
	// late awaits were never begun: the time was over before.
	late Reason = "late"
)

// words are what the code is told.
func (r Reason) words() string {
	switch r {
	case TimedOut, late:
		return "the time is over"
	case Left:
		return "nobody waits for it any more"
	}
	return "it was " + string(r)
}

// sentinel is the error that a reason is, or nil.
func (r Reason) sentinel() error {
	switch r {
	case TimedOut, late:
		return ErrTimeout
	case Cancelled:
		return ErrCancelled
	}
	return nil
}

// Error is an awaited op's failure. It is an [ErrTimeout] or [ErrCancelled] where it
// says so.
type Error struct {
	Op, Message string
	// Reason says that it was given up, and why; "" is a failure of its own.
	Reason Reason
}

func (e *Error) Error() string { return e.Message }

// Is compares with the sentinels.
func (e *Error) Is(target error) bool { return target == e.Reason.sentinel() }

// DivergedError says that code which was run again asked something else than it
// had asked before: it depends on something that is not journaled.
type DivergedError struct {
	Key Key
	// Code is what the routine's owner calls it, such as "the tool research".
	Code       string
	Was, Asked string
}

func (e *DivergedError) Error() string {
	return fmt.Sprintf("%s diverged when it was run again: its await %d was %q and is %q now. "+
		"What it decides by has to come from its input and its awaits: look at flow.Step, flow.Now and flow.Random, "+
		"and at ranges over maps. If its code was changed meanwhile, this call cannot go on and has to be made again.",
		e.Code, e.Key.Position, e.Was, e.Asked)
}

// ending unwinds code whose routine ends with an error, halted code that is to stop
// where it waits.
type (
	ending struct{ error }
	halted struct{}
)

// reasonOf is what of an error outlives its words.
func reasonOf(err error) Reason {
	switch {
	case errors.Is(err, ErrTimeout):
		return TimedOut
	case errors.Is(err, ErrCancelled):
		return Cancelled
	}
	return ""
}

// wordsOf is an error in words, never none.
func wordsOf(err error) string { return cmp.Or(err.Error(), "it failed without a word") }
