// Package facet defines what a parent and its helpers send to each other: the methods and streams,
// the shape of each, and the names of slots, calls and streams.
package facet

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/wire"
)

// These calls and streams connect a parent and its helpers. A run's id makes each of them
// idempotent.
var (
	// Cancel stops a run, also one that the helper has not been told of yet.
	Cancel = wire.NewMethod[CancelRequest, CancelResult]("run.cancel")
	// ReadPage reads a piece of a run's log when no stream gets through.
	ReadPage = wire.NewMethod[TailRequest, Page]("run.page")
	// Answer passes on a person's approval or refusal of a call.
	Answer = wire.NewMethod[AnswerRequest, AcceptResult]("run.answer")
	// Start hands a run to a helper, once, and streams the run like Tail, from its first chunk. The
	// first frame says whether the helper has taken the run: every frame does but an error.
	Start = wire.NewStream[StartRequest]("run.start")
	// Tail streams a run's log as it grows, and then the run's outcome.
	Tail = wire.NewStream[TailRequest]("run.tail")
)

// Empty is a request without content.
type Empty struct{}

// StartRequest hands a run to a helper.
type StartRequest struct {
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
	// Claims are those of the turn that has begun the run. The helper keeps them with its turn alone.
	Claims string `json:"-"`
}

// CancelRequest cancels a run.
type CancelRequest struct {
	Run, Reason string
	// Generation counts the uses of the helper's slot.
	Generation int64
}

// CancelResult is the answer to a cancellation. It holds the cost of the cancelled run.
type CancelResult struct {
	Usage run.Usage
	// Telling says that a helper below this one has not acknowledged the cancellation. The parent
	// then sends the cancellation again, so that this helper stays awake until that has happened.
	Telling bool
	// Waken is when the helper wants to be woken nevertheless, or 0.
	Waken int64
	// Gone says that the helper belongs to an earlier use of its slot and should have been wiped.
	Gone bool
	// Idle says that the helper has nothing to do before it is woken or sent something.
	Idle bool
}

// AnswerRequest is a person's answer to a call.
type AnswerRequest struct {
	Call     string
	Approved bool
	// Output is the value that answers a question of code, and null if a person has refused. N is then
	// the number of the answer at the parent. Both are empty for any other call. Reason says why a
	// person has refused, and By is the person, where it is known. Claims are those of the person.
	N      int64           `json:",omitempty"`
	Output json.RawMessage `json:",omitempty"`
	Reason string          `json:",omitempty"`
	By     string          `json:",omitempty"`
	Claims string          `json:"-"`
}

// AcceptResult is a helper's response to a person's answer. Gone says that the helper will never take
// it: the question is no longer open, or was answered differently.
type AcceptResult struct {
	Gone bool
	// OverAt is since when the question is not open, and By the person who has answered it, where that
	// is known.
	OverAt int64  `json:",omitempty"`
	By     string `json:",omitempty"`
	// Refused says that the answer does not fit the question, or that its person lacks a scope. The
	// question is still open.
	Refused string `json:",omitempty"`
}

// Wake wakes a helper, which handles its due entries.
var Wake = wire.NewMethod[Empty, WakeResult]("helper.waken")

// WakeResult says when a helper has to be woken next, in milliseconds since 1970. 0 means never.
// Idle says that the helper has nothing to do before it is woken or sent something.
type WakeResult struct {
	At   int64
	Idle bool
	// GoesOn says that a run which waited for a person may have gone on.
	GoesOn bool `json:",omitempty"`
}

// WakeUnstated is the time in an answer that does not state the next wake.
const WakeUnstated = -1
