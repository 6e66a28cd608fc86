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
		ID      model.Word         `json:"id"`
		Choices model.List[choice] `json:"choices"`
		Usage   *usage             `json:"usage"`
		Error   json.RawMessage    `json:"error"`
		// Response and ToolCalls are Workers AI's own form, which has no choices.
		Response  looseText            `json:"response"`
		ToolCalls model.List[fragment] `json:"tool_calls"`
	}
	choice struct {
		Index        model.Number `json:"index"`
		Delta        *delta       `json:"delta"`
		Message      *delta       `json:"message"`
		FinishReason model.Word   `json:"finish_reason"`
		// Error is that of OpenRouter.
		Error json.RawMessage `json:"error"`
	}
	delta struct {
		Content content `json:"content"`
		thoughtTexts
		answerData
		Refusal   flatText             `json:"refusal"`
		ToolCalls model.List[fragment] `json:"tool_calls"`
	}
	// fragment is a piece of a tool call.
	fragment struct {
		Index    *model.Number `json:"index"`
		ID       model.Word    `json:"id"`
		Function struct {
			Name      model.Word  `json:"name"`
			Arguments rawArgument `json:"arguments"`
		} `json:"function"`
		// Name and Arguments are Workers AI's own form, in place of Function.
		Name      model.Word  `json:"name"`
		Arguments rawArgument `json:"arguments"`
		callData
	}
	usage struct {
		Input  model.Number `json:"prompt_tokens"`
		Output model.Number `json:"completion_tokens"`
	}
)

// common returns the piece in the form that all providers share.
func (f fragment) common() model.ToolCallFragment {
	common := model.ToolCallFragment{ID: string(f.ID), Name: string(f.Function.Name), Arguments: string(f.Function.Arguments), Kept: f.encode()}
	if f.Index != nil {
		index := int(*f.Index)
		common.Index = &index
	}
	return common
}

// flatText is a text that may be sent as a string, as null, as a part with a text, or as a list of
// these.
type flatText string

// UnmarshalJSON reads any value.
func (t *flatText) UnmarshalJSON(data []byte) error {
	var c content
	err := c.UnmarshalJSON(data)
	*t = c.text
	return err
}

// content is the content of a message: text, and the thoughts that some servers send as parts of it.
type content struct{ text, thought flatText }

// UnmarshalJSON reads any value.
func (c *content) UnmarshalJSON(data []byte) error {
	*c = content{}
	if len(data) > 0 && data[0] != '[' && data[0] != '{' {
		var w model.Word
		err := w.UnmarshalJSON(data)
		c.text = flatText(w)
		return err
	}
	var parts model.List[contentPart]
	err := parts.UnmarshalJSON(data)
	for _, p := range parts {
		if p.Type == "thinking" || p.Type == "reasoning" {
			c.thought += p.Thinking + p.Text
		} else {
			c.text += p.Text
		}
	}
	return err
}

// contentPart is a part of a content. Some servers send a string in place of a part of text.
type contentPart struct {
	Type     model.Word `json:"type"`
	Text     flatText   `json:"text"`
	Thinking flatText   `json:"thinking"`
}

// UnmarshalJSON reads any value.
func (p *contentPart) UnmarshalJSON(data []byte) error {
	type plain contentPart
	if len(data) > 0 && data[0] == '"' {
		return p.Text.UnmarshalJSON(data)
	}
	return model.Decode(data, (*plain)(p))
}

// looseText is a text. If the JSON is another value, such as a number or an object that fits a
// schema, it is that JSON.
type looseText string

// UnmarshalJSON reads any value.
func (t *looseText) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) != nil {
		s = string(data)
	}
	*t = looseText(s)
	return nil
}

// rawArgument is the JSON text of a tool's input. Servers send a string with a piece of it, or the
// value itself.
type rawArgument string

// UnmarshalJSON reads any value.
func (a *rawArgument) UnmarshalJSON(data []byte) error {
	return (*looseText)(a).UnmarshalJSON(data)
}

// decodeChunk reads one event of a stream or one whole body.
func decodeChunk(data []byte) (chunk, error) {
	var c chunk
	if err := model.Decode(data, &c); err != nil {
		return c, fmt.Errorf("decode a chunk: %w", err)
	}
	if model.SaysNothing(c.Error) {
		c.Error = nil
	}
	return c, nil
}
