package agent

import (
	"encoding/json"
	"time"

	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
)

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
