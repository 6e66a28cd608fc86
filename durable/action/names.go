package action

// This file has the names that are stored, or that the host gives back in an event. A stored name never changes, because
// objects of earlier versions have it.

// DueNotice is the kind of the schedule's entry at which notices are sent.
const DueNotice = "action"

// The states of an action. Failed and Undone actions hold their key no longer.
const (
	// Begun: a call works on it.
	Begun State = "begun"
	// Done: it has had its effect, and its result is kept.
	Done State = "done"
	// Failed: nothing has happened.
	Failed State = "failed"
	// Unknown: it may or may not have happened.
	Unknown State = "unknown"
	// Undone: it was done, and the tool has undone it.
	Undone State = "undone"
)

// The requests of helpers.
const (
	opClaim   = "claim"
	opDrop    = "drop"
	opDoubt   = "doubt"
	opEnd     = "end"
	opAbandon = "abandon"
	opDone    = "done"
	opUndo    = "undo"
	opUndone  = "undone"
	opGone    = "gone"
)
