package run

// Reason says for programs why a run has no result.
type Reason string

// The reasons. A run that just failed has none.
const (
	// Cancelled: somebody stopped it.
	Cancelled Reason = "cancelled"
	// TimedOut: it took longer than it was given.
	TimedOut Reason = "timeout"
	// OverBudget: its helper has used up what it may.
	OverBudget Reason = "budget"
	// InvalidOutput: the helper has answered, and the answer does not fit.
	InvalidOutput Reason = "invalid-output"
	// NotStarted: no helper took it.
	NotStarted Reason = "not-started"
	// Refused: its parent will not have it.
	Refused Reason = "refused"
	// TooMany: others have all the places.
	TooMany Reason = "too-many"
	// TooDeep: helpers cannot nest that deep.
	TooDeep Reason = "too-deep"
	// OtherInput: its id is that of another run.
	OtherInput Reason = "other-input"
)

// retryable are the reasons that may be gone next time.
var retryable = map[Reason]bool{"": true, TimedOut: true, InvalidOutput: true, NotStarted: true, TooMany: true}

// Retryable says of a run that has no result whether asking again, in a run with an
// id of its own, may bring one.
func Retryable(status Status, reason Reason) bool {
	return (status == Failed || reason == TimedOut) && retryable[reason]
}
