package client

import "encoding/json"

// Kind says what a [Chunk] is.
type Kind string

// The kinds of chunks, with the fields that they have.
const (
	Text       Kind = "text"        // Text: more of the answer. Part counts the texts of the answer from 0
	Reasoning  Kind = "reasoning"   // Text: more of a thought
	ToolCall   Kind = "tool-call"   // CallID, Tool, Input: the model calls a tool
	ToolOutput Kind = "tool-output" // CallID, Tool, Output: what the tool has returned
	ToolError  Kind = "tool-error"  // CallID, Tool, Err: the tool has failed, or its input was wrong
	ToolDenied Kind = "tool-denied" // CallID, Tool: a person has refused the call
	Approval   Kind = "approval"    // CallID, Tool: the call waits for Approve
	File       Kind = "file"        // MediaType, URL: a picture that the tool of the last output shows, as a data URL
	Data       Kind = "data"        // Name, Data: a part of the agent's own
	Helper     Kind = "helper"      // CallID, Event: an event of a helper's run that a call has started
)

// Chunk is a piece of an answer. Kind says which of the other fields it has.
type Chunk struct {
	Kind      Kind
	Text      string
	Part      int
	CallID    string
	Tool      string
	Input     json.RawMessage
	Output    json.RawMessage
	Err       string
	MediaType string
	URL       string
	Name      string
	Data      json.RawMessage
	Event     *RunEvent
}

// wireChunk is the body of a response frame, and of an event of a run.
type wireChunk struct {
	Type       string          `json:"type"`
	ID         string          `json:"id"`
	MessageID  string          `json:"messageId"`
	Delta      string          `json:"delta"`
	ToolCallID string          `json:"toolCallId"`
	ToolName   string          `json:"toolName"`
	Input      json.RawMessage `json:"input"`
	Output     json.RawMessage `json:"output"`
	ErrorText  string          `json:"errorText"`
	MediaType  string          `json:"mediaType"`
	URL        string          `json:"url"`
	Data       json.RawMessage `json:"data"`
}

// The types of chunks that more is done with than to hand them on.
const (
	chunkStart     = "start"
	chunkTextStart = "text-start"
	chunkFinish    = "finish"
	chunkFile      = "file"
	prefixData     = "data-"
)

var kinds = map[string]Kind{
	"text-delta": Text, "reasoning-delta": Reasoning, "tool-input-available": ToolCall, "tool-output-available": ToolOutput,
	"tool-input-error": ToolError, "tool-output-error": ToolError, "tool-output-denied": ToolDenied, "tool-approval-request": Approval, chunkFile: File,
}

// chunk returns the chunk for a reader, and says whether there is one.
func (w wireChunk) chunk() (Chunk, bool) {
	kind, ok := kinds[w.Type]
	if name, isData := cutData(w.Type); isData {
		return Chunk{Kind: Data, Name: name, Data: w.Data}, true
	}
	return Chunk{
		Kind: kind, Text: w.Delta, CallID: w.ToolCallID, Tool: w.ToolName, Input: w.Input, Output: w.Output, Err: w.ErrorText,
		MediaType: w.MediaType, URL: w.URL,
	}, ok
}

func cutData(kind string) (name string, ok bool) {
	if len(kind) <= len(prefixData) || kind[:len(prefixData)] != prefixData {
		return "", false
	}
	return kind[len(prefixData):], true
}
