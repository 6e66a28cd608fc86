package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Message is one message of a conversation, as the chat client shows it.
type Message struct {
	ID       string            `json:"id"`
	Role     string            `json:"role"`
	Metadata json.RawMessage   `json:"metadata,omitempty"`
	Parts    []json.RawMessage `json:"parts"`
}

// The roles of a [Message].
const (
	RoleUser      = "user"
	RoleAssistant = "assistant"
	RoleSystem    = "system"
)

// Part is what Tributary reads and writes of a message's part. A part from a
// client may hold more, which is why messages keep parts raw.
type Part struct {
	Type       string          `json:"type"`
	Text       string          `json:"text,omitempty"`
	ToolCallID string          `json:"toolCallId,omitempty"`
	ToolName   string          `json:"toolName,omitempty"`
	State      string          `json:"state,omitempty"`
	Input      json.RawMessage `json:"input,omitempty"`
	Output     json.RawMessage `json:"output,omitempty"`
	ErrorText  string          `json:"errorText,omitempty"`
	Approval   *Approval       `json:"approval,omitempty"`
	// Provider is what a model's provider wants to see of a thought again.
	Provider json.RawMessage `json:"providerMetadata,omitempty"`
	// MediaType and URL are a file's.
	MediaType string `json:"mediaType,omitempty"`
	URL       string `json:"url,omitempty"`
}

// Approval is a person's permission for a tool's call: asked for, or, with
// Approved, given or refused.
type Approval struct {
	ID       string `json:"id"`
	Approved *bool  `json:"approved,omitempty"`
}

// The part types that Tributary reads and writes.
const (
	PartText      = "text"
	PartReasoning = "reasoning"
	PartStepStart = "step-start"
	PartFile      = "file"
	// PartTool is what the type of a tool's part begins with; its name follows.
	PartTool = "tool-"
)

// The states of a tool's part. It never goes back.
const (
	InputStreaming  = "input-streaming"
	InputAvailable  = "input-available"
	OutputAvailable = "output-available"
	OutputError     = "output-error"
	// ApprovalRequested calls wait for a person, ApprovalResponded ones may run, and
	// OutputDenied ones may not.
	ApprovalRequested = "approval-requested"
	ApprovalResponded = "approval-responded"
	OutputDenied      = "output-denied"
)

// UserMessage is a message of a user's that is one text, possibly empty.
func UserMessage(id, text string) Message {
	part := append(AppendQuoted([]byte(`{"type":"text","text":`), []byte(text)), '}')
	return Message{ID: id, Role: RoleUser, Parts: []json.RawMessage{part}}
}

// Encode returns the message as compact JSON.
func (m Message) Encode() []byte {
	if m.Parts == nil {
		m.Parts = []json.RawMessage{}
	}
	return mustMarshal(m)
}

// DecodeMessage reads one message of a client and checks it against the limits.
func DecodeMessage(body []byte) (Message, error) { return decodeMessage(body, Limits.Parts) }

// ReadMessage reads a message that was encoded here. An answer may have more parts than a
// client's message, as many as fit into its bytes.
func ReadMessage(body []byte) (Message, error) { return decodeMessage(body, len(body)) }

func decodeMessage(body []byte, most int) (Message, error) {
	var raw struct {
		ID       string          `json:"id"`
		Role     string          `json:"role"`
		Metadata json.RawMessage `json:"metadata"`
		Parts    json.RawMessage `json:"parts"`
	}
	if err := json.Unmarshal(body, &raw); err != nil {
		return Message{}, fmt.Errorf("message is not an object of the right shape: %w", err)
	}
	parts, err := decodeParts(string(raw.Parts), most)
	if err != nil {
		return Message{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	m := Message{ID: raw.ID, Role: raw.Role, Metadata: raw.Metadata, Parts: parts}
	return m, m.Validate()
}

// decodeParts splits the list of a message's parts, each of which has a type.
func decodeParts(list string, most int) ([]json.RawMessage, error) {
	if !strings.HasPrefix(list, "[") {
		return nil, errors.New("parts: not a list")
	}
	parts := []json.RawMessage{}
	err := (&scanner{text: list}).list('[', ']', func(s *scanner) error {
		if len(parts) == most {
			return fmt.Errorf("parts: more than %d elements", most)
		}
		raw, err := s.value()
		if err != nil {
			return err
		}
		if kind := field(raw, "type"); len(kind) <= len(`""`) || kind[0] != '"' {
			return fmt.Errorf("part %d has no type", len(parts))
		}
		parts = append(parts, json.RawMessage(raw))
		return nil
	})
	return parts, err
}

// ErrInvalid is wrapped by what [Message.Validate] finds.
var ErrInvalid = errors.New("invalid message")

// Validate checks what Tributary relies on.
func (m Message) Validate() error {
	switch {
	case m.ID == "":
		return fmt.Errorf("%w: no id", ErrInvalid)
	case len(m.ID) > Limits.ID:
		return fmt.Errorf("%w: id of %d bytes, at most %d", ErrInvalid, len(m.ID), Limits.ID)
	case m.Role != RoleUser && m.Role != RoleAssistant && m.Role != RoleSystem:
		return fmt.Errorf("%w: role %.20q", ErrInvalid, m.Role)
	}
	return nil
}
