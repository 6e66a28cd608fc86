package contract

// MethodCalls says that people call methods of the root: they submit turns and make schedules,
// which no button of the page does. Such a root has the shipped methods runTurn and
// cancelSubmission, and the methods schedule, which takes a [ScheduleRequest], and cancelSchedule.
// Its state is [Records].
type MethodCalls struct {
	// Policy decides what happens to a message that arrives during a turn, "" for the queue.
	Policy string
	// History is how many tokens of the conversation are sent to the root's model, 0 for the
	// default.
	History int
	// Servers says that the root uses the [Servers], and that programs use the root as one.
	Servers bool
	// TellCode says that code alone reaches the tools of the servers: the root's model is not told of them.
	TellCode bool
}

// ScheduleRequest is the argument of the method schedule.
type ScheduleRequest struct {
	ID   string `json:"id"`
	Kind Kind   `json:"kind"`
	// MS is the delay, or the interval, in milliseconds. A cron expression is for whole minutes
	// that divide an hour.
	MS   int64  `json:"ms"`
	Does Action `json:"does"`
}

// Kind says how often a callback is called.
type Kind string

// The kinds of schedules.
const (
	Once  Kind = "once"
	Every Kind = "every"
	Cron  Kind = "cron"
)

// Action is what a callback does besides counting its call.
type Action string

// The actions: nothing more, put a message into the chat, fail, trap, or cancel the callback's own
// schedule and fail.
const (
	Note  Action = "note"
	Ask   Action = "ask"
	Fail  Action = "fail"
	Break Action = "break"
	Quit  Action = "quit"
)

// First returns the first time of a schedule that is made now.
func (r ScheduleRequest) First(now int64) int64 {
	if r.Kind == Once {
		return now + r.MS
	}
	return r.Next(now, now)
}

// Next returns the time that follows the planned one, or 0 if there is none.
func (r ScheduleRequest) Next(planned, now int64) int64 {
	switch r.Kind {
	case Every:
		return planned + (max(now-planned, 0)/r.MS+1)*r.MS
	case Cron:
		return (now/r.MS + 1) * r.MS
	}
	return 0
}
