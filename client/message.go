package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// Message is a stored message of a conversation.
type Message struct {
	ID       string          `json:"id"`
	Role     string          `json:"role"` // "user", "assistant" or "system"
	Parts    []Part          `json:"parts"`
	Metadata json.RawMessage `json:"metadata"`
}

// Part is a part of a message.
type Part struct {
	Type string `json:"type"` // "text", "reasoning", "file", "step-start", "tool-NAME", "data-NAME"
	Text string `json:"text"` // of a text or a thought

	ToolCallID string          `json:"toolCallId"`
	State      string          `json:"state"` // of a call: "input-available", "approval-requested", "output-available", ...
	Input      json.RawMessage `json:"input"`
	Output     json.RawMessage `json:"output"`
	ErrorText  string          `json:"errorText"`

	MediaType string          `json:"mediaType"` // of a file
	URL       string          `json:"url"`       // of a file: a data URL
	Filename  string          `json:"filename"`
	Data      json.RawMessage `json:"data"` // of a part of the agent's own
}

// Tool returns the name of the tool that the part is a call of, or "".
func (p Part) Tool() string {
	name, _ := strings.CutPrefix(p.Type, "tool-")
	if name == p.Type {
		return ""
	}
	return name
}

// Text returns the texts of the message, with a blank line between them.
func (m Message) Text() string {
	var texts []string
	for _, p := range m.Parts {
		if p.Type == "text" {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n\n")
}

// Messages returns the stored messages of the conversation, oldest first. An answer under way is
// stored when it ends. An error of the server is a [*StatusError].
func (c *Conversation) Messages(ctx context.Context) ([]Message, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.address.String()+"/get-messages", nil)
	if err != nil {
		return nil, fmt.Errorf("client: messages: %w", err)
	}
	request.Header = c.header()
	response, err := c.opts.HTTP.Do(request)
	if err != nil {
		return nil, fmt.Errorf("client: messages: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(response.Body, maxErrorText))
		return nil, &StatusError{response.StatusCode, strings.TrimSpace(string(text))}
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, c.opts.MaxFrame+1))
	if err != nil {
		return nil, fmt.Errorf("client: messages: %w", err)
	}
	if int64(len(body)) > c.opts.MaxFrame {
		return nil, fmt.Errorf("%w: the list of messages", ErrTooLarge)
	}
	var messages []Message
	if err := json.Unmarshal(body, &messages); err != nil {
		return nil, fmt.Errorf("client: messages: %w", err)
	}
	return messages, nil
}
