package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
)

// ChatBody is the inside of a [ChatRequest].
type ChatBody struct {
	Messages []Message
	// Regenerate says that the last answer shall be given anew.
	Regenerate bool
	// Tools are those that the browser offers; nil leaves what it offered before.
	Tools []ClientTool
}

// ClientTool is a tool that runs in the browser.
type ClientTool struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	// Parameters is the JSON Schema of the input.
	Parameters json.RawMessage `json:"parameters,omitempty"`
}

// ParseChatBody parses the body of a chat request.
func ParseChatBody(body string) (ChatBody, error) {
	var r struct {
		Messages json.RawMessage `json:"messages"`
		Trigger  string          `json:"trigger"`
		Tools    []ClientTool    `json:"clientTools"`
	}
	if err := json.Unmarshal([]byte(body), &r); err != nil {
		return ChatBody{}, fmt.Errorf("request body is not JSON of the right shape: %w", err)
	}
	messages, err := decodeMessages(r.Messages)
	if err != nil {
		return ChatBody{}, err
	}
	if len(messages) == 0 {
		return ChatBody{}, errors.New("request without messages")
	}
	if err := checkTools(r.Tools); err != nil {
		return ChatBody{}, err
	}
	switch r.Trigger {
	case "", "submit-message", "regenerate-message":
		return ChatBody{Messages: messages, Regenerate: r.Trigger == "regenerate-message", Tools: r.Tools}, nil
	}
	return ChatBody{}, fmt.Errorf("unknown trigger %.40q", r.Trigger)
}

func checkTools(tools []ClientTool) error {
	if len(tools) > Limits.Tools {
		return fmt.Errorf("%d client tools, at most %d", len(tools), Limits.Tools)
	}
	for _, t := range tools {
		if t.Name == "" || len(t.Name) > Limits.ID {
			return fmt.Errorf("client tool with the name %.20q", t.Name)
		}
	}
	return nil
}

func decodeMessages(raw json.RawMessage) ([]Message, error) {
	list, err := decodeList(raw, Limits.Messages)
	if err != nil {
		return nil, fmt.Errorf("messages: %w", err)
	}
	messages := make([]Message, len(list))
	for i, raw := range list {
		m, err := DecodeMessage(raw)
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
		if len(raw) > Limits.Message {
			return nil, fmt.Errorf("message %d of %d bytes, at most %d", i, len(raw), Limits.Message)
		}
		messages[i] = m
	}
	return messages, nil
}
