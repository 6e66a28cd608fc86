package loop

// This file has the names that are stored, or that the host gives back in an event. A stored name never changes, because
// objects of earlier versions have it.

// The kinds of the loop's entries in the schedule.
const (
	// dueRetry retries a model call, dueQuarantined retries quarantined work.
	dueRetry       = "retry"
	dueQuarantined = "go-on"
	// dueWatchdog wakes an object whose turn should be making progress.
	dueWatchdog = "watch"
)

// Kinds are all of them.
var Kinds = []string{dueRetry, dueQuarantined, dueWatchdog}

// The keys of what the conversation's own model calls have used in all its turns that have ended: JSON. Earlier versions
// kept three numbers, which stay as they were, and counted each call at once.
const (
	settingUsed   = "used"
	settingInput  = "input_tokens"
	settingOutput = "output_tokens"
	settingCalls  = "model_calls"
)

const (
	// GatherTimer is the timer at whose end the gathered words are said.
	GatherTimer = "words"
)
