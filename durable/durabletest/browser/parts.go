package browser

import (
	"slices"
	"strings"
)

// apply folds a chunk as the agents package does for observed streams and for runs. It is lenient:
// it ignores the ids of parts, and a call's part never returns to an earlier state.
func apply(parts []*Part, c chunk) []*Part {
	switch c.Type {
	case "start-step", "step-start":
		return append(parts, &Part{Type: partStep})
	case "text-start", "reasoning-start":
		return append(parts, &Part{Type: strings.TrimSuffix(c.Type, "-start"), State: streaming})
	case "text-delta", "reasoning-delta":
		kind := strings.TrimSuffix(c.Type, "-delta")
		if p := lastOfType(parts, kind); p != nil {
			p.Text += c.Delta
			return parts
		}
		return append(parts, &Part{Type: kind, Text: c.Delta, State: streaming})
	case "text-end", "reasoning-end":
		if p := lastOfType(parts, strings.TrimSuffix(c.Type, "-end")); p != nil {
			p.State = done
		}
		return parts
	case partFile:
		return append(parts, c.file())
	}
	switch {
	case strings.HasPrefix(c.Type, "tool-"):
		return applyTool(parts, c)
	case strings.HasPrefix(c.Type, "data-") && !c.Transient:
		return applyData(parts, c)
	}
	return parts
}

var settled = []string{outputAvailable, outputError, outputDenied}

func applyTool(parts []*Part, c chunk) []*Part {
	p := call(parts, c.ToolCallID)
	switch c.Type {
	case "tool-input-start":
		if p == nil {
			return append(parts, c.newPart(inputStreaming))
		}
	case "tool-input-available":
		if p == nil {
			p = c.newPart(inputStreaming)
			parts = append(parts, p)
		}
		if p.State == inputStreaming {
			p.State, p.Input = inputAvailable, c.Input
		}
	case "tool-input-error":
		if p == nil {
			p = c.newPart(inputStreaming)
			parts = append(parts, p)
		}
		if !slices.Contains(settled, p.State) {
			p.State, p.Input, p.ErrorText = outputError, c.Input, c.ErrorText
		}
	}
	if p != nil {
		applyResult(p, c)
	}
	return parts
}

func applyResult(p *Part, c chunk) {
	fixed := slices.Contains(settled, p.State) || p.State == approvalResponded
	switch c.Type {
	case "tool-output-available":
		p.State, p.Output = outputAvailable, c.Output
	case "tool-output-error":
		p.State, p.ErrorText = outputError, c.ErrorText
	case "tool-output-denied":
		if !fixed {
			p.State = outputDenied
		}
	case "tool-approval-request":
		if !fixed {
			p.State, p.Approval = approvalRequested, &Approval{ID: c.ApprovalID}
		}
	}
}

func applyData(parts []*Part, c chunk) []*Part {
	for _, p := range parts {
		if c.ID != "" && p.Type == c.Type && p.ID == c.ID {
			p.Data = c.Data
			return parts
		}
	}
	return append(parts, &Part{Type: c.Type, ID: c.ID, Data: c.Data})
}
