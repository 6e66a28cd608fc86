package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/question"
	"github.com/tributary-agents/tributary/durable/limit"
)

// Question is what [Ask] asks a person. All of it together has at most 32 KiB as JSON.
type Question struct {
	// Title is the question in a few words, and Text says more. One of them must not be "".
	Title, Text string
	// Choices are the texts that can be chosen from, if the answer is a string. Nil takes any text.
	Choices []string
	// Default is the value that the form shows first, or nil. It must fit the answer's schema.
	Default any
	// Expires is how long the question can be answered. 0 means 7 days. A year is the longest.
	Expires time.Duration
}

// Answer is a person's answer to a [Question].
type Answer[T any] struct {
	Value T
	// Denied says that the person has refused to answer, or has said no. Value is then zero.
	Denied bool
	// Reason says why the person has refused, and By who the person is, where that is known.
	Reason, By string
	// At is when the answer was taken.
	At time.Time
}

// Ask asks a person, and waits for the answer for as long as the question allows. If T is a bool,
// the question is answered by yes or no. Any other T is a form, whose JSON Schema comes from T as
// that of a tool's input does: an answer that does not fit is refused, and the question stays open.
// A string with Choices takes one of them.
//
// The question is shown in the message of the turn, or of the run, whose code asks, and in no
// request to a model. While the code waits, nothing is kept in memory, and the time does not count
// for the timeouts of runs. At the root the turn ends when its code waits for nothing else, and
// another turn goes on with the code when the answer comes.
//
// Whoever may speak with the agent can answer, and the code goes on with its own claims: [Answer.By] names the
// person, and the code decides what the answer is worth.
//
// A question that nobody answers in time is a [flow.ErrTimeout]. flow.Within sets a shorter time,
// and withdraws the question then. An object's code can have 64 questions open at once.
func Ask[T any](c *Context, q Question) (Answer[T], error) {
	var value T
	a, err := c.of.Ask(author.Inquiry{Title: q.Title, Text: q.Text, Choices: q.Choices, Default: q.Default, Expires: q.Expires}, &value)
	if err != nil {
		return Answer[T]{}, err
	}
	return Answer[T]{Value: value, Denied: a.Denied, Reason: a.Reason, By: a.By, At: time.UnixMilli(a.At).UTC()}, nil
}

// The methods of the Model Context Protocol that [AskClient] can call.
const (
	// Elicit asks the person who uses the program, with a form of the protocol's own.
	Elicit = "elicitation/create"
	// Sample asks the program's model, and ListRoots for the folders that it works on.
	Sample, ListRoots = "sampling/createMessage", "roots/list"
)

// ProtocolError is an error of a tool that is none of the tool's work, such as a lost connection. Another
// program that has called the tool is told it as an error of the request, and not as the tool's result.
type ProtocolError struct {
	// Code is that of JSON-RPC, such as -32603.
	Code    int64
	Message string
}

// Error returns the message.
func (e *ProtocolError) Error() string { return e.Message }

// ProtocolError returns the code.
func (e *ProtocolError) ProtocolError() int64 { return e.Code }

// ClientCan says whether the program that has called the tool can be asked by a method, as [AskClient]
// does. What it returns is journaled.
func ClientCan(c *Context, method string) (bool, error) {
	return flow.Step(c, "client can "+method, func(tx *durable.Tx) (bool, error) {
		return c.of.Code.Outside != 0 && c.of.Object.ClientCan(c.of.Code.Call.ID, method), nil
	})
}

// LogToClient sends a line to the program that has called the tool, see [Expose]: a text or other JSON, of
// a level of the protocol, which are debug, info, notice, warning, error, critical, alert and emergency.
// It goes to a program that has asked for lines of the level, and is lost if that does not read. Where no
// program has made the call, LogToClient does nothing. It is journaled, as [Context.ReportProgress] is.
func LogToClient(c *Context, level string, line any) error {
	data, err := limit.MarshalWithin(line, limit.ReportData)
	if err != nil {
		return fmt.Errorf("agent: the line: %w", err)
	}
	_, err = flow.Step(c, "log "+level, func(tx *durable.Tx) (any, error) {
		if c.of.Code.Outside != 0 {
			c.of.Object.LogToClient(tx, c.of.Code.Call.ID, level, data)
		}
		return nil, nil
	})
	return err
}

// AskClient asks the program that has called the tool, see [Expose], in the words of the Model Context
// Protocol: params becomes the params of the request, and what it returns is the result. Use [Ask] to ask
// a person, which works everywhere. name is for the client, which answers under it; questions that are
// open at once need different names. AskClient is an error if no program has made the call, or if it has
// not declared that it can be asked this.
func AskClient(c *Context, name, method string, params any) (json.RawMessage, error) {
	input, err := limit.MarshalWithin(params, limit.Question)
	if err != nil {
		return nil, fmt.Errorf("agent: the params of %s: %w", method, err)
	}
	if c.of.Code.Outside == 0 {
		return nil, errors.New("agent: no other program has made the call, which could be asked")
	}
	data, err := c.Await(flow.Op{
		Name: "client " + name + " " + method, Person: true,
		Begin: func(tx *durable.Tx, key flow.Key) {
			c.of.Object.Ask(tx, key, author.Question{Client: method, Name: name, Input: input})
		},
		Cancel: func(tx *durable.Tx, key flow.Key, _ flow.Reason) { c.of.Object.Withdraw(tx, key) },
	}).Wait()
	if err != nil {
		return nil, err
	}
	var a question.Answer
	if err := json.Unmarshal(data, &a); err != nil {
		return nil, fmt.Errorf("agent: the answer to %s: %w", method, err)
	}
	return a.Value, nil
}
