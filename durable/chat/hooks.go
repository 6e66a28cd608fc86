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
	// Compact is called when the conversation has outgrown [Agent.History], with what the
	// model will no longer be told, and returns messages that it is told instead: a summary,
	// say, as texts of at most a quarter of that. They are kept, and it is called again only
	// when more has to be left out, with them in front; or when a person takes back what
	// they tell of. Its error leaves things out all the same, and keeps what was in their
	// place. It is called in the event in which the model is asked, and cannot wait: a
	// summary that a model writes has to be there already, in the state for one.
	Compact func(c *Conversation, l LeftOut) ([]model.Message, error)
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

// LeftOut is what the model will no longer be told.
type LeftOut struct {
	TurnInfo
	// Messages are what it was told until now, oldest first: whole messages, and whole steps
	// of answers. What has stood in place of earlier ones comes first.
	Messages []model.Message
	// Tokens is how many tokens they have by estimate, see [Agent.History].
	Tokens int
	// Earlier says that there are messages before them which are too long ago to be read.
	Earlier bool
}

// TurnError is why a turn has failed, in words.
type TurnError struct {
	TurnInfo
	Words string
}
