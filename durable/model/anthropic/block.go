package anthropic

import (
	"encoding/json"
	"strings"

	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
)

// block is a piece of a message, in a request and in an answer.
type block struct {
	Type string `json:"type"`
	Text string `json:"text,omitempty"`
	// Thinking may be empty beside a signature, and has to be there all the same.
	Thinking  *string         `json:"thinking,omitempty"`
	Signature string          `json:"signature,omitempty"`
	Data      string          `json:"data,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Content   string          `json:"content,omitempty"`
	Source    *source         `json:"source,omitempty"`
}

type source struct {
	Type  string `json:"type"`
	Media string `json:"media_type"`
	Data  string `json:"data"`
}

// thought is what the API wants to see of a thought again.
type thought struct {
	Signature string `json:"signature,omitempty"`
	Redacted  string `json:"redactedData,omitempty"`
	// Message is the answer that the thought was part of. Where a step was begun anew,
	// only the thoughts of its last answer belong together.
	Message string `json:"message,omitempty"`
}

// provided is how chat clients keep what belongs to a provider.
type provided struct {
	Anthropic thought `json:"anthropic"`
}

// encode returns what goes with the end of a thought.
func (t thought) encode() json.RawMessage {
	if t.Signature == "" && t.Redacted == "" {
		return nil
	}
	return limit.MustMarshal(provided{t})
}

// thoughts are the blocks of a step's thinking, as the API has given them.
func thoughts(m model.Message) []block {
	var blocks []block
	last := ""
	for _, c := range m.Content {
		r, ok := c.(model.Reasoning)
		var p provided
		if !ok || json.Unmarshal(r.Provider, &p) != nil {
			continue
		}
		if p.Anthropic.Message != last {
			last, blocks = p.Anthropic.Message, nil
		}
		switch t := p.Anthropic; {
		case t.Redacted != "":
			blocks = append(blocks, block{Type: "redacted_thinking", Data: t.Redacted})
		case t.Signature != "":
			blocks = append(blocks, block{Type: "thinking", Thinking: &r.Text, Signature: t.Signature})
		}
	}
	return blocks
}

// blocksOf is a message's content, its thoughts first where they are wanted.
func blocksOf(m model.Message, thinking bool) []block {
	var blocks []block
	if thinking {
		blocks = thoughts(m)
	}
	only := len(blocks)
	for _, c := range m.Content {
		switch c := c.(type) {
		case model.Text:
			blocks = append(blocks, textBlocks(c.Text)...)
		case model.Image:
			blocks = append(blocks, block{Type: "image", Source: &source{"base64", c.Media, c.Data}})
		case model.ToolCall:
			blocks = append(blocks, block{Type: "tool_use", ID: callID(c.ID), Name: c.Name, Input: json.RawMessage(c.InputText())})
		case model.ToolResult:
			blocks = append(blocks, block{Type: "tool_result", ToolUseID: callID(c.ID), Content: c.OutputText()})
		}
	}
	if len(blocks) == only {
		return nil // thoughts alone are no message
	}
	return blocks
}

// callID is a call's id in the letters that the API takes. Another provider may
// have given it.
func callID(id string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '_', r == '-', '0' <= r && r <= '9', 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
			return r
		}
		return '_'
	}, id)
}
