package model

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tributary-agents/tributary/durable/limit"
)

// The body of a request for chat completions.
type (
	openaiRequest struct {
		Model         string          `json:"model"`
		Stream        bool            `json:"stream"`
		StreamOptions openaiOptions   `json:"stream_options"`
		Messages      []openaiMessage `json:"messages"`
		Tools         []openaiTool    `json:"tools,omitempty"`
		MaxTokens     int             `json:"max_completion_tokens,omitempty"`
		Format        *openaiFormat   `json:"response_format,omitempty"`
	}
	openaiOptions struct {
		IncludeUsage bool `json:"include_usage"`
	}
	openaiMessage struct {
		Role string `json:"role"`
		// Content is text, or a list of parts where there are pictures. It is null only
		// where an assistant did nothing but call tools.
		Content    any          `json:"content"`
		ToolCalls  []openaiCall `json:"tool_calls,omitempty"`
		ToolCallID string       `json:"tool_call_id,omitempty"`
	}
	openaiPart struct {
		Type  string       `json:"type"`
		Text  string       `json:"text,omitempty"`
		Image *openaiImage `json:"image_url,omitempty"`
	}
	openaiImage struct {
		URL string `json:"url"`
	}
	openaiFormat struct {
		Type   string       `json:"type"`
		Schema openaiSchema `json:"json_schema"`
	}
	openaiSchema struct {
		Name   string          `json:"name"`
		Strict bool            `json:"strict"`
		Schema json.RawMessage `json:"schema"`
	}
	openaiCall struct {
		ID       string         `json:"id"`
		Type     string         `json:"type"`
		Function openaiCallBody `json:"function"`
	}
	openaiCallBody struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	openaiTool struct {
		Type     string         `json:"type"`
		Function openaiFunction `json:"function"`
	}
	openaiFunction struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters"`
	}
)

// continueText asks a model to go on with an answer that broke off.
const continueText = "Your answer broke off there. Go on exactly where it stopped, in the middle of a word if need be. " +
	"Repeat nothing of it, and do not mention the interruption."

func (o OpenAI) encode(request Request) ([]byte, error) {
	r := openaiRequest{
		Model: o.Model, Stream: true, StreamOptions: openaiOptions{IncludeUsage: true}, MaxTokens: o.MaxTokens,
		Messages: openaiConversation(request), Tools: openaiTools(request.Tools),
	}
	if len(request.Output) > 0 && !o.Prompted && closedSchema(request.Output) {
		schema := openaiSchema{Name: "answer", Strict: strictSchema(request.Output), Schema: request.Output}
		r.Format = &openaiFormat{Type: "json_schema", Schema: schema}
	}
	return limit.Marshal(r)
}

func openaiConversation(request Request) []openaiMessage {
	list := []openaiMessage{}
	if request.System != "" {
		list = append(list, openaiMessage{Role: "system", Content: request.System})
	}
	for _, m := range request.Messages {
		list = append(list, openaiMessages(m)...)
	}
	if request.Said != "" {
		list = append(list,
			openaiMessage{Role: string(Assistant), Content: request.Said}, openaiMessage{Role: string(User), Content: continueText})
	}
	return list
}

// openaiMessages is one message in the endpoint's form, where every result of
// a tool is a message of its own.
func openaiMessages(m Message) []openaiMessage {
	var text strings.Builder
	var pictures []openaiPart
	var calls []openaiCall
	var results []openaiMessage
	for _, c := range m.Content {
		switch c := c.(type) {
		case Text:
			text.WriteString(c.Text)
		case Image:
			pictures = append(pictures, openaiPart{Type: "image_url", Image: &openaiImage{URL: "data:" + c.Media + ";base64," + c.Data}})
		case ToolCall:
			body := openaiCallBody{Name: c.Name, Arguments: orEmptyObject(c.Input)}
			calls = append(calls, openaiCall{ID: c.ID, Type: "function", Function: body})
		case ToolResult:
			results = append(results, openaiMessage{Role: "tool", ToolCallID: c.ID, Content: outputText(c.Output)})
		}
	}
	said := text.String()
	if said == "" && len(calls) == 0 && m.Role != User {
		return results
	}
	own := openaiMessage{Role: string(m.Role), ToolCalls: calls}
	switch {
	case len(pictures) > 0:
		own.Content = withPictures(said, pictures)
	case said != "" || len(calls) == 0:
		own.Content = said
	}
	return append([]openaiMessage{own}, results...)
}

func withPictures(said string, pictures []openaiPart) []openaiPart {
	if said == "" {
		return pictures
	}
	return append([]openaiPart{{Type: "text", Text: said}}, pictures...)
}

func openaiTools(tools []Tool) []openaiTool {
	var list []openaiTool
	for _, t := range tools {
		list = append(list, openaiTool{Type: "function", Function: openaiFunction{
			Name: t.Name, Description: t.Description, Parameters: schemaOrNone(t.Schema),
		}})
	}
	return list
}

func orEmptyObject(input json.RawMessage) string {
	if len(bytes.TrimSpace(input)) == 0 {
		return "{}"
	}
	return string(input)
}

// outputText is a tool's output as a model reads it: a string as it is, and
// everything else as JSON.
func outputText(output json.RawMessage) string {
	var s string
	if json.Unmarshal(output, &s) == nil {
		return s
	}
	return string(output)
}
