package facet

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/wire"
)

// This file is about the detached runs that helpers begin, and that the root hosts. A request
// travels up, in a frame of a stream or in the answer to a wake; what becomes of the run is told
// down.

// HostRequest asks the root to host a run that a helper begins, or to cancel one that it hosts. The
// helper repeats it until it has been told that it was heard.
type HostRequest struct {
	// Path leads from the object that has the request down to the helper that has made it.
	Path []run.Hop `json:"path"`
	// Run is the id of the run, and Request the number of the request to begin it.
	Run     string `json:"run"`
	Request int64  `json:"request"`
	// Begin describes the run. It is nil if the root is known to have it.
	Begin *HostedRun `json:"begin,omitempty"`
	// Cancel says in words why the run is to be cancelled, or is "".
	Cancel string `json:"cancel,omitempty"`
	// Action is a request to the root's ledger of actions, or nil. Run then names the request, Token
	// names the helper, and Request is the request's number there.
	Action json.RawMessage `json:"action,omitempty"`
	Token  string          `json:"token,omitempty"`
}

// HostedRun is what a helper says of a run that it begins.
type HostedRun struct {
	Class      string          `json:"class"`
	Handler    string          `json:"handler"`
	Input      json.RawMessage `json:"input"`
	Prompt     string          `json:"prompt,omitempty"`
	Schema     json.RawMessage `json:"schema,omitempty"`
	Preview    json.RawMessage `json:"preview,omitempty"`
	Display    json.RawMessage `json:"display,omitempty"`
	Visibility string          `json:"visibility,omitempty"`
	// Timeout and IdleTimeout are in milliseconds.
	Timeout     int64 `json:"timeout"`
	IdleTimeout int64 `json:"idleTimeout"`
	NoQueue     bool  `json:"noQueue,omitempty"`
	// Labels are those of the run, and Claims those of the code that has begun it.
	Labels map[string]string `json:"labels,omitempty"`
	Claims string            `json:"claims,omitempty"`
	// RestartOf is the run that this one repeats, or "".
	RestartOf string `json:"restartOf,omitempty"`
	// Version is the version of the run's helper when it begins.
	Version string `json:"version,omitempty"`
	// Announce names the milestones that the helper which has begun the run says in its conversation.
	Announce run.Announce `json:"announce,omitzero"`
}

// HostedRunOf returns what a helper says of a run.
func HostedRunOf(r *run.Run) *HostedRun {
	return &HostedRun{
		Class: r.Class, Handler: r.Handler, Input: r.Input, Prompt: r.Prompt, Schema: r.Schema, Preview: r.Preview, Display: r.Display,
		Visibility: string(r.Visibility), Timeout: r.Timeout, IdleTimeout: r.IdleTimeout, NoQueue: r.Hosted != nil && r.Hosted.NoQueue,
		Labels: r.Labels, Claims: r.Claims, RestartOf: r.Restart.Of, Version: r.Version, Announce: r.Announce,
	}
}

// Run returns the run with an id.
func (h *HostedRun) Run(id string) *run.Run {
	return &run.Run{
		ID: id, Class: h.Class, Handler: h.Handler, Input: h.Input, Prompt: h.Prompt, Schema: h.Schema, Preview: h.Preview, Display: h.Display,
		Visibility: run.Visibility(h.Visibility), Timeout: h.Timeout, IdleTimeout: h.IdleTimeout,
		Labels: h.Labels, Claims: h.Claims, Restart: run.Restart{Of: h.RestartOf}, Version: h.Version, Announce: h.Announce,
	}
}

// TellHosted tells a helper what has become of a run that it has begun, and that the root hosts. The
// call is answered when the handler of the run's end was called, if it is called at once.
var TellHosted = wire.NewMethod[HostedNews, HostedResult]("run.hosted")

// HostedNews is all that a helper is told of a hosted run. It says the same however often it comes.
type HostedNews struct {
	// Generation counts the uses of the slot of the helper that is called. Path leads from it to the
	// helper that has begun the run, and is empty if it is that helper.
	Generation int64
	Path       []run.Hop
	Run        string
	// Action is the answer of the root's ledger to a request, or nil. No other field then counts.
	Action json.RawMessage
	// Request is the number of the helper's request to begin the run. It is 0 if the root has begun
	// the run, as a restart of one of the helper's, and the helper is not known to have heard of it.
	// Whole then describes the run, and the status is that of its beginning.
	Request int64
	Status  string
	// Why says in words why a run is paused.
	Why string
	// Refused says that the run has not begun.
	Refused bool
	Result  run.Outcome
	Usage   run.Usage
	// Milestones are those that the helper may not have been told, and Report is the last progress.
	Milestones []stream.Milestone
	Report     Report
	// Watched says that only people who watch the helper are interested.
	Watched bool
	// Owed says that the run's handler has still to be given its end. Whole then describes the run.
	Owed  bool
	Whole *HostedRun
	// Retry says that a dead letter is delivered again, and Claims for whom, or "" for the claims of the run.
	Retry  bool
	Claims string
}

// HostedResult is the answer. Without Taken, Dead and Gone the handler of the run's end is called
// later.
type HostedResult struct {
	// Taken says that nothing is left to do: the handler has succeeded, or was not to be called.
	Taken bool
	// Dead says that the handler has failed at every attempt. Attempts and Failure say how often, and
	// why.
	Dead     bool
	Attempts int
	Failure  string
	// Gone says that neither the helper that has begun the run, if it is still there, nor one above it
	// has the handler.
	Gone bool
	// GoesOn says that the helper's run goes on, and that its parent reads no stream of it.
	GoesOn bool `json:",omitempty"`
	// Waken is when the helper wants to be woken, and Idle says that it has nothing to do before.
	Waken int64
	Idle  bool
}
