// Package coderun runs the code of a model. The code is a script in a box of the host, and its calls are calls of tools.
// The journal keeps each call of the script and its answer. A box that is lost is opened again, and gets the answers
// from the journal. Package codemode writes the description of the tools for the model, and prepares its code.
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
	// Schema is the JSON Schema of the input. Input is the same schema, compiled, for a tool that was made for a type.
	// Output is the JSON Schema that the output has to fit. Promise is the schema in the signature that the code gets. Both
	// may be nil.
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

// Describe returns the description of tools for the model.
func Describe(tools []Tool) string { return catalogOf(tools).Description() }

func catalogOf(tools []Tool) *codemode.Catalog {
	var described []codemode.Tool
	for _, t := range tools {
		described = append(described, codemode.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema, Output: t.Promise})
	}
	return codemode.NewCatalog(described)
}
