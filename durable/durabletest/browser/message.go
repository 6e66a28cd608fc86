package browser

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Message is one message of the list that a tab shows.
type Message struct {
	ID       string                     `json:"id"`
	Role     string                     `json:"role"`
	Metadata map[string]json.RawMessage `json:"metadata,omitempty"`
	Parts    []*Part                    `json:"parts"`
}

// Part is one part of a message.
type Part struct {
	Type       string          `json:"type"`
	Text       string          `json:"text,omitempty"`
	State      string          `json:"state,omitempty"`
	ToolCallID string          `json:"toolCallId,omitempty"`
	ToolName   string          `json:"toolName,omitempty"`
	Input      json.RawMessage `json:"input,omitempty"`
	Output     json.RawMessage `json:"output,omitempty"`
	ErrorText  string          `json:"errorText,omitempty"`
	Approval   *Approval       `json:"approval,omitempty"`
	MediaType  string          `json:"mediaType,omitempty"`
	URL        string          `json:"url,omitempty"`
	ID         string          `json:"id,omitempty"`
	Data       json.RawMessage `json:"data,omitempty"`
}

// Approval is the request for a person's approval of a tool call, with the answer if there is one.
type Approval struct {
	ID       string `json:"id"`
	Approved *bool  `json:"approved,omitempty"`
}

const (
	user      = "user"
	assistant = "assistant"

	partText      = "text"
	partReasoning = "reasoning"
	partStep      = "step-start"
	partFile      = "file"
	partTool      = "tool-"

	streaming         = "streaming"
	done              = "done"
	inputStreaming    = "input-streaming"
	inputAvailable    = "input-available"
	approvalRequested = "approval-requested"
	approvalResponded = "approval-responded"
	outputAvailable   = "output-available"
	outputError       = "output-error"
	outputDenied      = "output-denied"
)

func (m *Message) clone() *Message {
	c := *m
	c.Parts = []*Part{}
	for _, p := range m.Parts {
		part := *p
		c.Parts = append(c.Parts, &part)
	}
	return &c
}

// merge returns metadata with more added. A value that is no object is ignored.
func merge(have map[string]json.RawMessage, raw json.RawMessage) map[string]json.RawMessage {
	var more map[string]json.RawMessage
	if json.Unmarshal(raw, &more) != nil || more == nil {
		return have
	}
	merged := map[string]json.RawMessage{}
	maps.Copy(merged, have)
	maps.Copy(merged, more)
	return merged
}

func index(list []*Message, id string) int {
	return slices.IndexFunc(list, func(m *Message) bool { return m.ID == id })
}

func last(list []*Message) *Message {
	if len(list) == 0 {
		return nil
	}
	return list[len(list)-1]
}

func lastOfType(parts []*Part, kind string) *Part {
	for _, p := range slices.Backward(parts) {
		if p.Type == kind {
			return p
		}
	}
	return nil
}

func call(parts []*Part, id string) *Part {
	for _, p := range parts {
		if p.ToolCallID == id && id != "" {
			return p
		}
	}
	return nil
}

func textOf(parts []*Part) string {
	var b strings.Builder
	for _, p := range parts {
		if p.Type == partText {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// Outline returns the ids of messages in one line, each with its number of parts.
func Outline(messages []*Message) string {
	var words []string
	for _, m := range messages {
		words = append(words, fmt.Sprintf("%s(%d)", m.ID, len(m.Parts)))
	}
	return strings.Join(words, " ")
}
