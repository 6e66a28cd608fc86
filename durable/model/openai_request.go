package model

import (
	"bytes"
	"encoding/json"
	"strings"
)

// The body of a request for chat completions.
type (
	openaiRequest struct {
		Model         string          `json:"model"`
		Stream        bool            `json:"stream"`
		StreamOptions openaiOptions   `json:"stream_options"`
		Messages      []openaiMessage `json:"messages"`
		Tools         []openaiTool    `json:"tools,omitempty"`
	}
	openaiOptions struct {
		IncludeUsage bool `json:"include_usage"`
	}
	openaiMessage struct {
		Role string `json:"role"`
		// Content is null only where an assistant did nothing but call tools.
		Content    *string      `json:"content"`
		ToolCalls  []openaiCall `json:"tool_calls,omitempty"`
		ToolCallID string       `json:"tool_call_id,omitempty"`
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

func encodeRequest(model string, request Request) ([]byte, error) {
	r := openaiRequest{
		Model: model, Stream: true, StreamOptions: openaiOptions{IncludeUsage: true},
		Messages: []openaiMessage{}, Tools: openaiTools(request.Tools),
	}
	if request.System != "" {
		r.Messages = append(r.Messages, openaiMessage{Role: "system", Content: &request.System})
	}
	for _, m := range request.Messages {
		r.Messages = append(r.Messages, openaiMessages(m)...)
	}
	if request.Said != "" {
		goOn := continueText
		r.Messages = append(r.Messages,
			openaiMessage{Role: string(Assistant), Content: &request.Said}, openaiMessage{Role: string(User), Content: &goOn})
	}
	var body bytes.Buffer
	e := json.NewEncoder(&body)
	e.SetEscapeHTML(false)
	if err := e.Encode(r); err != nil {
		return nil, err
	}
	return bytes.TrimRight(body.Bytes(), "\n"), nil
}

// openaiMessages is one message in the endpoint's form, where every result of
// a tool is a message of its own.
func openaiMessages(m Message) []openaiMessage {
	var text strings.Builder
	var calls []openaiCall
	var results []openaiMessage
	for _, c := range m.Content {
		switch c := c.(type) {
		case Text:
			text.WriteString(c.Text)
		case ToolCall:
			body := openaiCallBody{Name: c.Name, Arguments: orEmptyObject(c.Input)}
			calls = append(calls, openaiCall{ID: c.ID, Type: "function", Function: body})
		case ToolResult:
			output := outputText(c.Output)
			results = append(results, openaiMessage{Role: "tool", ToolCallID: c.ID, Content: &output})
		}
	}
	said := text.String()
	if said == "" && len(calls) == 0 && m.Role != User {
		return results
	}
	own := openaiMessage{Role: string(m.Role), ToolCalls: calls}
	if said != "" || len(calls) == 0 {
		own.Content = &said
	}
	return append([]openaiMessage{own}, results...)
}

func openaiTools(tools []Tool) []openaiTool {
	var list []openaiTool
	for _, t := range tools {
		schema := t.Schema
		if len(schema) == 0 {
			schema = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		list = append(list, openaiTool{Type: "function", Function: openaiFunction{
			Name: t.Name, Description: t.Description, Parameters: schema,
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
