package chat

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
)

// The sizes of what tools return, in bytes.
const (
	// MaxOutput is the size of one output.
	MaxOutput = limit.Output
	// MaxOutputs is the size of all outputs and errors of one turn. If they do not fit into the turn's
	// message, the message is compacted.
	MaxOutputs = limit.Outputs
)

// Tool is a function that the model can call.
type Tool struct {
	Name        string
	Description string
	// Schema is the JSON Schema of the input. Output is the JSON Schema that the output has to fit, or
	// nil.
	Schema, Output json.RawMessage
	// Enabled says by the deployment's variables whether the tool is offered. Nil means always.
	Enabled func(vars map[string]string) bool
	// Approval says whether a person has to approve a call with this input before it
	// runs. Nil means never. It decides by the input alone.
	Approval func(input json.RawMessage) bool
	// Client says that the browser runs the tool. Run is then not used.
	Client bool
	// Run is straight-line code over the journal. It may await, and is replayed over its journal after
	// its instance was lost. Its error goes to the model.
	Run func(c *ToolContext, input json.RawMessage) (json.RawMessage, error)
}

// toolsOffered returns the tools in the form that the model is sent.
func (o *Object) toolsOffered(tx *durable.Tx) []model.Tool {
	var tools []model.Tool
	for _, t := range o.toolsAtHand(tx) {
		if !slices.ContainsFunc(tools, func(have model.Tool) bool { return have.Name == t.Name }) {
			tools = append(tools, model.Tool{Name: t.Name, Description: t.Description, Schema: t.Schema})
		}
	}
	return tools
}

// toolsAtHand returns the agent's tools, followed by those of the browser.
func (o *Object) toolsAtHand(tx *durable.Tx) []Tool {
	var tools []Tool
	for _, t := range o.agent.Tools {
		if t.Enabled == nil || t.Enabled(o.vars) {
			tools = append(tools, t)
		}
	}
	return append(tools, browserTools(tx)...)
}

func (o *Object) tool(tx *durable.Tx, name string) (Tool, bool) {
	tools := o.toolsAtHand(tx)
	i := slices.IndexFunc(tools, func(t Tool) bool { return t.Name == name })
	if i < 0 {
		return Tool{}, false
	}
	return tools[i], true
}

// checkOutput says what is wrong with a tool's output.
func (o *Object) checkOutput(tx *durable.Tx, name string, output json.RawMessage) error {
	if len(output) > MaxOutput {
		return fmt.Errorf("the tool returned %d bytes, at most %d", len(output), MaxOutput)
	}
	if err := protocol.Check(output); err != nil {
		return fmt.Errorf("the tool returned no JSON that can be shown: %w", err)
	}
	if tool, _ := o.tool(tx, name); tool.Output != nil {
		return run.Fit(tool.Output, output)
	}
	return nil
}
