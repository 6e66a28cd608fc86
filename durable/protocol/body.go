package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// ChatBody is the inside of a [ChatRequest].
type ChatBody struct {
	// List is what the client has, all of it; Asked are the user messages at its end.
	List  []Listed
	Asked []Message
	// Regenerate says that the last answer shall be given anew.
	Regenerate bool
	// Tools are those that the browser offers; nil leaves what it offered before.
	Tools []ClientTool
}

// Listed is what is read of a message that a client has in its list.
type Listed struct{ ID, Role string }

// ClientTool is a tool that runs in the browser.
type ClientTool struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	// Parameters is the JSON Schema of the input.
	Parameters json.RawMessage `json:"parameters,omitempty"`
}

// ParseChatBody parses the body of a chat request.
func ParseChatBody(body string) (ChatBody, error) {
	rest, messages := lift(body, "0", "messages")
	var r struct {
		Trigger string       `json:"trigger"`
		Tools   []ClientTool `json:"clientTools"`
	}
	if err := json.Unmarshal([]byte(rest), &r); err != nil {
		return ChatBody{}, fmt.Errorf("request body is not JSON of the right shape: %w", err)
	}
	b := ChatBody{Regenerate: r.Trigger == "regenerate-message", Tools: r.Tools}
	if err := b.takeList(messages); err != nil {
		return ChatBody{}, err
	}
	if err := checkTools(r.Tools); err != nil {
		return ChatBody{}, err
	}
	switch r.Trigger {
	case "", "submit-message", "regenerate-message":
		return b, nil
	}
	return ChatBody{}, fmt.Errorf("unknown trigger %.40q", r.Trigger)
}

// takeList reads the client's list: who is in it, and what the user messages at its end
// say.
func (b *ChatBody) takeList(list string) error {
	if !strings.HasPrefix(list, "[") {
		return errors.New("messages: not a list")
	}
	var asked []string
	err := (&scanner{text: list}).elements(func(raw string) error {
		if len(b.List) == Limits.Messages {
			return fmt.Errorf("messages: more than %d elements", Limits.Messages)
		}
		m, err := readListed(raw)
		if err != nil {
			return fmt.Errorf("message %d: %w", len(b.List), err)
		}
		b.List = append(b.List, m)
		if asked = append(asked, raw); m.Role != RoleUser {
			asked = nil
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case len(b.List) == 0:
		return errors.New("request without messages")
	}
	for i, raw := range asked {
		m, err := takeMessage(raw)
		if err != nil {
			return fmt.Errorf("message %d: %w", len(b.List)-len(asked)+i, err)
		}
		b.Asked = append(b.Asked, m)
	}
	return nil
}

// readListed reads who a message is, and passes over what it says.
func readListed(raw string) (m Listed, err error) {
	err = (&scanner{text: raw}).fields(func(name, value string) error {
		switch {
		case value[0] != '"':
		case name == "id":
			m.ID = unquote(value)
		case name == "role":
			m.Role = unquote(value)
		}
		return nil
	})
	if err != nil {
		return m, err
	}
	return m, Message{ID: m.ID, Role: m.Role}.Validate()
}

func takeMessage[T ~string | ~[]byte](raw T) (Message, error) {
	if len(raw) > Limits.Message {
		return Message{}, fmt.Errorf("it has %d bytes, at most %d", len(raw), Limits.Message)
	}
	return DecodeMessage([]byte(raw))
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
		m, err := takeMessage(raw)
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
		messages[i] = m
	}
	return messages, nil
}
