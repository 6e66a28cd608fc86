package model

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/limit"
)

// The body of a request for a message.
type (
	anthropicRequest struct {
		Model     string             `json:"model"`
		MaxTokens int                `json:"max_tokens"`
		Stream    bool               `json:"stream"`
		System    string             `json:"system,omitempty"`
		Messages  []anthropicMessage `json:"messages"`
		Tools     []anthropicTool    `json:"tools,omitempty"`
		Thinking  *anthropicThinking `json:"thinking,omitempty"`
		Output    *anthropicOutput   `json:"output_config,omitempty"`
	}
	anthropicMessage struct {
		Role    string           `json:"role"`
		Content []anthropicBlock `json:"content"`
	}
	anthropicTool struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Schema      json.RawMessage `json:"input_schema"`
	}
	anthropicThinking struct {
		Type   string `json:"type"`
		Budget int    `json:"budget_tokens,omitempty"`
		// Display asks for thoughts that can be read, which newer models leave out.
		Display string `json:"display,omitempty"`
	}
	anthropicOutput struct {
		Format anthropicFormat `json:"format"`
	}
	anthropicFormat struct {
		Type   string          `json:"type"`
		Schema json.RawMessage `json:"schema"`
	}
)

const (
	// goOnText follows where a conversation ends in the model's own words: the API has
	// the user speak last.
	goOnText = "Go on."
	// openingText begins a conversation whose beginning is the model's own words: the
	// API has the user speak first.
	openingText = "(What came before is not shown.)"
)

func (a Anthropic) encode(request Request) ([]byte, error) {
	loop := loopOf(request.Messages)
	r := anthropicRequest{
		Model: a.Model, MaxTokens: a.MaxTokens, Stream: true, System: request.System,
		Messages: anthropicMessages(request, loop), Tools: anthropicTools(request.Tools),
	}
	if a.Thinking.on() && mayThink(request.Messages[loop:]) {
		r.Thinking = a.Thinking.encode()
	}
	if len(request.Output) > 0 && !a.Prompted && closedSchema(request.Output) {
		r.Output = &anthropicOutput{Format: anthropicFormat{Type: "json_schema", Schema: request.Output}}
	}
	return limit.Marshal(r)
}

func (t Thinking) encode() *anthropicThinking {
	if t.Adaptive {
		return &anthropicThinking{Type: "adaptive", Display: "summarized"}
	}
	return &anthropicThinking{Type: "enabled", Budget: t.Budget}
}

// loopOf returns where the messages behind the user's last one begin: steps that are
// still in one train of thought.
func loopOf(messages []Message) int {
	for i, m := range slices.Backward(messages) {
		if m.Role == User {
			return i + 1
		}
	}
	return 0
}

// mayThink says whether the model may go on to think. The API refuses that where a step
// with calls has lost its thoughts, as when another model had made it.
func mayThink(loop []Message) bool {
	for _, m := range loop {
		calls := slices.ContainsFunc(m.Content, func(c Content) bool { _, ok := c.(ToolCall); return ok })
		if calls && len(thoughts(m)) == 0 {
			return false
		}
	}
	return true
}

func anthropicMessages(request Request, loop int) []anthropicMessage {
	list := []anthropicMessage{}
	add := func(role Role, blocks ...anthropicBlock) {
		if len(blocks) == 0 {
			return
		}
		if len(list) == 0 && role == Assistant {
			list = append(list, anthropicMessage{string(User), textBlocks(openingText)})
		}
		list = append(list, anthropicMessage{string(role), blocks})
	}
	for i, m := range request.Messages {
		role := m.Role
		if role == ToolRole {
			role = User
		}
		add(role, anthropicBlocks(m, i >= loop)...)
	}
	if said := textBlocks(request.Said); len(said) > 0 {
		add(Assistant, said...)
		add(User, textBlocks(continueText)...)
	}
	if len(list) == 0 || list[len(list)-1].Role == string(Assistant) {
		list = append(list, anthropicMessage{string(User), textBlocks(goOnText)})
	}
	return list
}

func anthropicTools(tools []Tool) []anthropicTool {
	var list []anthropicTool
	for _, t := range tools {
		list = append(list, anthropicTool{Name: t.Name, Description: t.Description, Schema: schemaOrNone(t.Schema)})
	}
	return list
}

// textBlocks is a text as the API takes it: none where there is nothing to read.
func textBlocks(text string) []anthropicBlock {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return []anthropicBlock{{Type: "text", Text: text}}
}
