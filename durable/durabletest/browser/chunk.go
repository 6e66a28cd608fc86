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
	URL             string          `json:"url"`
	MediaType       string          `json:"mediaType"`
	MessageMetadata json.RawMessage `json:"messageMetadata"`
}

// file returns the part that shows a file.
func (c chunk) file() *Part { return &Part{Type: partFile, MediaType: c.MediaType, URL: c.URL} }

// newPart returns the part that a chunk begins.
func (c chunk) newPart(state string) *Part {
	return &Part{Type: partTool + c.ToolName, ToolCallID: c.ToolCallID, ToolName: c.ToolName, State: state}
}
