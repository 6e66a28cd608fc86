package anthropic

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/model"
)

// These types are the body of a request for a message.
type (
	requestBody struct {
		Model     string        `json:"model"`
		MaxTokens int           `json:"max_tokens"`
		Stream    bool          `json:"stream"`
		System    string        `json:"system,omitempty"`
		Messages  []message     `json:"messages"`
		Tools     []tool        `json:"tools,omitempty"`
		Thinking  *thinkingMode `json:"thinking,omitempty"`
		Output    *outputConfig `json:"output_config,omitempty"`
	}
	message struct {
		Role    string  `json:"role"`
		Content []block `json:"content"`
	}
	tool struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Schema      json.RawMessage `json:"input_schema"`
	}
	thinkingMode struct {
		Type   string `json:"type"`
		Budget int    `json:"budget_tokens,omitempty"`
		// Display asks for readable thoughts, which newer models do not send otherwise.
		Display string `json:"display,omitempty"`
	}
	outputConfig struct {
		Format format `json:"format"`
	}
	format struct {
		Type   string          `json:"type"`
		Schema json.RawMessage `json:"schema"`
	}
)

const (
	// goOnText is appended if a conversation ends with the model's own text: the API requires that the
	// last message is the user's.
	goOnText = "Go on."
	// openingText is prepended if a conversation begins with the model's own text: the API requires
	// that the first message is the user's.
	openingText = "(What came before is not shown.)"
)

func (m Model) encode(request model.Request) ([]byte, error) {
	loop := loopOf(request.Messages)
	r := requestBody{
		Model: m.Model, MaxTokens: m.MaxTokens, Stream: true, System: request.System,
		Messages: messagesOf(request, m.thoughts(request.Messages, loop)), Tools: toolsOf(request.Tools),
	}
	if m.Thinking.on() && m.mayThink(request.Messages[loop:]) {
		r.Thinking = m.Thinking.encode()
	}
	if len(request.Output) > 0 && !m.Prompted && model.ClosedSchema(request.Output) {
		r.Output = &outputConfig{Format: format{Type: "json_schema", Schema: request.Output}}
	}
	return model.EncodeRequest(r)
}

func (t Thinking) encode() *thinkingMode {
	if t.Adaptive {
		return &thinkingMode{Type: "adaptive", Display: "summarized"}
	}
	return &thinkingMode{Type: "enabled", Budget: t.Budget}
}

// loopOf returns the index of the first message after the user's last one. The steps from there on
// belong to one line of reasoning.
func loopOf(messages []model.Message) int {
	for i, m := range slices.Backward(messages) {
		if m.Role == model.User {
			return i + 1
		}
	}
	return 0
}

// mayThink says whether the model may think. The API refuses that if a step with calls has no
// thoughts, for example because another model has made it.
func (m Model) mayThink(loop []model.Message) bool {
	for _, step := range loop {
		if hasCalls(step) && len(thoughts(step, model.HostOf(m.URL), true)) == 0 {
			return false
		}
	}
	return true
}

func hasCalls(m model.Message) bool {
	return slices.ContainsFunc(m.Content, func(c model.Content) bool { _, ok := c.(model.ToolCall); return ok })
}

// noThought is the text of a thought that is not known, for a server that refuses calls without one.
const noThought = " "

// thoughts returns the blocks of each message's thoughts that the server wants back. Thoughts with a
// signature are those of the loop. A server that sends thoughts without one wants them back from then
// on, with everything that the model has called: https://api-docs.deepseek.com/guides/thinking_mode.
func (m Model) thoughts(messages []model.Message, loop int) [][]block {
	all := make([][]block, len(messages))
	plain := false
	for i, said := range messages {
		all[i] = thoughts(said, model.HostOf(m.URL), i >= loop)
		plain = plain || slices.ContainsFunc(all[i], func(b block) bool { return b.Type == "thinking" && b.Signature == "" })
	}
	for i, said := range messages {
		if text := noThought; plain && len(all[i]) == 0 && hasCalls(said) {
			all[i] = []block{{Type: "thinking", Thinking: &text}}
		}
	}
	return all
}

func messagesOf(request model.Request, thoughts [][]block) []message {
	list := []message{}
	add := func(role model.Role, blocks ...block) {
		if len(blocks) == 0 {
			return
		}
		if len(list) == 0 && role == model.Assistant {
			list = append(list, message{string(model.User), textBlocks(openingText)})
		}
		list = append(list, message{string(role), blocks})
	}
	for i, m := range request.Messages {
		role := m.Role
		if role == model.ToolRole {
			role = model.User
		}
		add(role, blocksOf(m, thoughts[i])...)
	}
	if said := textBlocks(request.Said); len(said) > 0 {
		add(model.Assistant, said...)
		add(model.User, textBlocks(model.ContinueText)...)
	}
	if len(list) == 0 || list[len(list)-1].Role == string(model.Assistant) {
		list = append(list, message{string(model.User), textBlocks(goOnText)})
	}
	return list
}

func toolsOf(tools []model.Tool) []tool {
	var list []tool
	for _, t := range tools {
		list = append(list, tool{Name: t.Name, Description: t.Description, Schema: t.InputSchema()})
	}
	return list
}

// textBlocks returns the blocks of a text. An empty text has none.
func textBlocks(text string) []block {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	return []block{{Type: "text", Text: text}}
}
