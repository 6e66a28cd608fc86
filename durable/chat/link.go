package chat

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/wire"
)

// What a parent and its helpers say to each other. A run's id makes every one of
// them idempotent.
var (
	// startRun hands a run to a helper, once.
	startRun = wire.NewMethod[startRequest, takenResult]("run.start")
	// cancelRun stops a run, also one that has not come yet.
	cancelRun = wire.NewMethod[cancelRequest, cancelResult]("run.cancel")
	// pageRun reads a run's log where no stream comes through.
	pageRun = wire.NewMethod[tailRequest, page]("run.page")
	// answerCall hands on a person's approval of a call, or refusal.
	answerCall = wire.NewMethod[answerRequest, takenResult]("run.answer")
	// tailRun streams a run's log as it grows, and says at last what came of it.
	tailRun = wire.NewStream[tailRequest]("run.tail")
)

type empty struct{}

type startRequest struct {
	Run string
	// Generation counts the uses of the helper's slot.
	Generation int64
	// Prompt is what the helper is told.
	Prompt string
	// Input is the same as the parent has it, JSON.
	Input json.RawMessage `json:",omitempty"`
	// Output is the JSON Schema that its answer has to fit, or nil.
	Output json.RawMessage `json:",omitempty"`
	// Depth is how far below the root the helper lives, from 1 on.
	Depth int
	// Detached says that the run is.
	Detached bool `json:",omitempty"`
}

type cancelRequest struct{ Run, Reason string }

// cancelResult says what a cancelled run has cost.
type cancelResult struct {
	Usage run.Usage
	// Telling says that helpers of the helper have still to be told: it has to be asked
	// again, lest it sleep over that.
	Telling bool
	// Waken is when the helper wants to be woken all the same, or 0.
	Waken int64
}

type answerRequest struct {
	Call     string
	Approved bool
}

// takenResult says whether a helper has taken a run or an answer. Gone says that it never will. It
// refuses a run if it belongs to an earlier use of its slot and should have been wiped; it refuses an
// answer if the question is no longer open, or had another answer.
type takenResult struct{ Gone bool }

// tailRequest asks for a run's chunks from index From on, and its milestones from number
// Milestones on.
type tailRequest struct {
	Run              string
	From, Milestones int64
}

// behind asks for what is behind all that has come of a run.
func behind(r run.Run) tailRequest {
	return tailRequest{Run: r.ID, From: r.Next, Milestones: r.Milestones}
}

// page is a piece of a run's log.
type page struct {
	Chunks [][]byte
	// Milestones stand before, between and behind these chunks.
	Milestones []stream.Milestone
	// Ended says that nothing comes behind these chunks; Outcome is what came of it.
	Ended   bool
	Outcome outcome
	// Usage is what the run has cost so far.
	Usage run.Usage
	// Report is what it has last said of its progress.
	Report report
	// WaitsFor are the calls that wait for a person, where nothing comes before one
	// has answered. IdleUntil is when something happens next, where the run's tools
	// sleep.
	WaitsFor  []string
	IdleUntil int64
	// Waken is when the helper wants to be woken, or 0.
	Waken int64
}

// progress is how far a run has come: what it costs, and what its code has said since.
type progress struct {
	Usage  run.Usage `json:"usage"`
	Report report    `json:"report,omitzero"`
}

// report is what a run's code has said of its progress, the Nth time that it did. With N
// 0 it has said nothing.
type report struct {
	N        int64        `json:"n"`
	Progress run.Progress `json:"progress"`
}

// pause is what a stream ends with where nothing comes for long.
type pause struct {
	WaitsFor  []string `json:"waitsFor,omitempty"`
	IdleUntil int64    `json:"idleUntil,omitempty"`
	// Waken is when the helper wants to be woken meanwhile, or 0.
	Waken int64 `json:"waken,omitempty"`
}

// runOver is what a stream ends with where a run is over.
type runOver struct {
	outcome
	// Waken is when the helper wants to be woken all the same, or 0.
	Waken int64 `json:"waken,omitempty"`
}

// outcome is what came of a run, as its helper tells it: in a page, or as JSON in
// the frame that ends its stream.
type outcome struct {
	Status  string          `json:"status"`
	Summary string          `json:"summary,omitempty"`
	Output  json.RawMessage `json:"output,omitempty"`
	Failure string          `json:"failure,omitempty"`
	Reason  run.Reason      `json:"reason,omitempty"`
	Usage   run.Usage       `json:"usage"`
}
