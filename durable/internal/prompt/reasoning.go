package prompt

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
)

// EncodeReasoning encodes the reasoning that the provider needs again, for the journal. It returns
// nil if there is none.
func EncodeReasoning(thoughts []model.Reasoning) json.RawMessage {
	var kept []model.Reasoning
	for _, t := range thoughts {
		if len(t.Provider) > 0 {
			kept = append(kept, t)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return limit.MustMarshal(kept)
}

// reasoningOf decodes the reasoning of a journaled step. Damaged reasoning is dropped: a provider
// can go on without it.
func reasoningOf(journaled json.RawMessage) []model.Content {
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
