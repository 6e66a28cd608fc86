package anthropic

import (
	"encoding/json"
	"strings"

	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
)

// block is a part of a message, in a request and in an answer.
type block struct {
	Type string `json:"type"`
	Text string `json:"text,omitempty"`
	// Thinking may be empty if there is a signature. The API requires the field even then.
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

// thought is the part of a model's reasoning that the API needs again.
type thought struct {
	Signature string `json:"signature,omitempty"`
	Redacted  string `json:"redactedData,omitempty"`
	// Plain says that the thought came without a signature: DeepSeek and Kimi want it back as it is.
	Plain bool `json:"plain,omitempty"`
	// From is the host that has sent it. Earlier versions have not kept it.
	From string `json:"from,omitempty"`
	// Message is the answer that the thought belongs to. If a step was begun again, only the thoughts
	// of its last answer are used.
	Message string `json:"message,omitempty"`
}

// provided is the form in which chat clients keep metadata of a provider.
type provided struct {
	Anthropic thought `json:"anthropic"`
}

// encode returns the metadata for the end of a thought.
func (t thought) encode() json.RawMessage {
	if t.Signature != "" || t.Redacted != "" {
		t.Plain = false
	} else if !t.Plain {
		return nil
	}
	return limit.MustMarshal(provided{t})
}

// thoughts returns the blocks of a step's reasoning, as the host has sent them. Signed says whether
// those with a signature are among them.
func thoughts(m model.Message, host string, signed bool) []block {
	var blocks []block
	last := ""
	for _, c := range m.Content {
		r, ok := c.(model.Reasoning)
		var p provided
		if !ok || json.Unmarshal(r.Provider, &p) != nil || p.Anthropic.From != "" && p.Anthropic.From != host || !p.Anthropic.Plain && !signed {
			continue
		}
		if p.Anthropic.Message != last {
			last, blocks = p.Anthropic.Message, nil
		}
		switch t := p.Anthropic; {
		case t.Redacted != "":
			blocks = append(blocks, block{Type: "redacted_thinking", Data: t.Redacted})
		case t.Signature != "", t.Plain:
			blocks = append(blocks, block{Type: "thinking", Thinking: &r.Text, Signature: t.Signature})
		}
	}
	return blocks
}

// blocksOf returns the content of a message, behind the blocks of its thoughts.
func blocksOf(m model.Message, thoughts []block) []block {
	blocks := thoughts
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
		return nil // a message cannot consist of reasoning alone.
	}
	return blocks
}

// callID replaces the characters of a call's id that the API does not accept. Another provider may
// have made the id.
func callID(id string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '_', r == '-', '0' <= r && r <= '9', 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
			return r
		}
		return '_'
	}, id)
}
