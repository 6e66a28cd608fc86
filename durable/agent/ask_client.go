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

// AskClient asks the program that has called the tool, see [Expose], in the words of the Model Context
// Protocol: params becomes the params of the request, and what it returns is the result. Use [Ask] to ask
// a person, which works everywhere. AskClient is an error if no program has made the call, or if it has
// not declared that it can be asked this.
func AskClient(c *Context, method string, params any) (json.RawMessage, error) {
	input, err := limit.MarshalWithin(params, limit.Question)
	if err != nil {
		return nil, fmt.Errorf("agent: the params of %s: %w", method, err)
	}
	if c.code.Outside == 0 {
		return nil, errors.New("agent: no other program has made the call, which could be asked")
	}
	data, err := c.Await(flow.Op{
		Name: "client " + method, Person: true,
		Begin: func(tx *durable.Tx, key flow.Key) {
			c.object.Ask(tx, key, author.Question{Client: method, Input: input})
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
