package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// splitList splits a JSON array into its elements. More elements than limit are an error.
func splitList(text string, limit int) ([]json.RawMessage, error) {
	if !strings.HasPrefix(text, "[") {
		return nil, errNoList
	}
	list := []json.RawMessage{}
	err := (&scanner{text: text}).list('[', ']', func(s *scanner) error {
		if len(list) == limit {
			return fmt.Errorf("more than %d elements", limit)
		}
		element, err := s.value()
		list = append(list, json.RawMessage(element))
		return err
	})
	return list, err
}

// readList reads the id and role of each message of a client's list, and returns the messages'
// texts as well.
func readList(text string) (list []Listed, raws []string, err error) {
	if !strings.HasPrefix(text, "[") {
		return nil, nil, errNoList
	}
	list = []Listed{}
	err = (&scanner{text: text}).list('[', ']', func(s *scanner) error {
		if len(list) == Limits.Messages {
			return fmt.Errorf("more than %d elements", Limits.Messages)
		}
		m, raw, err := s.listed()
		if err != nil {
			return fmt.Errorf("message %d: %w", len(list), err)
		}
		list, raws = append(list, m), append(raws, raw)
		return nil
	})
	return list, raws, err
}

// listed reads the id and role of a message, and skips its content.
func (s *scanner) listed() (m Listed, raw string, err error) {
	if s.space() != '{' {
		return m, "", errNoObject
	}
	start := s.at
	err = s.fields(func(name, value string) error {
		switch {
		case value[0] != '"' || len(value) > 8*Limits.ID:
		case name == "id":
			m.ID = unquote(value)
		case name == "role":
			m.Role = unquote(value)
		}
		return nil
	})
	if err != nil {
		return m, "", err
	}
	return m, s.text[start:s.at], Message{ID: m.ID, Role: m.Role}.Validate()
}

// takeUsers decodes the user messages at the end of a list, beginning with index from.
func takeUsers(texts []string, from int) ([]Message, error) {
	messages := []Message{}
	for i := from; i < len(texts); i++ {
		m, err := takeMessage(texts, i)
		if err != nil {
			return nil, err
		}
		messages = append(messages, m)
	}
	return messages, nil
}

func takeMessage(texts []string, i int) (m Message, err error) {
	if n := len(texts[i]); n > Limits.Message {
		err = fmt.Errorf("it has %d bytes, at most %d", n, Limits.Message)
	} else {
		m, err = DecodeMessage(texts[i])
	}
	if err != nil {
		err = fmt.Errorf("message %d: %w", i, err)
	}
	return m, err
}

var errNoObject = errors.New("not an object")
