package chat

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/model"
)

// Hooks are called as turns go on, each within the event that it is about. They read and
// change what they are given, and what the [Conversation] lets them. A hook's error is a
// line in the log, and of a hook before something, a refusal. Nil ones are not called.
type Hooks struct {
	// BeforeStep is called whenever the model is about to be asked; step 0 is the
	// beginning of a turn. It may change the request for this time. Its error ends the
	// turn, and is shown to the person who asked.
	BeforeStep func(c *Conversation, s *StepRequest) error
	// BeforeCall is called when the model has asked for a tool, before a person is asked
	// to approve it. It may change the input; what it makes of that is what everybody is
	// shown. Its error is the call's failure.
	BeforeCall func(c *Conversation, call *ToolCall) error
	// AfterCall is called when a call has ended, on the server or in the browser, before
	// anybody sees how. It may change the output, or the failure.
	AfterCall func(c *Conversation, call *ToolCall) error
	// AfterStep is called when the model has answered and the tools that it wanted have
	// ended, or wait for somebody.
	AfterStep func(c *Conversation, s StepResult) error
	// OnError is called when a turn fails, and returns what the person who asked is told;
	// "" leaves the words as they are.
	OnError func(c *Conversation, e TurnError) string
	// Repair is called when the model is told of a call that has no result because it was
	// interrupted, each time. It returns the result in its place, as JSON; nil is the
	// usual words.
	Repair func(c *Conversation, call ToolCall) json.RawMessage
}

// TurnInfo says which turn a hook is called for.
type TurnInfo struct {
	// Request is the id of the turn's request, Conn the connection that it came from, or
	// "". Conn may be gone by now.
	Request string
	Conn    durable.ConnID
	// Submission is the id that the turn was submitted under, or "".
	Submission string
	// Run is the run that a helper works on, or "" where a person has asked.
	Run string
	// Step is the number of the model call.
	Step int
}

// StepRequest is what the model is about to be asked.
type StepRequest struct {
	TurnInfo
	// Attempt counts how often it was asked in vain.
	Attempt int
	*model.Request
}

// ToolCall is a call of a tool: what is known of it yet.
type ToolCall struct {
	TurnInfo
	ID, Name string
	// Input and Output are JSON. Failure says in words why there is no output.
	Input, Output json.RawMessage
	Failure       string
}

// StepResult is what has come of a model call.
type StepResult struct {
	TurnInfo
	Text   string
	Calls  []ToolCall
	Finish model.FinishReason
	Usage  model.Usage
}

// TurnError is why a turn has failed, in words.
type TurnError struct {
	TurnInfo
	Words string
}
