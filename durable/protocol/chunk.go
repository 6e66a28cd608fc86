package protocol

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable/limit"
)

// Chunk is one piece of a streamed answer: the body of a response frame. Type says which of the
// other fields apply.
type Chunk struct {
	Type           string          `json:"type"`
	ID             string          `json:"id,omitempty"`
	MessageID      string          `json:"messageId,omitempty"`
	Delta          string          `json:"delta,omitempty"`
	ToolCallID     string          `json:"toolCallId,omitempty"`
	ToolName       string          `json:"toolName,omitempty"`
	InputTextDelta string          `json:"inputTextDelta,omitempty"`
	Input          json.RawMessage `json:"input,omitempty"`
	Output         json.RawMessage `json:"output,omitempty"`
	ErrorText      string          `json:"errorText,omitempty"`
	URL            string          `json:"url,omitempty"`
	MediaType      string          `json:"mediaType,omitempty"`
	ApprovalID     string          `json:"approvalId,omitempty"`
	Approved       *bool           `json:"approved,omitempty"`
	// Descriptor explains what a person is asked to approve, see [Approval].
	Descriptor json.RawMessage `json:"approvalDescriptor,omitempty"`
	// Reason says why a call was denied. Automatic says that no person has denied it.
	Reason          string          `json:"reason,omitempty"`
	Automatic       bool            `json:"isAutomatic,omitempty"`
	FinishReason    string          `json:"finishReason,omitempty"`
	MessageMetadata json.RawMessage `json:"messageMetadata,omitempty"`
	// Provider is metadata that the model's provider needs again with later requests. It comes with
	// the end of the reasoning part, or with the input of a call. With the input of a call that code has
	// made it is that of [Caller], and with a tool's output it is [Replayed].
	Provider json.RawMessage `json:"providerMetadata,omitempty"`
	// Data is the value of a data part. A later chunk of its type and id replaces it.
	Data json.RawMessage `json:"data,omitempty"`
}

// The chunk types that Tributary writes.
const (
	ChunkStart           = "start"
	ChunkStartStep       = "start-step"
	ChunkTextStart       = "text-start"
	ChunkTextDelta       = "text-delta"
	ChunkTextEnd         = "text-end"
	ChunkReasoningStart  = "reasoning-start"
	ChunkReasoningDelta  = "reasoning-delta"
	ChunkReasoningEnd    = "reasoning-end"
	ChunkFinishStep      = "finish-step"
	ChunkFinish          = "finish"
	ChunkMessageMetadata = "message-metadata"
	ChunkToolInputStart  = "tool-input-start"
	ChunkToolInputDelta  = "tool-input-delta"
	ChunkToolInput       = "tool-input-available"
	ChunkToolInputError  = "tool-input-error"
	ChunkToolOutput      = "tool-output-available"
	ChunkToolOutputError = "tool-output-error"
	// ChunkToolApproval asks a person whether a tool may run.
	ChunkToolApproval = "tool-approval-request"
	// ChunkToolApproved is a person's yes. Only AI SDK 7 knows it; other clients get
	// [MessageUpdated].
	ChunkToolApproved = "tool-approval-response"
	// ChunkToolDenied is a person's no.
	ChunkToolDenied = "tool-output-denied"
	// ChunkFile is a file that a call shows, by its data URL. It follows the output of the call. Clients
	// put its part at the end of the message.
	ChunkFile = PartFile
	// ChunkStep shows a step of a program, in a part of the same type. Data is a [StepData].
	ChunkStep = PartData + "step"
)

// Encode returns the chunk as compact JSON on one line.
func (c Chunk) Encode() []byte {
	if c.Type == ChunkTextDelta || c.Type == ChunkReasoningDelta {
		return c.appendDelta(make([]byte, 0, len(c.Delta)+64))
	}
	return limit.MustMarshal(c)
}

// appendDelta is Encode without reflection, for the one chunk type that comes by the thousand.
func (c Chunk) appendDelta(dst []byte) []byte {
	dst = append(dst, `{"type":"`...)
	dst = append(dst, c.Type...)
	dst = append(dst, `","id":`...)
	dst = AppendQuoted(dst, c.ID)
	dst = append(dst, `,"delta":`...)
	dst = AppendQuoted(dst, c.Delta)
	return append(dst, '}')
}

// DecodeChunk reads one chunk.
func DecodeChunk(body []byte) (Chunk, error) {
	var c Chunk
	err := json.Unmarshal(body, &c)
	return c, err
}

// StepData is what a step of a program shows.
type StepData struct {
	Name string `json:"name"`
	// State is "running", "waiting", "completed" or "failed".
	State string `json:"state"`
	// Attempt is the number of the attempt, from 1 on, and Attempts how many there are at most.
	Attempt  int `json:"attempt"`
	Attempts int `json:"attempts"`
	// Error is what the last attempt has failed with.
	Error string `json:"error,omitempty"`
	// RetryAt is when the next attempt begins, in milliseconds since 1970.
	RetryAt int64 `json:"retryAt,omitempty"`
}
