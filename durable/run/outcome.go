package run

import "encoding/json"

// Outcome is how a run ended: with a summary, an output, or an error text. Its JSON is public.
type Outcome struct {
	Run     string          `json:"run"`
	Status  Status          `json:"status"`
	Summary string          `json:"summary,omitempty"`
	Output  json.RawMessage `json:"output,omitempty"`
	Failure string          `json:"failure,omitempty"`
	Reason  Reason          `json:"reason,omitempty"`
	// DroppedSignals is how many signals the run has not received.
	DroppedSignals int64 `json:"droppedSignals,omitempty"`
}

// Outcome returns how the run ended, or its status so far.
func (r Run) Outcome() Outcome {
	return Outcome{Run: r.ID, Status: r.Status, Summary: r.Summary, Output: r.Output, Failure: r.Failure, Reason: r.Reason, DroppedSignals: r.DroppedSignals}
}
