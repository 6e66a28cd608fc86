package protocol

import "encoding/json"

// ToolEvent is a frame that shows a helper's run in its parent's conversation. The
// order of its fields is part of it: clients tell events apart by their JSON.
type ToolEvent struct {
	Type             string    `json:"type"`
	ParentToolCallID string    `json:"parentToolCallId,omitempty"`
	Sequence         int64     `json:"sequence"`
	Replay           bool      `json:"replay,omitempty"`
	Event            EventBody `json:"event"`
}

// EventBody is what has happened to a run.
type EventBody struct {
	Kind         EventKind       `json:"kind"`
	RunID        string          `json:"runId"`
	AgentType    string          `json:"agentType,omitempty"`
	InputPreview json.RawMessage `json:"inputPreview,omitempty"`
	Order        *int            `json:"order,omitempty"`
	Display      json.RawMessage `json:"display,omitempty"`
	Body         string          `json:"body,omitempty"`
	Summary      *string         `json:"summary,omitempty"`
	Error        string          `json:"error,omitempty"`
	Reason       string          `json:"reason,omitempty"`
}

// EventKind says what has happened.
type EventKind string

// The kinds of events. Started comes first on every connection: a client drops,
// for good, what it hears of a run that it does not know.
const (
	EventStarted     EventKind = "started"
	EventChunk       EventKind = "chunk"
	EventFinished    EventKind = "finished"
	EventError       EventKind = "error"
	EventAborted     EventKind = "aborted"
	EventInterrupted EventKind = "interrupted"
)

// Encode returns the frame's text.
func (e ToolEvent) Encode() string {
	e.Type = "agent-tool-event"
	return encode(e)
}
