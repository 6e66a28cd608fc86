package chat

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable/model"
)

// This file is about thoughts. A provider may want to see those again that led to a
// tool's call, together with what only it can read.

// think adds to the thought that came last.
func (l *live) think(text string, provider json.RawMessage) {
	if len(l.thoughts) == 0 {
		return // its beginning was damaged
	}
	last := &l.thoughts[len(l.thoughts)-1]
	last.Text += text
	last.Provider = provider
}

// encodeThoughts writes for the journal the thoughts that are wanted again, or nil.
func encodeThoughts(thoughts []model.Reasoning) json.RawMessage {
	var kept []model.Reasoning
	for _, t := range thoughts {
		if len(t.Provider) > 0 {
			kept = append(kept, t)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return encode(kept)
}

// thoughtsOf reads the thoughts of a journaled step. Damaged ones are forgotten: a
// provider goes on without thinking then.
func thoughtsOf(journaled json.RawMessage) []model.Content {
	var thoughts []model.Reasoning
	if len(journaled) == 0 || json.Unmarshal(journaled, &thoughts) != nil {
		return nil
	}
	var content []model.Content
	for _, t := range thoughts {
		content = append(content, t)
	}
	return content
}
