package model

import (
	"bytes"
	"encoding/json"

	"github.com/tributary-agents/tributary/durable/limit"
)

// ContinueText is a message of the user that asks a model to continue an answer that broke off. It
// follows [Request.Said], which is sent as the assistant's message.
const ContinueText = "Your answer broke off there. Go on exactly where it stopped, in the middle of a word if need be. " +
	"Repeat nothing of it, and do not mention the interruption."

// EncodeRequest encodes the body of a request as JSON. The caller owns the bytes. The error is an
// [*Error] of the kind [Rejected], for example if the schema of a tool is not JSON.
func EncodeRequest(body any) ([]byte, error) {
	b, err := limit.Marshal(body)
	if err != nil {
		return nil, &Error{Kind: Rejected, Message: "the request to the model cannot be written as JSON: " + err.Error()}
	}
	return b, nil
}

// InputText returns the input as JSON text. An empty input is the empty object.
func (c ToolCall) InputText() string {
	if len(bytes.TrimSpace(c.Input)) == 0 {
		return "{}"
	}
	return string(c.Input)
}

// OutputText returns the output as text for a model: a JSON string without its quotes, and
// everything else as JSON.
func (r ToolResult) OutputText() string {
	var s string
	if json.Unmarshal(r.Output, &s) == nil {
		return s
	}
	return string(r.Output)
}
