// Package model says what a language model is to Tributary: a [Model] that is begun with a
// [Request], and gives an [Answer].
//
// It knows no provider. The packages below it are one each: demo, openai with workers-ai,
// anthropic. Each has a [Provider] for the list from which a deployment chooses, so that a
// module links what is in its list alone. A provider that answers over HTTP writes the
// body of the request, and a [Dialect] that reads the answer; status, server-sent events
// ([NewAnswer]), the pieces of tool calls ([ToolCallList]) and what an endpoint says about
// a failure ([StreamError]) are read here.
//
// A model does no I/O. [Model.Begin] adds the commands that start an answer, and
// the [Answer] turns the events that come of them into deltas. The answer is a
// value in memory: when its instance dies, it is gone, and its owner begins
// another one from what it has journaled.
package model

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
)

// Model answers requests.
type Model interface {
	// Name says which model this is, for the log and the page.
	Name() string
	// Begin starts one answer. id names its fetch or timer; it is the caller's,
	// unique among the object's fetches and timers, and the caller hands every
	// event that carries it to the answer. Its error is an [*Error].
	Begin(tx *durable.Tx, id string, request Request) (Answer, error)
}

// Answer is one model answer in the making.
type Answer interface {
	// Take turns one event into the deltas that it completes, possibly none. A
	// [Finished] delta is the last of all. An error is the end too: it is an
	// [*Error], and deltas returned beside it came before it.
	Take(tx *durable.Tx, event durable.Event) ([]Delta, error)
	// Cancel tears down what Begin started. No event follows.
	Cancel(tx *durable.Tx)
}

// Request is what a model is asked: the whole conversation so far.
type Request struct {
	System   string
	Messages []Message
	Tools    []Tool
	// Output is the JSON Schema that the last message of the turn has to fit, or empty.
	// Whoever asks holds the answer to it; a provider that can make the model keep to it
	// does.
	Output json.RawMessage
	// Said is the beginning of the answer, where an earlier attempt at it broke off.
	// The answer goes on behind it and does not repeat it.
	Said string
	// Used are the ids of tool calls that broke off with it, which cannot be given to
	// others.
	Used []string
	// TakeID notes a provider's id of a call, and says whether it is new: a conversation may
	// have had calls that the model is not told. Nil takes all.
	TakeID func(tx *durable.Tx, id string) bool
}

// Role says whose words a message holds.
type Role string

// The roles of a [Message].
const (
	User      Role = "user"
	Assistant Role = "assistant"
	// ToolRole is the role of messages that hold results of tools.
	ToolRole Role = "tool"
)

// Message is one message as models see it.
type Message struct {
	Role    Role
	Content []Content
}

// Content is a piece of a message. The set is closed: [Text], [Image], [Reasoning],
// [ToolCall] and [ToolResult].
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

// Reasoning is a thought that stood before an assistant's words or calls.
type Reasoning struct {
	Text string
	// Provider is what [ReasoningEnded] came with, or empty.
	Provider json.RawMessage
}

// ToolCall is a model's wish to have a tool called. It is content of an
// assistant message, and a [Delta] once its input is complete.
type ToolCall struct {
	// ID is the model's name for the call; the result refers to it.
	ID   string
	Name string
	// Input is a JSON object.
	Input json.RawMessage
}

// ToolResult is what came of a [ToolCall].
type ToolResult struct {
	ID     string
	Name   string
	Output json.RawMessage
}

// Tool is what a model is told about a tool.
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

// ReasoningDelta is more of the model's thinking aloud, never empty.
type ReasoningDelta struct{ Text string }

// ReasoningEnded ends a thought.
type ReasoningEnded struct {
	// Provider is what the provider wants to see of the thought again, as an object with
	// an object by the provider's name, which is how chat clients keep such things. It
	// may be empty.
	Provider json.RawMessage
}

// ToolCallStarted says that a tool call begins, its input still unknown.
type ToolCallStarted struct{ ID, Name string }

// ToolCallDelta is more of the input's JSON text.
type ToolCallDelta struct{ ID, Text string }

// Finished ends an answer.
type Finished struct {
	Reason FinishReason
	Usage  Usage
}

// FinishReason says why a model stopped.
type FinishReason string

// The reasons to finish, in the words of the chat client.
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

// NewUsage returns a provider's counts of tokens as whole numbers from 0 to 2⁵³. Some
// servers write them with a fraction, or below zero.
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
