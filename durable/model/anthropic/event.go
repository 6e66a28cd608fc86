package anthropic

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable/model"
)

// These types are one event of an answer's stream, or a whole answer.
type (
	event struct {
		Type    string          `json:"type"`
		Index   int             `json:"index"`
		Message *whole          `json:"message"`
		Block   block           `json:"content_block"`
		Delta   delta           `json:"delta"`
		Usage   *usage          `json:"usage"`
		Error   json.RawMessage `json:"error"`
	}
	whole struct {
		Type       string          `json:"type"`
		ID         string          `json:"id"`
		Content    []block         `json:"content"`
		StopReason string          `json:"stop_reason"`
		Usage      *usage          `json:"usage"`
		Error      json.RawMessage `json:"error"`
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
		Input   *float64 `json:"input_tokens"`
		Written *float64 `json:"cache_creation_input_tokens"`
		Read    *float64 `json:"cache_read_input_tokens"`
		Output  *float64 `json:"output_tokens"`
	}
)

func (u *usage) update(by usage) {
	for _, p := range []struct{ have, said **float64 }{
		{&u.Input, &by.Input}, {&u.Written, &by.Written}, {&u.Read, &by.Read}, {&u.Output, &by.Output},
	} {
		if *p.said != nil {
			*p.have = *p.said
		}
	}
}

func (u usage) total() model.Usage {
	number := func(f *float64) float64 {
		if f == nil {
			return 0
		}
		return *f
	}
	return model.NewUsage(number(u.Input)+number(u.Written)+number(u.Read), number(u.Output))
}
