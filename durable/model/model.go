// Package model defines a language model for Tributary: a [Model] begins an [Answer] to a
// [Request].
//
// The package knows no provider. Each package below it is one provider: demo, openai (with Workers
// AI) and anthropic. Each has a [Provider] for the list that a deployment chooses from, and a
// module contains only the providers of its list. A provider that answers over HTTP writes the body
// of the request, and has a [Dialect] that reads the answer. This package reads the parts that
// providers share: status, server-sent events ([NewAnswer]), pieces of tool calls ([ToolCallList]),
// and error reports of endpoints ([StreamError]).
//
// A model does no I/O. [Model.Begin] adds the commands that start an answer, and the [Answer] turns
// the resulting events into deltas. An answer lives in memory. When its instance ends, the answer
// is lost, and its owner begins another one from the journal.
package model

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
)

// Model answers requests.
type Model interface {
	// Name names the model, for the log and the page.
	Name() string
	// Begin starts one answer. The caller chooses id, which names the fetch or timer of the answer and
	// is unique among those of the object. The caller passes every event with that id to the answer.
	// The error is an [*Error].
	Begin(tx *durable.Tx, id string, request Request) (Answer, error)
}

// Answer is one answer of a model while it arrives.
type Answer interface {
	// Take turns one event into the deltas that it completes, if any. A [Finished] delta is the last
	// one. An error ends the answer too. It is an [*Error], and deltas that are returned with it
	// precede it.
	Take(tx *durable.Tx, event durable.Event) ([]Delta, error)
	// Cancel ends what Begin has started. No event follows.
	Cancel(tx *durable.Tx)
}

// Request is what a model is asked: the whole conversation so far.
type Request struct {
	System   string
	Messages []Message
	Tools    []Tool
	// Output is the JSON Schema that the last message of the turn must fit, or empty. The caller
	// checks the answer. A provider that can make its model keep to the schema does so.
	Output json.RawMessage
	// Said is the beginning of the answer if an earlier attempt broke off. The answer continues after
	// it and does not repeat it.
	Said string
	// Used are the ids of the tool calls that broke off with that attempt. No other call can have
	// them.
	Used []string
	// TakeID notes a provider's id of a call, and says whether it is new. A conversation may have had
	// calls that the model is not told. If TakeID is nil, every id is new.
	TakeID func(tx *durable.Tx, id string) bool
}

// Role says who has written a message.
type Role string

// The roles of a [Message].
const (
	User      Role = "user"
	Assistant Role = "assistant"
	// ToolRole is the role of messages with the results of tools.
	ToolRole Role = "tool"
)

// Message is one message in the form that models read.
type Message struct {
	Role    Role
	Content []Content
}

// Content is a part of a message. The set is closed: [Text], [Image], [Reasoning], [ToolCall] and
// [ToolResult].
type Content interface{ content() }

// Text is plain text.
type Text struct{ Text string }

// Image is a picture in a user's message.
type Image struct {
	// Media is its media type, such as image/png.
	Media string
	// Data is the picture in base64.
	Data string
}

// Reasoning is a model's reasoning before the text or the calls of an assistant.
type Reasoning struct {
	Text string
	// Provider is the value that [ReasoningEnded] brought, or empty.
	Provider json.RawMessage
}

// ToolCall is a model's request to call a tool. It is content of an assistant's message, and a
// [Delta] once its input is complete.
type ToolCall struct {
	// ID is the model's name for the call. The result has the same id.
	ID   string
	Name string
	// Input is a JSON object.
	Input json.RawMessage
}

// ToolResult is the result of a [ToolCall].
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
// [ReasoningDelta], [ReasoningEnded], [ToolCallStarted], [ToolCallDelta], [ToolCall]
// and [Finished].
type Delta interface{ delta() }

// TextDelta is more of the answer's text, never empty.
type TextDelta struct{ Text string }

// ReasoningDelta is more of the model's reasoning, never empty.
type ReasoningDelta struct{ Text string }

// ReasoningEnded ends a part of the reasoning.
type ReasoningEnded struct {
	// Provider is what the provider needs again with later requests. It is an object with one field,
	// the provider's name, whose value is an object. Chat clients keep such metadata in this form. It
	// may be empty.
	Provider json.RawMessage
}

// ToolCallStarted says that a tool call begins. Its input is not known yet.
type ToolCallStarted struct{ ID, Name string }

// ToolCallDelta is more of the input's JSON text.
type ToolCallDelta struct{ ID, Text string }

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
func (Finished) delta()        {}
