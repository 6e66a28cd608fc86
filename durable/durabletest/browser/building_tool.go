package browser

import "fmt"

// tool applies a chunk of a tool call. An input belongs to the current step, a result may belong to
// any step.
func (b *building) tool(c chunk) (effect, error) {
	switch c.Type {
	case "tool-input-start":
		b.begun[c.ToolCallID] = true
		b.input(c, inputStreaming)
		return loud, nil
	case "tool-input-delta":
		if !b.begun[c.ToolCallID] {
			return silent, thrown(fmt.Sprintf("Received %s for missing tool call with ID %q. Ensure a %q chunk is sent before any %q chunks.", c.Type, c.ToolCallID, "tool-input-start", c.Type))
		}
		return loud, nil
	case "tool-input-available":
		b.input(c, inputAvailable)
		return loud, nil
	case "tool-input-error":
		b.input(c, outputError).ErrorText = c.ErrorText
		return loud, nil
	}
	p := call(b.step(), c.ToolCallID)
	if p == nil {
		p = call(b.message.Parts, c.ToolCallID)
	}
	if c.Type == "tool-approval-response" {
		p = b.approval(c.ApprovalID)
	}
	if p == nil {
		return silent, thrown(fmt.Sprintf("No tool invocation found for tool call ID %q.", c.ToolCallID))
	}
	switch c.Type {
	case "tool-output-available":
		p.State, p.Output, p.ErrorText = outputAvailable, c.Output, ""
	case "tool-output-error":
		p.State, p.Output, p.ErrorText = outputError, nil, c.ErrorText
	case "tool-output-denied":
		p.State = outputDenied
	case "tool-approval-request":
		p.State, p.Approval = approvalRequested, &Approval{ID: c.ApprovalID}
	case "tool-approval-response":
		p.State, p.Approval = approvalResponded, &Approval{ID: c.ApprovalID, Approved: c.Approved}
	}
	return loud, nil
}

// input begins a call's part, or resets it.
func (b *building) input(c chunk, state string) *Part {
	p := call(b.step(), c.ToolCallID)
	if p == nil {
		p = c.newPart(state)
		b.push(p)
	}
	p.State, p.Input, p.Output, p.ErrorText = state, c.Input, nil, ""
	return p
}

func (b *building) approval(id string) *Part {
	for _, p := range b.message.Parts {
		if p.Approval != nil && p.Approval.ID == id {
			return p
		}
	}
	return nil
}
