package chat

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
)

// This file is about helpers that are not chat agents. A program replaces the model in a turn. The
// turn, its log and its readers are the same.

// Program is straight-line code over the journal that a helper runs instead of asking a model. It
// gets the run's input as JSON and returns JSON. A returned text is the run's summary, and anything
// else is its output. Its error fails the run.
type Program func(c *ToolContext, input json.RawMessage) (json.RawMessage, error)

// Say adds to the text that the helper's conversation and its parent's panel show while a program
// works. Only a program can use it: a tool's words are its output.
func (c *ToolContext) Say(text string) error {
	_, err := flow.Step(c, "say", func(tx *durable.Tx) (any, error) { return nil, c.object.loop.Say(tx, text) })
	return err
}
