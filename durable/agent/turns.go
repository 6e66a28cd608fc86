package agent

import (
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file is about turns that code requests, with [Conversation.RunTurn] in a hook or a handler,
// [Context.RunTurn] in a tool, and [Call.RunTurn] in a method. Only a method can wait for the turn.
// The methods below are for pages. An agent that offers them lists them among its own:
//
//	Methods: map[string]agent.Method{"runTurn": agent.RunTurn, "cancelSubmission": agent.CancelSubmission}

// TurnRequest describes a turn that code requests: the model answers a message of at most 64 KiB.
type TurnRequest = chat.TurnRequest

// Submission is the public view of a submitted turn. Its times are in milliseconds since 1970.
type Submission = chat.Submission

// SubmissionFilter chooses submissions from a list. The zero value chooses the newest 50.
type SubmissionFilter = chat.SubmissionFilter

// Mode says how the requester of a turn learns of its result.
type Mode = chat.Mode

// The modes.
const (
	// Submit returns at once, with the submission in its state at that time. It is the default.
	Submit = chat.Submit
	// Wait answers when the turn is final.
	Wait = chat.Wait
	// Stream is like Wait, but sends the turn's chunks as they come, before the answer.
	Stream = chat.Stream
)

// ErrCannotWait is the error of a mode that waits, where the code cannot wait: in a tool, a hook or
// a handler.
var ErrCannotWait = chat.ErrCannotWait

// Policy says what happens to messages that a person sends while a turn is active, see
// [Agent.DuringTurn].
type Policy = turn.Policy

// The policies.
const (
	// Queue answers every message, one after the other. It is the default.
	Queue = turn.Queue
	// Latest answers the last message. The others stay in the conversation, where the model reads
	// them.
	Latest = turn.Latest
	// Merge makes one message of them all, the last one, and answers it.
	Merge = turn.Merge
	// Drop accepts none of them. They disappear from the page that sent them.
	Drop = turn.Drop
	// Debounce is like Latest, but the last message is answered only after 750 ms without another one.
	Debounce = turn.Debounce
)

// RunTurn has the model answer a message. Its argument is a [TurnRequest], whose mode says when the
// client is answered. The answer is always a [Submission].
func RunTurn(call *Call) (any, error) {
	var r TurnRequest
	if err := call.Arg(0, &r); err != nil {
		return nil, err
	}
	return call.RunTurn(r)
}

// SubmitTurn is [RunTurn] in the mode submit. It ignores the client's mode.
func SubmitTurn(call *Call) (any, error) {
	var r TurnRequest
	if err := call.Arg(0, &r); err != nil {
		return nil, err
	}
	r.Mode = Submit
	return call.RunTurn(r)
}

// ListSubmissions answers a client with the agent's submissions, newest first. Its argument, a
// [SubmissionFilter], is optional.
func ListSubmissions(call *Call) (any, error) {
	var f SubmissionFilter
	if call.Len() > 0 {
		if err := call.Arg(0, &f); err != nil {
			return nil, err
		}
	}
	return call.Submissions(f)
}

// InspectSubmission answers a client with one submission, by its id.
func InspectSubmission(call *Call) (any, error) {
	return about(call, func(id string) (any, error) { return call.Submission(id) })
}

// CancelSubmission stops the turn of a submission, by its id.
func CancelSubmission(call *Call) (any, error) {
	return about(call, func(id string) (any, error) { return nil, call.CancelSubmission(id) })
}
