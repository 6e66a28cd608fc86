package openai

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable/model"
)

// These types are what an endpoint sends: one event of a stream, or a whole completion. They differ
// only in whether a choice has a delta or a message.
type (
	chunk struct {
		Choices []choice        `json:"choices"`
		Usage   *usage          `json:"usage"`
		Error   json.RawMessage `json:"error"`
		// Response and ToolCalls are Workers AI's own form, which has no choices.
		Response  looseText  `json:"response"`
		ToolCalls []fragment `json:"tool_calls"`
	}
	choice struct {
		Index        int    `json:"index"`
		Delta        *delta `json:"delta"`
		Message      *delta `json:"message"`
		FinishReason string `json:"finish_reason"`
	}
	delta struct {
		Content          flatText   `json:"content"`
		ReasoningContent flatText   `json:"reasoning_content"`
		Reasoning        flatText   `json:"reasoning"`
		Refusal          flatText   `json:"refusal"`
		ToolCalls        []fragment `json:"tool_calls"`
	}
	// fragment is a piece of a tool call.
	fragment struct {
		Index    *int   `json:"index"`
		ID       string `json:"id"`
		Function struct {
			Name      string      `json:"name"`
			Arguments rawArgument `json:"arguments"`
		} `json:"function"`
		// Name and Arguments are Workers AI's own form, in place of Function.
		Name      string      `json:"name"`
		Arguments rawArgument `json:"arguments"`
	}
	usage struct {
		Input  float64 `json:"prompt_tokens"`
		Output float64 `json:"completion_tokens"`
	}
)

// common returns the piece in the form that all providers share.
func (f fragment) common() model.ToolCallFragment {
	return model.ToolCallFragment{Index: f.Index, ID: f.ID, Name: f.Function.Name, Arguments: string(f.Function.Arguments)}
}

// thinking returns the reasoning. Servers use one of two names for it, and some send both.
func (d delta) thinking() string {
	if d.ReasoningContent != "" {
		return string(d.ReasoningContent)
	}
	return string(d.Reasoning)
}

// flatText is a text that may be sent as a string, as null, or as a list of parts.
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

// looseText is a text. If the JSON is another value, such as a number or an object that fits a
// schema, it is that JSON.
type looseText string

func (t *looseText) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) != nil {
		s = string(data)
	}
	*t = looseText(s)
	return nil
}

// rawArgument is the JSON text of a tool's input. Servers send a string with a piece of it, or the
// object itself.
type rawArgument string

func (a *rawArgument) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '{' {
		*a = rawArgument(data)
		return nil
	}
	return json.Unmarshal(data, (*string)(a))
}

// decodeChunk reads one event of a stream or one whole body.
func decodeChunk(data []byte) (chunk, error) {
	var c chunk
	if err := json.Unmarshal(data, &c); err != nil {
		return c, fmt.Errorf("decode a chunk: %w", err)
	}
	if model.SaysNothing(c.Error) {
		c.Error = nil
	}
	return c, nil
}
