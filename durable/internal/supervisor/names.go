package supervisor

// This file has the names that are stored, or that the host gives back in an event. A stored name never changes, because
// objects of earlier versions have it.

// The kinds of the supervisor's entries in the schedule.
const (
	// dueTail opens the stream of a run again.
	dueTail = "follow"
	// dueReconcile compares the active runs with what their helpers say of them.
	dueReconcile = "runs"
	// dueDeadline ends a run that has taken too long.
	dueDeadline = "timeout"
	// dueIdleTimeout ends a detached run whose helper has been silent for too long.
	dueIdleTimeout = "silence"
	// DueDelivery delivers the end of a detached run to its handler.
	DueDelivery = "letter"
	// DueWake wakes a helper that has schedules.
	DueWake = "waken"
	// DueAsk repeats what a helper asks its root to do.
	DueAsk = "ask"
	// dueLedger tells calls that have waited for a key.
	dueLedger = "action"
	// dueNotice tells the origin of a hosted run again.
	dueNotice = "tell"
	// dueSignal calls a helper again that could not be brought its signals.
	dueSignal = "signal"
)

// Kinds are all of them.
var Kinds = []string{
	dueTail, dueReconcile, dueDeadline, dueIdleTimeout, DueDelivery, DueWake, DueAsk, dueLedger, dueNotice, dueSignal,
}

const (
	// actionPrefix begins the names of calls with the ledger's answers. What the call tells follows, and
	// the run whose helper is called.
	actionPrefix = "action/"
)

// The kinds of what is repeated. What is repeated has the id of a run, or the number of an answer.
const (
	owedStart   = "start"
	owedStream  = "read"
	owedCancel  = "cancel"
	owedAnswer  = "answer"
	owedSignals = "signals"
	owedPause   = "pause"
	owedWake    = "wake"
	owedNews    = "news"
	owedRequest = "request"
)
