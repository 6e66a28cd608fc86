package facet

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
)

// TailRequest asks for a run's chunks from index From, and its milestones from number Milestones.
type TailRequest struct {
	Run              string
	From, Milestones int64
}

// TailRequestOf asks for everything of a run that has not arrived yet.
func TailRequestOf(r run.Run) TailRequest {
	return TailRequest{Run: r.ID, From: r.Next, Milestones: r.Milestones}
}

// Page is a piece of a run's log.
type Page struct {
	Chunks [][]byte
	// Milestones stand before, between and after these chunks.
	Milestones []stream.Milestone
	// Ended says that no more chunks follow. Outcome is then the outcome of the run.
	Ended   bool
	Outcome Outcome
	// Usage is what the run has cost so far.
	Usage run.Usage
	// Received is how many signals the run's code has received.
	Received run.Received
	// Report is the last report of the run's progress.
	Report Report
	// WaitsFor are the calls that wait for a person, if nothing more comes before one is answered.
	// IdleUntil is the time of the next event, if the run's tools sleep.
	// Pending is what people are asked, as far as they are described to the parent.
	WaitsFor  []string
	Pending   []run.Pending
	IdleUntil int64
	// Host is what the helper, and those below it, ask the root to do.
	Host []*HostRequest
	// Held and Change are those of a [Pause].
	Held   bool
	Change int64
	// Questions are the helper's questions to a person.
	Questions []Question `json:",omitempty"`
	// Waken is when the helper wants to be woken, or 0.
	Waken int64
	// Idle says that the run has ended, and that the helper has nothing to do before it is woken or
	// sent something.
	Idle bool
}

// Progress is how far a run has come: its cost, its latest report, the signals that its code has
// received, and its questions to a person if they have changed.
type Progress struct {
	Usage     run.Usage    `json:"usage"`
	Report    Report       `json:"report,omitzero"`
	Received  run.Received `json:"received,omitzero"`
	Questions []Question   `json:"questions,omitempty"`
}

// Question is a question of a helper, or of a helper below it, to a person. It is over since
// OverAt, in milliseconds since 1970, or open if that is 0. By is the person who has answered, or
// "".
type Question struct {
	ID string `json:"id"`
	// Form says that the answer is a value and not yes or no. Schema is its JSON Schema.
	Form   bool            `json:"form,omitempty"`
	Schema json.RawMessage `json:"schema,omitempty"`
	// Scopes are what a person needs who answers.
	Scopes []string `json:"scopes,omitempty"`
	OverAt int64    `json:"overAt,omitempty"`
	By     string   `json:"by,omitempty"`
}

// Report is the Nth report of a run's progress by its code. N is 0 if there is none.
type Report struct {
	N        int64        `json:"n"`
	Progress run.Progress `json:"progress"`
}

// Pause ends a stream if nothing more comes for a long time.
type Pause struct {
	WaitsFor []string `json:"waitsFor,omitempty"`
	// Pending describes what people are asked, for the list at the root.
	Pending   []run.Pending `json:"pending,omitempty"`
	IdleUntil int64         `json:"idleUntil,omitempty"`
	// Held says that the run is paused, or that all runs that it waits for are. Change is the number
	// of the last change of its own pauses that the helper knows of.
	Held   bool  `json:"held,omitempty"`
	Change int64 `json:"change,omitempty"`
	// Waken is when the helper wants to be woken meanwhile, or 0.
	Waken int64 `json:"waken,omitempty"`
	// Received is how many signals the run's code has received.
	Received int64 `json:"received,omitempty"`
}

// End ends a stream if the run is over.
type End struct {
	Outcome
	// Waken is when the helper wants to be woken nevertheless, or 0.
	Waken int64 `json:"waken,omitempty"`
	// Idle says that the helper has nothing to do before it is woken or sent something.
	Idle bool `json:"idle,omitempty"`
}

// Outcome is a run's outcome as its helper reports it: in a page, or as JSON in the frame that ends
// its stream.
type Outcome struct {
	Status  string          `json:"status"`
	Summary string          `json:"summary,omitempty"`
	Output  json.RawMessage `json:"output,omitempty"`
	Failure string          `json:"failure,omitempty"`
	Reason  run.Reason      `json:"reason,omitempty"`
	Usage   run.Usage       `json:"usage"`
}
