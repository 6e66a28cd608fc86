package anthropic

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable/model"
)

// These types are one event of an answer's stream, or a whole answer.
type (
	event struct {
		Type    string          `json:"type"`
		Index   model.Number    `json:"index"`
		Message *whole          `json:"message"`
		Block   block           `json:"content_block"`
		Delta   delta           `json:"delta"`
		Usage   *usage          `json:"usage"`
		Error   json.RawMessage `json:"error"`
	}
	whole struct {
		Type       string            `json:"type"`
		ID         string            `json:"id"`
		Content    model.List[block] `json:"content"`
		StopReason string            `json:"stop_reason"`
		Usage      *usage            `json:"usage"`
		Error      json.RawMessage   `json:"error"`
	}
	delta struct {
		Type       string `json:"type"`
		Text       string `json:"text"`
		Thinking   string `json:"thinking"`
		Signature  string `json:"signature"`
		Partial    string `json:"partial_json"`
		StopReason string `json:"stop_reason"`
	}
	// usage also counts the tokens that are read from a cache or written to it. A later count replaces
	// an earlier one.
	usage struct {
		Input   *model.Number `json:"input_tokens"`
		Written *model.Number `json:"cache_creation_input_tokens"`
		Read    *model.Number `json:"cache_read_input_tokens"`
		Output  *model.Number `json:"output_tokens"`
	}
)

func (u *usage) update(by usage) {
	for _, p := range []struct{ have, said **model.Number }{
		{&u.Input, &by.Input}, {&u.Written, &by.Written}, {&u.Read, &by.Read}, {&u.Output, &by.Output},
	} {
		if *p.said != nil {
			*p.have = *p.said
		}
	}
}

func (u usage) total() model.Usage {
	number := func(n *model.Number) float64 {
		if n == nil {
			return 0
		}
		return float64(*n)
	}
	return model.NewUsage(number(u.Input)+number(u.Written)+number(u.Read), number(u.Output))
}
