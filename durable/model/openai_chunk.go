package model

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// What an endpoint answers: one event of a stream, or a whole completion. They
// differ only in whether a choice has a delta or a message.
type (
	openaiChunk struct {
		Choices []openaiChoice  `json:"choices"`
		Usage   *openaiUsage    `json:"usage"`
		Error   json.RawMessage `json:"error"`
		// Response and ToolCalls are how Workers AI says it without choices.
		Response  looseText        `json:"response"`
		ToolCalls []openaiFragment `json:"tool_calls"`
	}
	openaiChoice struct {
		Index        int          `json:"index"`
		Delta        *openaiDelta `json:"delta"`
		Message      *openaiDelta `json:"message"`
		FinishReason string       `json:"finish_reason"`
	}
	openaiDelta struct {
		Content          flatText         `json:"content"`
		ReasoningContent flatText         `json:"reasoning_content"`
		Reasoning        flatText         `json:"reasoning"`
		Refusal          flatText         `json:"refusal"`
		ToolCalls        []openaiFragment `json:"tool_calls"`
	}
	// openaiFragment is a piece of a tool call.
	openaiFragment struct {
		Index    *int   `json:"index"`
		ID       string `json:"id"`
		Function struct {
			Name      string      `json:"name"`
			Arguments rawArgument `json:"arguments"`
		} `json:"function"`
		// Name and Arguments are Workers AI's, in place of Function's.
		Name      string      `json:"name"`
		Arguments rawArgument `json:"arguments"`
	}
	openaiUsage struct {
		Input  float64 `json:"prompt_tokens"`
		Output float64 `json:"completion_tokens"`
	}
)

// thinking returns the reasoning, which servers know by two names, and some
// send under both.
func (d openaiDelta) thinking() string {
	if d.ReasoningContent != "" {
		return string(d.ReasoningContent)
	}
	return string(d.Reasoning)
}

// usage returns the counts as whole numbers from 0 to 2⁵³.
func (u openaiUsage) usage() Usage {
	whole := func(f float64) int64 { return int64(min(max(f, 0), 1<<53)) }
	return Usage{Input: whole(u.Input), Output: whole(u.Output)}
}

// flatText is text that may come as a string, as null, or as a list of parts.
type flatText string

func (t *flatText) UnmarshalJSON(data []byte) error {
	if len(data) == 0 || data[0] != '[' {
		return json.Unmarshal(data, (*string)(t))
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		*t += flatText(p.Text)
	}
	return nil
}

// looseText is text, or whatever JSON stands for it: a number, or what fits a schema.
type looseText string

func (t *looseText) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) != nil {
		s = string(data)
	}
	*t = looseText(s)
	return nil
}

// rawArgument is the JSON text of a tool's input: a string that holds a piece
// of it, or, from some servers, the object itself.
type rawArgument string

func (a *rawArgument) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '{' {
		*a = rawArgument(data)
		return nil
	}
	return json.Unmarshal(data, (*string)(a))
}

// decodeChunk reads one event of a stream or one whole body.
func decodeChunk(data []byte) (openaiChunk, error) {
	var c openaiChunk
	if err := json.Unmarshal(data, &c); err != nil {
		return c, fmt.Errorf("decode a chunk: %w", err)
	}
	if bytes.Equal(c.Error, []byte("null")) {
		c.Error = nil
	}
	return c, nil
}

// finishReason is a server's word for why it stopped, in the chat client's.
func finishReason(word string) FinishReason {
	switch word {
	case "stop", "eos", "end_turn", "stop_sequence":
		return Stop
	case "length", "max_tokens", "model_context_window_exceeded":
		return Length
	case "content_filter", "refusal":
		return ContentFilter
	case "tool_calls", "function_call", "tool_use":
		return ToolCalls
	}
	return Other
}
