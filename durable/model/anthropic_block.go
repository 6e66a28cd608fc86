package model

import (
	"encoding/json"
	"strings"

	"github.com/tributary-agents/tributary/durable/limit"
)

// anthropicBlock is a piece of a message, in a request and in an answer.
type anthropicBlock struct {
	Type string `json:"type"`
	Text string `json:"text,omitempty"`
	// Thinking may be empty beside a signature, and has to be there all the same.
	Thinking  *string          `json:"thinking,omitempty"`
	Signature string           `json:"signature,omitempty"`
	Data      string           `json:"data,omitempty"`
	ID        string           `json:"id,omitempty"`
	Name      string           `json:"name,omitempty"`
	Input     json.RawMessage  `json:"input,omitempty"`
	ToolUseID string           `json:"tool_use_id,omitempty"`
	Content   string           `json:"content,omitempty"`
	Source    *anthropicSource `json:"source,omitempty"`
}

type anthropicSource struct {
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
	b, err := limit.Marshal(provided{t})
	if err != nil {
		panic("model: " + err.Error())
	}
	return b
}

// thoughts are the blocks of a step's thinking, as the API has given them.
func thoughts(m Message) []anthropicBlock {
	var blocks []anthropicBlock
	last := ""
	for _, c := range m.Content {
		r, ok := c.(Reasoning)
		var p provided
		if !ok || json.Unmarshal(r.Provider, &p) != nil {
			continue
		}
		if p.Anthropic.Message != last {
			last, blocks = p.Anthropic.Message, nil
		}
		switch t := p.Anthropic; {
		case t.Redacted != "":
			blocks = append(blocks, anthropicBlock{Type: "redacted_thinking", Data: t.Redacted})
		case t.Signature != "":
			blocks = append(blocks, anthropicBlock{Type: "thinking", Thinking: &r.Text, Signature: t.Signature})
		}
	}
	return blocks
}

// anthropicBlocks is a message's content, its thoughts first where they are wanted.
func anthropicBlocks(m Message, thinking bool) []anthropicBlock {
	var blocks []anthropicBlock
	if thinking {
		blocks = thoughts(m)
	}
	only := len(blocks)
	for _, c := range m.Content {
		switch c := c.(type) {
		case Text:
			blocks = append(blocks, textBlocks(c.Text)...)
		case Image:
			blocks = append(blocks, anthropicBlock{Type: "image", Source: &anthropicSource{"base64", c.Media, c.Data}})
		case ToolCall:
			blocks = append(blocks, anthropicBlock{Type: "tool_use", ID: anthropicID(c.ID), Name: c.Name, Input: json.RawMessage(orEmptyObject(c.Input))})
		case ToolResult:
			blocks = append(blocks, anthropicBlock{Type: "tool_result", ToolUseID: anthropicID(c.ID), Content: outputText(c.Output)})
		}
	}
	if len(blocks) == only {
		return nil // thoughts alone are no message
	}
	return blocks
}

// anthropicID is a call's id in the letters that the API takes. Another provider may
// have given it.
func anthropicID(id string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '_', r == '-', '0' <= r && r <= '9', 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
			return r
		}
		return '_'
	}, id)
}
