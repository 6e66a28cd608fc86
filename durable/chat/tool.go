package chat

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
)

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
func (o *Object) toolsAtHand(tx *durable.Tx) []agent.Tool {
	var tools []agent.Tool
	for _, t := range o.agent.Tools {
		if t.Enabled == nil || t.Enabled(o.vars) {
			tools = append(tools, t)
		}
	}
	return append(tools, browserTools(tx)...)
}

func (o *Object) tool(tx *durable.Tx, name string) (agent.Tool, bool) {
	tools := o.toolsAtHand(tx)
	i := slices.IndexFunc(tools, func(t agent.Tool) bool { return t.Name == name })
	if i < 0 {
		return agent.Tool{}, false
	}
	return tools[i], true
}

// checkOutput says what is wrong with a tool's output.
func (o *Object) checkOutput(tx *durable.Tx, name string, output json.RawMessage) error {
	if len(output) > limit.Output {
		return fmt.Errorf("the tool returned %d bytes, at most %d", len(output), limit.Output)
	}
	if err := protocol.Check(output); err != nil {
		return fmt.Errorf("the tool returned no JSON that can be shown: %w", err)
	}
	if tool, _ := o.tool(tx, name); tool.Output != nil {
		return run.Fit(tool.Output, output)
	}
	return nil
}
