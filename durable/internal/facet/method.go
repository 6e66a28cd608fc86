// Package facet defines what a parent and its helpers send to each other: the methods and streams,
// the shape of each, and the names of slots, calls and streams.
package facet

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable/flow"
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
	// Signal brings a run's code signals, in their order.
	Signal = wire.NewMethod[SignalRequest, SignalResult]("run.signal")
	// SetPaused pauses a run, also one that the helper has not been told of yet, or has it go on.
	SetPaused = wire.NewMethod[PauseRequest, PauseResult]("run.pause")
	// ReadJournal reads a piece of the journal of a run that is over, and CopyJournal hands it to the
	// helper of a run that begins with it.
	ReadJournal = wire.NewMethod[JournalRequest, JournalResult]("run.journal")
	CopyJournal = wire.NewMethod[CopyRequest, CopyResult]("run.copy")
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
	// Version is the helper's version when the run began. The run goes on under it. If it is "", as of
	// a run that repeats another one, it is the version of the helper that accepts the run.
	Version string `json:",omitempty"`
	// Base says that the run begins with a journal that the helper has. It is the id that the names of
	// what that journal has begun are made of.
	Base string `json:",omitempty"`
	// Rows is how many awaits that journal has.
	Rows int64 `json:",omitempty"`
}

// JournalRequest asks for the part of a run's journal that lies before a step, from the row with a
// number on.
type JournalRequest struct {
	Run string
	// Generation counts the uses of the helper's slot.
	Generation int64
	Before     string
	From       int64
}

// JournalResult is a piece of a journal. From is the number of its first row, and Last says that no
// more rows follow.
type JournalResult struct {
	Rows []flow.Row
	From int64
	Last bool
	// Idle says that the helper has nothing to do before it is woken or sent something.
	Idle bool
}

// CopyRequest hands a piece of a journal to the helper of a run that begins with it.
type CopyRequest struct {
	Run string
	// Generation counts the uses of the helper's slot.
	Generation int64
	Rows       []flow.Row
	From       int64
	Last       bool
}

// CopyResult says how many rows the helper has, and whether these are all.
type CopyResult struct {
	Copied int64
	Last   bool
}

// CancelRequest cancels a run.
type CancelRequest struct {
	Run, Reason string
	// Generation counts the uses of the helper's slot.
	Generation int64
}

// SignalRequest brings signals to a run that the helper has taken.
type SignalRequest struct {
	Run string
	// Generation counts the uses of the helper's slot.
	Generation int64
	Signals    []run.Signal
}

// SignalResult says what has become of a run's signals.
type SignalResult struct {
	// Over says that the run has ended. The signals are dropped.
	Over bool
	// Last is the number of the last signal that the helper has stored.
	Last int64
	// Received is how many signals the run's code has received by now. Unreceived are the numbers of
	// those in the request that it has not.
	Received   run.Received
	Unreceived []int64
	// GoesOn says that the run is at work, and that its parent reads no stream of it.
	GoesOn bool `json:",omitempty"`
}

// CancelResult is the answer to a cancellation. It holds the cost of the cancelled run.
type CancelResult struct {
	Usage run.Usage
	// Received is how many signals the run's code has received.
	Received run.Received
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

// PauseRequest pauses a run, or ends the pause. Why says in words why the run is paused.
type PauseRequest struct {
	Run    string
	Paused bool
	Why    string
	// Change counts the pauses of the run and their ends. A helper that knows of a later one ignores
	// an earlier one.
	Change int64
	// Generation counts the uses of the helper's slot.
	Generation int64
}

// PauseResult is the answer of a helper that has stored a pause, or its end.
type PauseResult struct {
	// Change is the last change that the helper knows of.
	Change int64
	// Waken is when the helper wants to be woken nevertheless, or 0.
	Waken int64
	// Gone says that the helper belongs to an earlier use of its slot and should have been wiped.
	Gone bool
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
	// Host is what the helper, and those below it, ask the root to do.
	Host []*HostRequest
	// GoesOn says that a run which waited for a person may have gone on.
	GoesOn bool `json:",omitempty"`
}

// WakeUnstated is the time in an answer that does not state the next wake.
const WakeUnstated = -1
