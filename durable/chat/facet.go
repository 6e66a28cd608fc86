package chat

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/wire"
)

// These calls and streams connect a parent and its helpers. A run's id makes each of them
// idempotent.
var (
	// startRun hands a run to a helper, once.
	startRun = wire.NewMethod[startRequest, acceptResult]("run.start")
	// cancelRun stops a run, also one that the helper has not been told of yet.
	cancelRun = wire.NewMethod[cancelRequest, cancelResult]("run.cancel")
	// pageRun reads a piece of a run's log when no stream gets through.
	pageRun = wire.NewMethod[tailRequest, page]("run.page")
	// answerCall passes on a person's approval or refusal of a call.
	answerCall = wire.NewMethod[answerRequest, acceptResult]("run.answer")
	// tailRun streams a run's log as it grows, and then the run's outcome.
	tailRun = wire.NewStream[tailRequest]("run.tail")
)

type empty struct{}

type startRequest struct {
	Run string
	// Generation counts the uses of the helper's slot.
	Generation int64
	// Prompt is the helper's task in words.
	Prompt string
	// Input is the helper's input, the same as the parent has, JSON.
	Input json.RawMessage `json:",omitempty"`
	// Output is the JSON Schema for the helper's answer, or nil.
	Output json.RawMessage `json:",omitempty"`
	// Depth is how far below the root the helper lives, from 1.
	Depth int
	// Detached says that the run is detached.
	Detached bool `json:",omitempty"`
}

type cancelRequest struct {
	Run, Reason string
	// Generation counts the uses of the helper's slot.
	Generation int64
}

// cancelResult is the answer to a cancellation. It holds the cost of the cancelled run.
type cancelResult struct {
	Usage run.Usage
	// Telling says that the helper has not told all helpers below it yet. It has to be asked again,
	// so that it does not sleep before it has.
	Telling bool
	// Waken is when the helper wants to be woken nevertheless, or 0.
	Waken int64
	// Gone says that the helper belongs to an earlier use of its slot and should have been wiped.
	Gone bool
}

type answerRequest struct {
	Call     string
	Approved bool
}

// acceptResult is a helper's answer to a run or to a person's answer. Gone says that the helper
// will never take it. It refuses a run if it belongs to an earlier use of its slot and should have
// been wiped. It refuses an answer if the question is no longer open, or was answered differently.
type acceptResult struct{ Gone bool }

// tailRequest asks for a run's chunks from index From, and its milestones from number Milestones.
type tailRequest struct {
	Run              string
	From, Milestones int64
}

// tailRequestOf asks for everything of a run that has not arrived yet.
func tailRequestOf(r run.Run) tailRequest {
	return tailRequest{Run: r.ID, From: r.Next, Milestones: r.Milestones}
}

// page is a piece of a run's log.
type page struct {
	Chunks [][]byte
	// Milestones stand before, between and after these chunks.
	Milestones []stream.Milestone
	// Ended says that no more chunks follow. Outcome is then the outcome of the run.
	Ended   bool
	Outcome outcome
	// Usage is what the run has cost so far.
	Usage run.Usage
	// Report is the last report of the run's progress.
	Report report
	// WaitsFor are the calls that wait for a person, if nothing more comes before one is answered.
	// IdleUntil is the time of the next event, if the run's tools sleep.
	WaitsFor  []string
	IdleUntil int64
	// Waken is when the helper wants to be woken, or 0.
	Waken int64
}

// progress is how far a run has come: its cost, and its latest report.
type progress struct {
	Usage  run.Usage `json:"usage"`
	Report report    `json:"report,omitzero"`
}

// report is the Nth report of a run's progress by its code. N is 0 if there is none.
type report struct {
	N        int64        `json:"n"`
	Progress run.Progress `json:"progress"`
}

// pause ends a stream if nothing more comes for a long time.
type pause struct {
	WaitsFor  []string `json:"waitsFor,omitempty"`
	IdleUntil int64    `json:"idleUntil,omitempty"`
	// Waken is when the helper wants to be woken meanwhile, or 0.
	Waken int64 `json:"waken,omitempty"`
}

// runOver ends a stream if the run is over.
type runOver struct {
	outcome
	// Waken is when the helper wants to be woken nevertheless, or 0.
	Waken int64 `json:"waken,omitempty"`
}

// outcome is a run's outcome as its helper reports it: in a page, or as JSON in the frame that ends
// its stream.
type outcome struct {
	Status  string          `json:"status"`
	Summary string          `json:"summary,omitempty"`
	Output  json.RawMessage `json:"output,omitempty"`
	Failure string          `json:"failure,omitempty"`
	Reason  run.Reason      `json:"reason,omitempty"`
	Usage   run.Usage       `json:"usage"`
}
