// Package coderun runs the code of a model: a script in a box of the host, whose calls are calls of tools. What the
// script has asked for, and what it was answered, is in the journal, so a box that is gone is opened again, and
// answered from the journal. Package codemode says what a model is told of the tools, and what becomes of its code.
package coderun

import (
	"encoding/json"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/codemode"
	"github.com/tributary-agents/tributary/durable/internal/validator"
)

// Tool is a tool that code can call.
type Tool struct {
	Name, Description string
	// Schema is the JSON Schema of the input, and Input the same for a tool that was made for a type. Output is what
	// the output is checked against, and Promise what the code is told of it, or nil.
	Schema          json.RawMessage
	Input           *validator.Schema
	Output, Promise json.RawMessage
	// Scopes are what a turn needs to call the tool. Approval says whether a person has to approve a call, or is nil.
	Scopes   []string
	Approval func(input json.RawMessage) bool
	Run      func(c *author.Context, input json.RawMessage) (json.RawMessage, error)
	// Real is the agent.Tool.
	Real any
}

// Code is what makes a tool run code.
type Code struct {
	Limits Limits
	// Tools returns the tools that the code can call now, and Tool the one of a name.
	Tools func(o author.Object, tx *durable.Tx) []Tool
	Tool  func(o author.Object, tx *durable.Tx, name string) (Tool, bool)
}

// Limits are those of agent.CodeLimits.
type Limits struct {
	Calls, Parallel int
	Time            time.Duration
	Work, Stretch   int64
	Memory, Answer  int
}

// Describe returns what the model is told of tools.
func Describe(tools []Tool) string { return catalogOf(tools).Description() }

func catalogOf(tools []Tool) *codemode.Catalog {
	var described []codemode.Tool
	for _, t := range tools {
		described = append(described, codemode.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema, Output: t.Promise})
	}
	return codemode.NewCatalog(described)
}
