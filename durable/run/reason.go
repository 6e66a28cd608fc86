package run

// Reason tells programs why a run has no result.
type Reason string

// The reasons. An ordinary failure has none.
const (
	// Cancelled: a person or a program stopped the run.
	Cancelled Reason = "cancelled"
	// TimedOut: the run exceeded its timeout.
	TimedOut Reason = "timeout"
	// OverBudget: the helper has used up its budget.
	OverBudget Reason = "budget"
	// InvalidOutput: the helper has answered, and the answer does not fit the schema.
	InvalidOutput Reason = "invalid-output"
	// NotStarted: no helper took the run.
	NotStarted Reason = "not-started"
	// Refused: the parent does not allow the run.
	Refused Reason = "refused"
	// TooMany: other runs hold all the places.
	TooMany Reason = "too-many"
	// TooDeep: helpers must not nest that deep.
	TooDeep Reason = "too-deep"
	// OtherInput: the id belongs to another run.
	OtherInput Reason = "other-input"
)

// retryable are the reasons that may not apply to a new attempt.
var retryable = map[Reason]bool{"": true, TimedOut: true, InvalidOutput: true, NotStarted: true, TooMany: true}

// Retryable says whether a new run with an id of its own may succeed after one that has no result.
func Retryable(status Status, reason Reason) bool {
	return (status == Failed || reason == TimedOut) && retryable[reason]
}
