package agent

import (
	"encoding/json"
	"time"

	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
)

// Option changes a default of a run of a helper. [StartAgent], [RunAgent], [StartDetached] and
// [AgentTool] take options.
type Option func(*spec)

// RunID names the run, in 128 bytes at most. If a run with the id exists, it is joined: it is not
// started again, and both callers get its result. If its input is another one, that is an error. If
// no helper has received the run, because it was refused or could not start, the id is free again.
func RunID(id string) Option { return func(s *spec) { s.id = id } }

// Order sets the run's place among the runs of its tool call, on the page. Without it, runs are
// shown in the order in which they began.
func Order(n int) Option { return func(s *spec) { s.order = &n } }

// Prompt sets the words that the helper's model is sent, instead of the input. A program is given
// the input itself.
func Prompt(text string) Option { return func(s *spec) { s.prompt = text } }

// Preview sets what browsers are sent of the input, instead of the input itself. v becomes JSON; if
// that is larger than 16 KiB, no preview is shown. A v of nil hides the input. Preview panics if v
// cannot become JSON.
func Preview(v any) Option {
	return func(s *spec) {
		s.preview = nil
		if v != nil {
			s.preview = limit.MustMarshal(v)
		}
	}
}

// Display sets the title and icon that browsers show for the run, instead of the helper's.
func Display(title, icon string) Option {
	return func(s *spec) { s.display = display(title, icon) }
}

// Timeout ends the run when it has taken that long. Time in the queue counts. Time in which the run
// waits for a person does not. 0 means no limit, or the limit of [Detached].
func Timeout(d time.Duration) Option { return func(s *spec) { s.timeout = d } }

// Detached starts the run without waiting for it. The run outlives the turn, and its end goes to
// the handler of that name among [Agent.Handlers]. The result holds the id of the run and says
// whether it has started. The run is aborted after 24 hours, or the time of [Timeout]. It is also
// aborted after one hour without a sign of its helper, or the time of [IdleTimeout].
//
// A helper can have detached runs, too. The root hosts such a run: the agent that is no helper
// itself, at the top of all helpers. Its limits and its BeforeRun hook apply, and its clock. The
// run outlives the run of the helper that began it, and a run that the root refuses has a result
// that says so. Its end goes to the helper's own handler, for as long as that helper is kept. After
// that it goes to the nearest agent above that has a handler of that name. If there is none, it is
// a dead letter of the root.
func Detached(handler string) Option { return func(s *spec) { s.handler = handler } }

// IdleTimeout sets how long a detached run may go without a sign of its helper before it is
// aborted. A sign is a chunk, progress or a milestone. Without the option it is an hour.
func IdleTimeout(d time.Duration) Option { return func(s *spec) { s.idleTimeout = d } }

// StopWithTurn stops a detached run, too, when a person stops the turn that has started it. When
// that turn has ended, the run is no longer affected.
func StopWithTurn() Option { return func(s *spec) { s.stopWithTurn = true } }

// Narrate has the agent say in the chat that a detached run has reached milestones of these names,
// each once and without a model call. If the milestone's data is text, it is what the agent says.
// See [Context.Milestone].
func Narrate(milestones ...string) Option {
	return func(s *spec) { s.announce.Narrate = append(s.announce.Narrate, milestones...) }
}

// React is [Narrate], but the model is told of each milestone and reacts to it in a turn.
func React(milestones ...string) Option {
	return func(s *spec) { s.announce.React = append(s.announce.React, milestones...) }
}

// Label gives the run a label, by which it can be found; see [run.Filter]. A run has at most 8
// labels, each with a key of at most 64 bytes and a value of at most 256. A run beyond that is
// refused. Labels are shown to people, and are not told to models.
func Label(key, value string) Option {
	return func(s *spec) {
		if s.labels == nil {
			s.labels = map[string]string{}
		}
		s.labels[key] = value
	}
}

// HideChunks shows browsers only the beginning and the end of the run.
func HideChunks() Option { return func(s *spec) { s.visibility = run.Terminal } }

// NoQueue refuses the run if no place is free, instead of queueing it. It can be tried again, even
// under the same id.
func NoQueue() Option { return func(s *spec) { s.noQueue = true } }

// spec describes a run: the helper, its input and its limits.
type spec struct {
	// class is the helper's class. input is the helper's input as JSON. prompt is the same in
	// words, and begins the helper's conversation.
	class  string
	input  json.RawMessage
	prompt string
	// version is the helper's version.
	version string
	// id names the run. With "" the name is made from the tool call. If a run with this name
	// exists, it is joined.
	id string
	// order is the run's place among the runs of its tool call. With nil, runs are in the order in
	// which they began.
	order *int
	// preview is the part of the input that browsers show. display is the name of the run in
	// browsers. Both are JSON, or nil for nothing.
	preview, display json.RawMessage
	// output is the JSON Schema for the helper's answer, or nil if words are enough.
	output json.RawMessage
	// timeout is how long the run may take before it is closed, 0 for no limit. Time in the queue
	// counts. Time spent waiting for a person does not.
	timeout time.Duration
	// handler names the agent's handler that takes the end of a detached run. Nothing waits for a
	// detached run, and it outlives the turn. With "" the run is not detached.
	handler string
	// idleTimeout is how long a detached run may produce nothing (no chunk, no progress, no
	// milestone) before it fails. 0 means an hour.
	idleTimeout time.Duration
	// stopWithTurn stops a detached run when a person stops the turn that began it.
	stopWithTurn bool
	// announce says which milestones of a detached run are posted into the chat, each name once.
	announce run.Announce
	// visibility says which events of the run are sent to browsers.
	visibility run.Visibility
	// noQueue refuses the run if no place is free, instead of queueing it.
	noQueue bool
	// labels are what the run can be found by.
	labels map[string]string
}

// specOf describes a run of a helper with the given input and options.
func specOf(helper Agent, in any, options []Option) spec {
	input := limit.MustMarshal(in)
	s := spec{class: helper.Name, version: helper.Version, input: input, prompt: prompt(input), preview: input, display: display(helper.Title, helper.Icon)}
	for _, option := range options {
		option(&s)
	}
	return s
}

// run returns the run that the spec describes, with an id.
func (s spec) run(id string) run.Run {
	return run.Run{
		ID: id, Class: s.class, Version: s.version, Input: s.input, Prompt: s.prompt, Schema: s.output,
		Preview: s.preview, Display: s.display, Visibility: s.visibility, Timeout: s.timeout.Milliseconds(), Handler: s.handler,
		IdleTimeout: s.idleTimeout.Milliseconds(), Announce: s.announce, Labels: s.labels,
	}
}
