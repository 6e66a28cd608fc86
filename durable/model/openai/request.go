package openai

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable/model"
)

// These types are the body of a request for chat completions.
type (
	requestBody struct {
		Model         string        `json:"model"`
		Stream        bool          `json:"stream"`
		StreamOptions streamOptions `json:"stream_options"`
		Messages      []message     `json:"messages"`
		Tools         []tool        `json:"tools,omitempty"`
		MaxTokens     int           `json:"max_completion_tokens,omitempty"`
		OldMaxTokens  int           `json:"max_tokens,omitempty"`
		Format        *format       `json:"response_format,omitempty"`
	}
	streamOptions struct {
		IncludeUsage bool `json:"include_usage"`
	}
	message struct {
		Role string `json:"role"`
		// Content is a text, or a list of parts if there are pictures. It is null only if the assistant
		// did nothing but call tools.
		Content    any        `json:"content"`
		ToolCalls  []toolCall `json:"tool_calls,omitempty"`
		ToolCallID string     `json:"tool_call_id,omitempty"`
		thoughtTexts
		answerData
	}
	part struct {
		Type  string `json:"type"`
		Text  string `json:"text,omitempty"`
		Image *image `json:"image_url,omitempty"`
	}
	image struct {
		URL string `json:"url"`
	}
	format struct {
		Type   string `json:"type"`
		Schema schema `json:"json_schema"`
	}
	schema struct {
		Name   string          `json:"name"`
		Strict bool            `json:"strict"`
		Schema json.RawMessage `json:"schema"`
	}
	toolCall struct {
		ID       string   `json:"id"`
		Type     string   `json:"type"`
		Function callBody `json:"function"`
		callData
	}
	callBody struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	tool struct {
		Type     string   `json:"type"`
		Function function `json:"function"`
	}
	function struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters"`
	}
)

func (m Model) encode(request model.Request) ([]byte, error) {
	r := requestBody{
		Model: m.Model, Stream: true, StreamOptions: streamOptions{IncludeUsage: true}, MaxTokens: m.MaxTokens,
		Messages: conversation(request, asker{model.HostOf(m.URL), m.Model}), Tools: toolsOf(request.Tools),
	}
	if m.OldMaxTokens {
		r.MaxTokens, r.OldMaxTokens = 0, m.MaxTokens
	}
	if len(request.Output) > 0 && !m.Prompted && model.ClosedSchema(request.Output) {
		r.Format = &format{Type: "json_schema", Schema: schema{
			Name: "answer", Strict: model.StrictSchema(request.Output), Schema: request.Output,
		}}
	}
	return model.EncodeRequest(r)
}

func conversation(request model.Request, to asker) []message {
	list := []message{}
	if request.System != "" {
		list = append(list, message{Role: "system", Content: request.System})
	}
	asked := lastAsked(request.Messages)
	for i, m := range request.Messages {
		list = append(list, to.messagesOf(m, i < asked)...)
	}
	if request.Said != "" {
		list = append(list,
			message{Role: string(model.Assistant), Content: request.Said}, message{Role: string(model.User), Content: model.ContinueText})
	}
	to.fill(list)
	return list
}

// lastAsked returns the index of the last message of a person, or 0.
func lastAsked(messages []model.Message) int {
	for i, m := range slices.Backward(messages) {
		if m.Role == model.User {
			return i
		}
	}
	return 0
}

// messagesOf returns one message in the endpoint's form, in which every result of a tool is a
// message of its own. Later says that a person has said something since.
func (a asker) messagesOf(m model.Message, later bool) []message {
	var text strings.Builder
	var pictures []part
	var calls []toolCall
	var results []message
	var kept answerData
	for _, c := range m.Content {
		switch c := c.(type) {
		case model.Text:
			text.WriteString(c.Text)
		case model.Image:
			pictures = append(pictures, part{Type: "image_url", Image: &image{URL: "data:" + c.Media + ";base64," + c.Data}})
		case model.ToolCall:
			body := callBody{Name: c.Name, Arguments: c.InputText()}
			call := toolCall{ID: c.ID, Type: "function", Function: body}
			k := a.signedOf(c.Provider)
			if k.Call != nil {
				call.callData = *k.Call
			}
			if k.Message != nil {
				kept = *k.Message
			}
			calls = append(calls, call)
		case model.ToolResult:
			results = append(results, message{Role: "tool", ToolCallID: c.ID, Content: c.OutputText()})
		}
	}
	said := text.String()
	if said == "" && len(calls) == 0 && m.Role != model.User {
		return results
	}
	own := message{Role: string(m.Role), ToolCalls: calls, thoughtTexts: a.thoughtsOf(m, later), answerData: kept}
	switch {
	case len(pictures) > 0:
		own.Content = withPictures(said, pictures)
	case said != "" || len(calls) == 0:
		own.Content = said
	}
	return append([]message{own}, results...)
}

func withPictures(said string, pictures []part) []part {
	if said == "" {
		return pictures
	}
	return append([]part{{Type: "text", Text: said}}, pictures...)
}

func toolsOf(tools []model.Tool) []tool {
	var list []tool
	for _, t := range tools {
		list = append(list, tool{Type: "function", Function: function{
			Name: t.Name, Description: t.Description, Parameters: t.InputSchema(),
		}})
	}
	return list
}
