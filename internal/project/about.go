package project

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/internal/about"
)

// introduction returns about.json, which says what a page shows of the agents.
func introduction(classes []durable.Class) ([]byte, error) {
	text, err := json.MarshalIndent(about.Of(classes...), "", "  ")
	if err == nil && len(text) >= about.MaxSize {
		err = fmt.Errorf("about.json would have %d bytes, more than %d: shorten the agents' descriptions and suggestions", len(text), about.MaxSize)
	}
	return append(text, '\n'), err
}
