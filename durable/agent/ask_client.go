package agent

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/question"
	"github.com/tributary-agents/tributary/durable/limit"
)

// The methods by which [AskClient] asks.
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
		return c.code.Outside != 0 && c.object.ClientCan(c.code.Call.ID, method), nil
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
		if c.code.Outside != 0 {
			c.object.LogToClient(tx, c.code.Call.ID, level, data)
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
	if c.code.Outside == 0 {
		return nil, errors.New("agent: no other program has made the call, which could be asked")
	}
	data, err := c.Await(flow.Op{
		Name: "client " + name + " " + method, Person: true,
		Begin: func(tx *durable.Tx, key flow.Key) {
			c.object.Ask(tx, key, author.Question{Client: method, Name: name, Input: input})
		},
		Cancel: func(tx *durable.Tx, key flow.Key, _ flow.Reason) { c.object.Withdraw(tx, key) },
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
