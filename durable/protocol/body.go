package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
)

// ChatBody is the inside of a [ChatRequest].
type ChatBody struct {
	// List is the client's whole list. UserMessages are the user messages at its end. If there are
	// more of them than may be new, UserMessages has the last ones. Before has the others, which are
	// stored already or too many.
	List         []Listed
	Before       []Listed
	UserMessages []Message
	// Regenerate asks for the last answer to be generated again.
	Regenerate bool
	// Tools are the tools that the browser offers. Nil leaves the tools that it offered before.
	Tools []ClientTool
}

// Listed is the part of a client's message that is read from its list.
type Listed struct{ ID, Role string }

// ClientTool is a tool that runs in the browser.
type ClientTool struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	// Parameters is the JSON Schema of the input.
	Parameters json.RawMessage `json:"parameters,omitempty"`
}

// ParseChatBody parses the body of a chat request. Like a frame, the body is scanned and never
// decoded as a whole.
func ParseChatBody(body string) (ChatBody, error) {
	var trigger, tools, messages string
	s := &scanner{text: body}
	err := s.fields(func(name, value string) error {
		switch name {
		case "trigger":
			return readText(value, &trigger)
		case "clientTools":
			tools = value
		case "messages":
			messages = value
		}
		return nil
	})
	if err == nil {
		err = s.end()
	}
	if err != nil {
		return ChatBody{}, fmt.Errorf("request body is not JSON of the right shape: %w", err)
	}
	b := ChatBody{Regenerate: trigger == "regenerate-message"}
	if b.Tools, err = readTools(tools); err != nil {
		return ChatBody{}, err
	}
	if err := b.takeList(messages); err != nil {
		return ChatBody{}, err
	}
	switch trigger {
	case "", "submit-message", "regenerate-message":
		return b, nil
	}
	return ChatBody{}, fmt.Errorf("unknown trigger %.40q", trigger)
}

// takeList reads the client's list: the id and role of each message, and the text of the user
// messages at its end.
func (b *ChatBody) takeList(text string) error {
	list, texts, err := readList(text)
	switch {
	case err != nil:
		return fmt.Errorf("messages: %w", err)
	case len(list) == 0:
		return errors.New("request without messages")
	}
	asked := len(list)
	for asked > 0 && list[asked-1].Role == RoleUser {
		asked--
	}
	from := max(asked, len(list)-Limits.Fresh)
	b.List, b.Before = list, list[asked:from]
	b.UserMessages, err = takeUsers(texts, from)
	return err
}

// readTools reads the tools that a browser offers.
func readTools(text string) ([]ClientTool, error) {
	if len(text) > Limits.ClientTools {
		return nil, fmt.Errorf("client tools of %d bytes, at most %d", len(text), Limits.ClientTools)
	}
	if text == "" {
		return nil, nil
	}
	var tools []ClientTool
	if err := json.Unmarshal([]byte(text), &tools); err != nil {
		return nil, fmt.Errorf("request body is not JSON of the right shape: client tools: %w", err)
	}
	if len(tools) > Limits.Tools {
		return nil, fmt.Errorf("%d client tools, at most %d", len(tools), Limits.Tools)
	}
	for _, t := range tools {
		if t.Name == "" || len(t.Name) > Limits.ID {
			return nil, fmt.Errorf("client tool with the name %.20q", t.Name)
		}
	}
	return tools, nil
}
