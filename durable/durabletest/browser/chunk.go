package browser

import "encoding/json"

// chunk is the body of a response frame, and of a run's event of the kind chunk.
type chunk struct {
	Type            string          `json:"type"`
	ID              string          `json:"id"`
	MessageID       *string         `json:"messageId"`
	Delta           string          `json:"delta"`
	ToolCallID      string          `json:"toolCallId"`
	ToolName        string          `json:"toolName"`
	Input           json.RawMessage `json:"input"`
	Output          json.RawMessage `json:"output"`
	ErrorText       string          `json:"errorText"`
	ApprovalID      string          `json:"approvalId"`
	Approved        *bool           `json:"approved"`
	Transient       bool            `json:"transient"`
	Data            json.RawMessage `json:"data"`
	MessageMetadata json.RawMessage `json:"messageMetadata"`
}

// newPart returns the part that a chunk begins.
func (c chunk) newPart(state string) *Part {
	return &Part{Type: partTool + c.ToolName, ToolCallID: c.ToolCallID, ToolName: c.ToolName, State: state}
}
