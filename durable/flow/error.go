package flow

import (
	"cmp"
	"errors"
	"fmt"
)

// ErrTimeout is the error of an await whose time limit is over; see [Within].
var ErrTimeout = errors.New("flow: the time is over")

// ErrCancelled is the error of an await that the code itself has cancelled; see [Branch.Cancel].
var ErrCancelled = errors.New("flow: cancelled")

// Reason says why an operation was cancelled.
type Reason string

// The reasons.
const (
	// TimedOut: a time limit is over.
	TimedOut Reason = "timeout"
	// Cancelled: the code has cancelled it.
	Cancelled Reason = "cancelled"
	// Stopped: the routine's owner has stopped it.
	Stopped Reason = "stopped"
	// Left: the code has ended without waiting for the operation.
	Left Reason = "left"
	// neverStarted operations were never begun: the time was over before.
	neverStarted Reason = "late"
	// inDoubt: the code's own error says that something may or may not have happened.
	inDoubt Reason = "doubt"
	// lost requests may have had an effect: their instance died, and they must not be repeated.
	lost Reason = "lost"
)

// text returns the error text that the code gets.
func (r Reason) text() string {
	switch r {
	case TimedOut, neverStarted:
		return "the time is over"
	case Left:
		return "nobody waits for it any more"
	}
	return "it was " + string(r)
}

// sentinel returns the error that stands for the reason, or nil.
func (r Reason) sentinel() error {
	switch r {
	case TimedOut, neverStarted:
		return ErrTimeout
	case Cancelled:
		return ErrCancelled
	case inDoubt, lost:
		return ErrDoubtful
	}
	return nil
}

// Error is the failure of an awaited operation. Its Reason says whether it is an [ErrTimeout],
// [ErrCancelled] or [ErrDoubtful].
type Error struct {
	Op, Message string
	// Reason says why the operation was cancelled. It is "" if the operation itself failed.
	Reason Reason
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Is compares with the sentinel errors.
func (e *Error) Is(target error) bool { return target == e.Reason.sentinel() }

// DivergedError says that code which was run again awaited something else than before: it depends
// on something that is not journaled.
type DivergedError struct {
	Key Key
	// Code is the owner's name for the routine, such as "the tool research".
	Code       string
	Was, Asked string
}

// Error says what the journal holds and what the code asked for instead.
func (e *DivergedError) Error() string {
	return fmt.Sprintf("%s diverged when it was run again: its await %d was %q and is %q now. "+
		"What it decides by has to come from its input and its awaits: look at flow.Step, flow.Now and flow.Random, "+
		"and at ranges over maps. If its code was changed meanwhile, this call cannot go on and has to be made again.",
		e.Code, e.Key.Position, e.Was, e.Asked)
}

// ending unwinds code whose routine ends with an error. halted unwinds code that must stop where it
// waits.
type (
	ending struct{ error }
	halted struct{}
)

// reasonOf returns the reason in an error. The journal keeps it beside the error's text.
func reasonOf(err error) Reason {
	switch {
	case errors.Is(err, ErrTimeout):
		return TimedOut
	case errors.Is(err, ErrCancelled):
		return Cancelled
	case errors.Is(err, ErrDoubtful):
		return inDoubt
	}
	return ""
}

// errorText returns an error's text, which is never empty.
func errorText(err error) string { return cmp.Or(err.Error(), "it failed without a word") }
