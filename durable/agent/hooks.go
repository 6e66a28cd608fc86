package agent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/run"
)

// Hooks are called during a turn, each within the event that it is about. They read and change
// their argument, and may use the [Conversation]. The error of a Before hook is a refusal. The
// error of any other hook is only logged. A nil hook is not called.
type Hooks struct {
	// BeforeStep is called before each model call. Step 0 is the beginning of a turn. It may change
	// this one request. Its error ends the turn, and is shown to the person who asked.
	BeforeStep func(c *Conversation, s *StepRequest) error
	// BeforeCall is called when the model has asked for a tool, before a person is asked to approve
	// the call. It may change the input. Everybody is shown the changed input. Its error is the
	// call's failure.
	BeforeCall func(c *Conversation, call *ToolCall) error
	// AfterCall is called when a call has ended, on the server or in the browser, before the result
	// is shown. It may change the output, or the failure.
	AfterCall func(c *Conversation, call *ToolCall) error
	// AfterStep is called when the model has answered, and each tool call of the step has ended or
	// waits for an answer.
	AfterStep func(c *Conversation, s StepResult) error
	// OnError is called when a turn fails. It returns the error text for the person who asked. ""
	// leaves the text as it is.
	OnError func(c *Conversation, e TurnError) string
	// Compact is called when the conversation has outgrown [Agent.History]. It gets the messages
	// that are about to be left out. It returns messages that take their place: for example a
	// summary, as texts of at most a quarter of the history. They are kept. Compact is called again
	// only when more has to be left out, with the kept messages first, or when a person takes back
	// a message that they cover. If it returns an error, the messages are left out all the same,
	// and the earlier summary is kept. It is called in the event of the model call and cannot wait.
	// A summary that a model writes has to exist before, for example in the state.
	Compact func(c *Conversation, l LeftOut) ([]model.Message, error)
	// Repair is called each time the model is told of a call that was interrupted and has no
	// result. It returns the result to use, as JSON. With nil the usual text is used.
	Repair func(c *Conversation, call ToolCall) json.RawMessage
}

// TurnInfo says which turn, and which step of it, a hook is called for.
type TurnInfo struct {
	// Request is the id of the turn's request. Conn is the connection that it came from, or "". The
	// connection may be gone by now.
	Request string
	Conn    durable.ConnID
	// Submission is the id that the turn was submitted under, or "".
	Submission string
	// Run is the run that a helper works on, or "" if a person has asked.
	Run string
	// Step is the number of the model call in its turn, counted from 0.
	Step int
	// Claims are those that the turn works for.
	Claims Claims
}

// StepRequest is the request that the model is about to be sent. A hook may change it.
type StepRequest struct {
	TurnInfo
	// Attempt counts the failed attempts of this request.
	Attempt int
	*model.Request
}

// ToolCall is a call of a tool, as far as it is known when the hook is called.
type ToolCall struct {
	TurnInfo
	// ID is the model's name for the call, Name the name of the tool.
	ID, Name string
	// Input and Output are JSON. Output is nil before the call has ended. Failure is the error text
	// of a call that has failed, and "" otherwise.
	Input, Output json.RawMessage
	Failure       string
}

// StepResult is the result of a model call: what the model said, the tools that it asked for with
// their outcomes, why it stopped, and what the call cost.
type StepResult struct {
	TurnInfo
	Text   string
	Calls  []ToolCall
	Finish model.FinishReason
	Usage  model.Usage
}

// LeftOut is the part of the conversation that the model is no longer told.
type LeftOut struct {
	TurnInfo
	// Messages are what the model was told until now, oldest first: whole messages, and whole steps
	// of answers. The summary of earlier messages comes first.
	Messages []model.Message
	// Tokens is their estimated number of tokens, see [Agent.History].
	Tokens int
	// Earlier says that there are still older messages, which are too far back to be read.
	Earlier bool
}

// TurnError is a turn that has failed. Words is the text that the person who asked is about to be
// shown.
type TurnError struct {
	TurnInfo
	Words string
}

// Notify is a handler for the ends of detached runs, see [Agent.Handlers]. It puts the result of a
// run into the chat, 32 KiB of it at most, and the model reacts to it. The end of a run that a
// person has cancelled is not put there, because that person knows of it.
func Notify(c *Conversation, r RunInfo) error {
	if r.Reason == run.Cancelled {
		return nil
	}
	if r.Status == run.Completed {
		return c.Notify(fmt.Sprintf("(The %s at work in the background has finished.)\n\n%s", r.Class, cut(cmp.Or(r.Summary, string(r.Output)))))
	}
	return c.Notify(fmt.Sprintf("(The %s at work in the background has no result.)\n\n%s", r.Class, cut(r.Failure)))
}

// cut cuts a text to the size of a notice.
func cut(text string) string {
	const room = 32 << 10
	if len(text) > room {
		return strings.ToValidUTF8(text[:room], "") + "…"
	}
	return text
}
