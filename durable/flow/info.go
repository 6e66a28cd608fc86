package flow

// StepInfo is how a step of a routine goes on, for its owner to show.
type StepInfo struct {
	// ID names the step in its routine. It is made of the branch and the place in it, so it is the
	// same in every life.
	ID string
	// Name is what the author calls the step. The second step of a name is "charge (2)".
	Name  string
	State StepState
	// Attempt is the number of the attempt, from 1 on, and Attempts how many there are at most.
	Attempt, Attempts int
	// Error is what the last attempt has failed with, or "".
	Error string
	// RetryAt is when the next attempt begins, in milliseconds since 1970, or 0.
	RetryAt int64
}

// StepState says how far a step is.
type StepState string

// The states of a step. The last two are final.
const (
	// StepRunning: an attempt is under way.
	StepRunning StepState = "running"
	// StepWaiting: an attempt has failed, and the next one begins later.
	StepWaiting StepState = "waiting"
	// StepCompleted: an attempt has succeeded.
	StepCompleted StepState = "completed"
	// StepFailed: there is no further attempt.
	StepFailed StepState = "failed"
)
