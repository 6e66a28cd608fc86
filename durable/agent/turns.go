package agent

import "github.com/tributary-agents/tributary/durable/chat"

// This file is about turns that code wants: [Conversation.RunTurn] in a hook or a handler,
// [Context.RunTurn] in a tool, [Call.RunTurn] in a method, where it can also be waited for.
// Pages have the methods below; an agent that wants them lists them among its own:
//
//	Methods: map[string]agent.Method{"runTurn": agent.RunTurn, "cancelSubmission": agent.CancelSubmission}

// TurnRequest is a turn that code wants: a message of 64 KiB at most that the model answers.
type TurnRequest = chat.TurnRequest

// Submission is what can be told of such a turn afterwards. Its times are in milliseconds
// since 1970.
type Submission = chat.Submission

// SubmissionFilter chooses submissions from a list, the newest 50 where it says nothing else.
type SubmissionFilter = chat.SubmissionFilter

// Mode says how whoever wants a turn hears of it.
type Mode = chat.Mode

// The modes.
const (
	// Submit returns at once, with the submission as it is then. It is the usual one.
	Submit = chat.Submit
	// Wait answers when the turn is final.
	Wait = chat.Wait
	// Stream is like Wait, with the turn's chunks before the answer, as they come.
	Stream = chat.Stream
)

// ErrCannotWait is the error of a mode that waits where nothing can wait: in a tool, a
// hook, a handler.
var ErrCannotWait = chat.ErrCannotWait

// Policy says what becomes of messages that a person sends while a turn speaks, see
// [Agent.DuringTurn].
type Policy = chat.Policy

// The policies.
const (
	// Queue has every message answered, one after the other. It is the usual one.
	Queue = chat.Queue
	// Latest has the last of them answered. The others stay in the conversation, where the
	// model finds them.
	Latest = chat.Latest
	// Merge has them made into one message, the last, which is answered.
	Merge = chat.Merge
	// Drop takes none of them: they are gone from the page that sent them.
	Drop = chat.Drop
	// Debounce is like Latest, and the last begins only when nothing has come for 750 ms.
	Debounce = chat.Debounce
)

// RunTurn has the model answer a message. Its argument is a [TurnRequest], whose mode says
// when the client is answered, with a [Submission] in any case.
func RunTurn(call *Call) (any, error) {
	var r TurnRequest
	if err := call.Arg(0, &r); err != nil {
		return nil, err
	}
	return call.RunTurn(r)
}

// SubmitTurn is [RunTurn] in the mode submit, whatever the client says.
func SubmitTurn(call *Call) (any, error) {
	var r TurnRequest
	if err := call.Arg(0, &r); err != nil {
		return nil, err
	}
	r.Mode = Submit
	return call.RunTurn(r)
}

// ListSubmissions answers a client with the agent's submissions, newest first. Its
// argument, a [SubmissionFilter], may be missing.
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
