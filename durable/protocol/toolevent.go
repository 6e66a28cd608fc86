package protocol

import (
	"encoding/json"
	"strconv"
)

// ToolEvent is a frame that shows a helper's run in its parent's conversation. The order of its
// fields must not change: clients tell events apart by their JSON.
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

// The kinds of events. Started comes first on every connection, because a client permanently drops
// events of a run that it does not know.
const (
	EventStarted  EventKind = "started"
	EventChunk    EventKind = "chunk"
	EventFinished EventKind = "finished"
	EventError    EventKind = "error"
	EventAborted  EventKind = "aborted"
)

// Encode returns the frame's text.
func (e ToolEvent) Encode() string {
	if e.Event.Kind == EventChunk {
		return e.encodeChunk()
	}
	e.Type = "agent-tool-event"
	return encode(e)
}

// encodeChunk is Encode without reflection, for the one event kind that comes by the thousand.
func (e ToolEvent) encodeChunk() string {
	b := make([]byte, 0, len(e.Event.Body)*5/4+192)
	b = append(b, `{"type":"agent-tool-event",`...)
	if e.ParentToolCallID != "" {
		b = AppendQuoted(append(b, `"parentToolCallId":`...), e.ParentToolCallID)
		b = append(b, ',')
	}
	b = strconv.AppendInt(append(b, `"sequence":`...), e.Sequence, 10)
	if e.Replay {
		b = append(b, `,"replay":true`...)
	}
	b = AppendQuoted(append(b, `,"event":{"kind":"chunk","runId":`...), e.Event.RunID)
	b = AppendQuoted(append(b, `,"body":`...), e.Event.Body)
	return string(append(b, `}}`...))
}
