package prompt

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/turn"
)

// kept is a piece of reasoning that the provider needs again, or its data of the call with an id.
type kept struct {
	model.Reasoning
	Call string `json:",omitempty"`
}

// EncodeReasoning encodes the reasoning of a step, and the data of its calls, that the provider needs
// again, for the journal. It returns nil if there is none.
func EncodeReasoning(thoughts []model.Reasoning, calls []turn.Call) json.RawMessage {
	var all []kept
	for _, t := range thoughts {
		if len(t.Provider) > 0 {
			all = append(all, kept{Reasoning: t})
		}
	}
	for _, c := range calls {
		if len(c.Provider) > 0 {
			all = append(all, kept{Reasoning: model.Reasoning{Provider: c.Provider}, Call: c.ID})
		}
	}
	if len(all) == 0 {
		return nil
	}
	return limit.MustMarshal(all)
}

// reasoningOf decodes the reasoning of a journaled step, and gives its calls their data. What is damaged
// is dropped: a provider can go on without it.
func reasoningOf(s turn.Step) []model.Content {
	var all []kept
	if len(s.Reasoning) == 0 || json.Unmarshal(s.Reasoning, &all) != nil {
		return nil
	}
	var content []model.Content
	for _, k := range all {
		if k.Call == "" {
			content = append(content, k.Reasoning)
			continue
		}
		for i := range s.Calls {
			if s.Calls[i].ID == k.Call {
				s.Calls[i].Provider = k.Provider
			}
		}
	}
	return content
}
