package sim

import "hash/fnv"

// This file is what a subject has in common with its simulator, where people there have the
// root do what no button of the page does: turns are submitted, and schedules made. Its root
// has the shipped methods runTurn and cancelSubmission, and the methods schedule, which takes
// a [ScheduleRequest], and cancelSchedule. Its state is [Records].

// MethodCalls says that people run background jobs.
type MethodCalls struct {
	// Policy is what becomes of messages that come during a turn, "" for a queue.
	Policy string
	// History is how many tokens of the conversation the root's model is told, 0 for as many
	// as is usual.
	History int
}

// ScheduleRequest is a schedule that somebody wants.
type ScheduleRequest struct {
	ID   string `json:"id"`
	Kind Kind   `json:"kind"`
	// MS is the delay, or the interval, in milliseconds. A cron expression is for whole
	// minutes, which divide an hour.
	MS   int64  `json:"ms"`
	Does Action `json:"does"`
}

// Kind says how often a callback is called.
type Kind string

// The kinds.
const (
	Once  Kind = "once"
	Every Kind = "every"
	Cron  Kind = "cron"
)

// Action is what a callback does, besides what it notes.
type Action string

// What they do: nothing more, put a message into the chat, fail, take the instance along, or cancel their own schedule
// and fail.
const (
	Note  Action = "note"
	Ask   Action = "ask"
	Fail  Action = "fail"
	Break Action = "break"
	Quit  Action = "quit"
)

// OnPurpose is what code says that takes the instance along.
const OnPurpose = "broken on purpose"

// Records is what the root notes of what it was told.
type Records struct {
	// Calls is how often a callback was called, Last the last of these calls.
	Calls int    `json:"calls"`
	Last  Called `json:"last"`
	// Taken are the ends of detached runs, by run.
	Taken map[string]DeliveryRecord `json:"taken"`
}

// Called is one call of a callback.
type Called struct {
	ID      string `json:"id"`
	Planned int64  `json:"planned"`
	Attempt int    `json:"attempt"`
	Failed  bool   `json:"failed"`
}

// DeliveryRecord is how often the end of a run was handed over, how often of that it was taken, and
// with which status.
type DeliveryRecord struct {
	Tries  int    `json:"tries"`
	Took   int    `json:"took"`
	Status string `json:"status"`
}

// maxTries is how often the end of a run is handed over, and a callback called for one time.
const maxTries = 5

// Stubborn says whether a handler fails at an attempt to hand over a run's end: some do once,
// and some always.
func Stubborn(run string, attempt int) bool {
	switch sum(run) % 8 {
	case 0:
		return true
	case 1, 2:
		return attempt == 1
	}
	return false
}

func sum(s string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s))
	return h.Sum32()
}
