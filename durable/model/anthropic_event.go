package model

import "encoding/json"

// One event of an answer's stream, or a whole answer.
type (
	anthropicEvent struct {
		Type    string          `json:"type"`
		Index   int             `json:"index"`
		Message *anthropicWhole `json:"message"`
		Block   anthropicBlock  `json:"content_block"`
		Delta   anthropicDelta  `json:"delta"`
		Usage   *anthropicUsage `json:"usage"`
		Error   json.RawMessage `json:"error"`
	}
	anthropicWhole struct {
		Type       string           `json:"type"`
		ID         string           `json:"id"`
		Content    []anthropicBlock `json:"content"`
		StopReason string           `json:"stop_reason"`
		Usage      *anthropicUsage  `json:"usage"`
		Error      json.RawMessage  `json:"error"`
	}
	anthropicDelta struct {
		Type       string `json:"type"`
		Text       string `json:"text"`
		Thinking   string `json:"thinking"`
		Signature  string `json:"signature"`
		Partial    string `json:"partial_json"`
		StopReason string `json:"stop_reason"`
	}
	// anthropicUsage counts what is read from and written to a cache beside the rest of
	// the input. What is said again replaces what was said.
	anthropicUsage struct {
		Input   *float64 `json:"input_tokens"`
		Written *float64 `json:"cache_creation_input_tokens"`
		Read    *float64 `json:"cache_read_input_tokens"`
		Output  *float64 `json:"output_tokens"`
	}
)

func (u *anthropicUsage) update(by anthropicUsage) {
	for _, p := range []struct{ have, said **float64 }{
		{&u.Input, &by.Input}, {&u.Written, &by.Written}, {&u.Read, &by.Read}, {&u.Output, &by.Output},
	} {
		if *p.said != nil {
			*p.have = *p.said
		}
	}
}

func (u anthropicUsage) usage() Usage {
	number := func(f *float64) float64 {
		if f == nil {
			return 0
		}
		return *f
	}
	return openaiUsage{Input: number(u.Input) + number(u.Written) + number(u.Read), Output: number(u.Output)}.usage()
}
