package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/tributary-agents/tributary/durable/limit"
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

// Part is what Tributary reads and writes of a message's part. A client's part may hold more, so
// messages keep their parts raw.
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
	// Provider is metadata of a reasoning part that the model's provider needs again. ResultProvider
	// is metadata of a tool's output, see [Replayed].
	Provider       json.RawMessage `json:"providerMetadata,omitempty"`
	ResultProvider json.RawMessage `json:"resultProviderMetadata,omitempty"`
	// Caller says which code has made the part of a call, see [Caller]. For a call of a model it is
	// metadata that the model's provider needs again.
	Caller json.RawMessage `json:"callProviderMetadata,omitempty"`
	// MediaType and URL belong to a file.
	MediaType string `json:"mediaType,omitempty"`
	URL       string `json:"url,omitempty"`
	// ID and Data belong to a data part.
	ID   string          `json:"id,omitempty"`
	Data json.RawMessage `json:"data,omitempty"`
}

// Approval is a person's permission for a tool call: requested, or, if Approved is set, given or
// refused.
type Approval struct {
	ID string `json:"id"`
	// Descriptor explains the request, as JSON. The published client keeps it as it is.
	Descriptor json.RawMessage `json:"descriptor,omitempty"`
	Approved   *bool           `json:"approved,omitempty"`
	// Automatic says that no person has answered: the time for the answer is over.
	Automatic bool `json:"isAutomatic,omitempty"`
	// Reason says in words why the call was denied.
	Reason string `json:"reason,omitempty"`
}

// The part types that Tributary reads and writes.
const (
	PartText      = "text"
	PartReasoning = "reasoning"
	PartStepStart = "step-start"
	PartFile      = "file"
	// PartTool is the prefix of a tool part's type. The tool's name follows.
	PartTool = "tool-"
	// PartData is the prefix of a data part's type. Models are not told of data parts.
	PartData = "data-"
)

// The states of a tool's part. A part never returns to an earlier state.
const (
	InputStreaming  = "input-streaming"
	InputAvailable  = "input-available"
	OutputAvailable = "output-available"
	OutputError     = "output-error"
	// ApprovalRequested calls wait for a person, ApprovalResponded calls may run, and OutputDenied
	// calls must not run.
	ApprovalRequested = "approval-requested"
	ApprovalResponded = "approval-responded"
	OutputDenied      = "output-denied"
)

// UserMessage returns a user's message with one text, possibly empty.
func UserMessage(id, text string) Message {
	part := append(AppendQuoted([]byte(`{"type":"text","text":`), []byte(text)), '}')
	return Message{ID: id, Role: RoleUser, Parts: []json.RawMessage{part}}
}

// Encode returns the message as compact JSON.
func (m Message) Encode() []byte {
	if m.Parts == nil {
		m.Parts = []json.RawMessage{}
	}
	return limit.MustMarshal(m)
}

// DecodeMessage decodes one message of a client and checks it against the limits.
func DecodeMessage(body string) (Message, error) { return decodeMessage(body, Limits.Parts) }

// ReadMessage decodes a message that this package encoded. An answer may have more parts than a
// client's message, as many as fit into its bytes.
func ReadMessage(body string) (Message, error) { return decodeMessage(body, len(body)) }

func decodeMessage(body string, most int) (m Message, err error) {
	parts := ""
	s := &scanner{text: body}
	err = s.fields(func(name, value string) error {
		switch name {
		case "id":
			return readText(value, &m.ID)
		case "role":
			return readText(value, &m.Role)
		case "metadata":
			m.Metadata = json.RawMessage(value)
		case "parts":
			parts = value
		}
		return nil
	})
	if err == nil {
		err = s.end()
	}
	m.ID, m.Role = strings.Clone(m.ID), strings.Clone(m.Role) // a kept id must not keep the whole body in memory
	if err != nil {
		return Message{}, fmt.Errorf("message is not an object of the right shape: %w", err)
	}
	if m.Parts, err = decodeParts(parts, most); err != nil {
		return Message{}, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	return m, m.Validate()
}

// decodeParts splits the list of a message's parts and checks that each has a type.
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

// ErrInvalid is wrapped by the errors of [Message.Validate].
var ErrInvalid = errors.New("invalid message")

// Validate checks the properties that Tributary relies on.
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
