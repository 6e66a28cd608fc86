// Package model says what a language model is to Tributary: a [Model] begins an [Answer] to each
// [Request].
//
// The package knows no provider. Each of the packages demo, openai and anthropic below it has a
// [Provider]; openai also has one for Workers AI. An application lists the ones that a deployment
// may choose from ([Providers]); the module contains only these.
//
// A model does no I/O. [Model.Begin] adds the commands that start an answer, and the [Answer] turns
// the events that follow into deltas. The answer is a value in memory. If its instance is lost, the
// turn begins another one from what it has journaled.
//
// A provider that answers over HTTP writes the body of the request, and a [Dialect] that reads the
// answer. This package reads what is common to all of them: the status, server-sent events
// ([NewAnswer]), the fragments of tool calls ([ToolCallList]), and error messages ([StreamError]).
package model

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
)

// Model is a language model.
type Model interface {
	// Name returns the model's name, for the log and the page.
	Name() string
	// Begin starts one answer. Its fetch or timer must have the name id, which is unique among the
	// object's fetches and timers. The caller gives every event with that name to the answer. The
	// error is an [*Error].
	Begin(tx *durable.Tx, id string, request Request) (Answer, error)
}

// Answer is one answer of a model, while it comes.
type Answer interface {
	// Take turns one event into the deltas that it completes, possibly none. The last delta of an
	// answer is [Finished]. An error also ends the answer. It is an [*Error], and the deltas beside
	// it came before it.
	Take(tx *durable.Tx, event durable.Event) ([]Delta, error)
	// Cancel stops what Begin has started. No event follows.
	Cancel(tx *durable.Tx)
}

// Request is what a model is asked: the whole conversation so far, and the tools that it may call.
type Request struct {
	System   string
	Messages []Message
	Tools    []Tool
	// Output is the JSON Schema that the last message of the turn must fit, or empty. The caller
	// checks the message. A provider that can restrict the model to the schema does so.
	Output json.RawMessage
	// Said is the beginning of the answer if an earlier attempt broke off, or "". The answer
	// continues it and does not repeat it.
	Said string
	// Used are the ids of the tool calls of earlier attempts. No other call may have them.
	Used []string
	// TakeID notes a provider's id of a call, and says whether the conversation has not used it
	// before. Nil accepts every id.
	TakeID func(tx *durable.Tx, id string) bool
}

// Role says who wrote a message.
type Role string

// The roles of a [Message].
const (
	User      Role = "user"
	Assistant Role = "assistant"
	// ToolRole is the role of messages with the results of tools.
	ToolRole Role = "tool"
)

// Message is one message in the form that models are sent.
type Message struct {
	Role    Role
	Content []Content
}

// Content is a part of a message. The set is closed: [Text], [Image], [Reasoning], [ToolCall] and
// [ToolResult].
type Content interface{ content() }

// Text is plain text.
type Text struct{ Text string }

// Image is a picture in a message of the user.
type Image struct {
	// Media is the media type, such as image/png.
	Media string
	// Data is the picture in base64.
	Data string
}

// Reasoning is reasoning that came before an assistant's text or tool calls.
type Reasoning struct {
	Text string
	// Provider is that of the [ReasoningEnded], or empty.
	Provider json.RawMessage
}

// ToolCall is a model's request to call a tool. It is content of an assistant's message, and a
// [Delta] when its input is complete.
type ToolCall struct {
	// ID is the model's name for the call. The result refers to it.
	ID   string
	Name string
	// Input is a JSON object.
	Input json.RawMessage
	// Provider is what the provider needs to be sent of the call again, see [ReasoningEnded]. It may
	// be empty.
	Provider json.RawMessage
}

// ToolResult is the result of a [ToolCall]. Output is JSON.
type ToolResult struct {
	ID     string
	Name   string
	Output json.RawMessage
}

// Tool describes a tool to a model.
type Tool struct {
	Name        string
	Description string
	// Schema is the JSON Schema of the input.
	Schema json.RawMessage
}

// Delta is the next piece of an answer. The set is closed: [TextDelta],
// [ReasoningDelta], [ReasoningEnded], [ToolCallStarted], [ToolCallDelta], [ToolCall],
// [ToolCallInvalid] and [Finished].
type Delta interface{ delta() }

// TextDelta is more text of the answer, never empty.
type TextDelta struct{ Text string }

// ReasoningDelta is more of the model's reasoning, never empty.
type ReasoningDelta struct{ Text string }

// ReasoningEnded ends a piece of reasoning.
type ReasoningEnded struct {
	// Provider is what the provider needs to be sent of the reasoning again. It is a JSON object
	// with one field, an object under the provider's name, which is the form that chat clients
	// keep. The object says from which server it is, and no other server is told it. It has the field
	// "plain" with the value true if it holds for a text that was shortened. It may be empty.
	Provider json.RawMessage
}

// ToolCallStarted says that a tool call begins. Its input is not known yet.
type ToolCallStarted struct{ ID, Name string }

// ToolCallDelta is more of the JSON text of a call's input.
type ToolCallDelta struct{ ID, Text string }

// ToolCallInvalid ends a call that cannot run: its input is no JSON object, for example. The model
// is told, and the turn goes on.
type ToolCallInvalid struct {
	ID, Name string
	// Text is the input as the model has written it, possibly empty.
	Text string
	// Reason says why the call cannot run, for the model.
	Reason string
	// Provider is that of the [ToolCall].
	Provider json.RawMessage
}

// Finished ends an answer.
type Finished struct {
	Reason FinishReason
	Usage  Usage
}

// FinishReason says why a model has stopped.
type FinishReason string

// The reasons, with the names that the chat client uses.
const (
	Stop          FinishReason = "stop"
	Length        FinishReason = "length"
	ContentFilter FinishReason = "content-filter"
	ToolCalls     FinishReason = "tool-calls"
	Other         FinishReason = "other"
)

// Usage counts tokens.
type Usage struct {
	Input  int64 `json:"inputTokens"`
	Output int64 `json:"outputTokens"`
}

// NewUsage returns a provider's counts of tokens as whole numbers from 0 to 2⁵³. Some servers send
// fractions or negative numbers.
func NewUsage(input, output float64) Usage {
	whole := func(f float64) int64 { return int64(min(max(f, 0), 1<<53)) }
	return Usage{Input: whole(input), Output: whole(output)}
}

func (Text) content()          {}
func (Image) content()         {}
func (Reasoning) content()     {}
func (ToolCall) content()      {}
func (ToolResult) content()    {}
func (TextDelta) delta()       {}
func (ReasoningDelta) delta()  {}
func (ReasoningEnded) delta()  {}
func (ToolCallStarted) delta() {}
func (ToolCallDelta) delta()   {}
func (ToolCall) delta()        {}
func (ToolCallInvalid) delta() {}
func (Finished) delta()        {}
