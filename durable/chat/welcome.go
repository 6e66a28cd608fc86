package chat

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tributary-agents/tributary/durable/agent"
)

// The limits of what a page shows before the first message; lengths are in characters.
const (
	maxDescription = 500
	maxSuggestions = 8
	maxSuggestion  = 200
)

// checkWelcome reports what is wrong with an agent's description or suggestions. The error reads
// after the agent's name.
func checkWelcome(a agent.Agent) error {
	if n := utf8.RuneCountInString(a.Description); n > maxDescription {
		return fmt.Errorf("has a Description of %d characters, not of at most %d", n, maxDescription)
	}
	if n := len(a.Suggestions); n > maxSuggestions {
		return fmt.Errorf("has %d Suggestions, not at most %d", n, maxSuggestions)
	}
	for _, text := range a.Suggestions {
		if strings.TrimSpace(text) == "" {
			return errors.New("has a suggestion without words")
		}
		if n := utf8.RuneCountInString(text); n > maxSuggestion {
			return fmt.Errorf("has a suggestion of %d characters, not of at most %d", n, maxSuggestion)
		}
	}
	return nil
}
