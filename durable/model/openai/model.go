// Package openai has two providers: one for any endpoint that speaks OpenAI's streamed chat
// completions (https://platform.openai.com/docs/api-reference/chat), and one for Workers AI, whose
// models speak the same over a binding of the Worker
// (https://developers.cloudflare.com/workers-ai).
package openai

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/model"
)

// Model is a model behind an endpoint that speaks OpenAI's chat completions,
// streamed as server-sent events.
type Model struct {
	// URL is the address of requests, including /chat/completions.
	URL string
	// Model is the model's name as the endpoint knows it.
	Model string
	// Secret is the name of the secret that is sent as the bearer token. With "" none is sent;
	// local servers need none.
	Secret string
	// MaxTokens is the maximum length of one answer in tokens, or 0 for no limit.
	MaxTokens int
	// OldMaxTokens says that the server knows the limit as max_tokens, and not as max_completion_tokens.
	OldMaxTokens bool
	// Prompted says that a model is restricted to a schema only by its instructions, for servers
	// that cannot do it.
	Prompted bool
}

// Name returns the name under which the endpoint knows the model.
func (m Model) Name() string { return m.Model }

// Begin starts a [durable.Fetch] with the name id.
func (m Model) Begin(tx *durable.Tx, id string, request model.Request) (model.Answer, error) {
	body, err := m.encode(request)
	if err != nil {
		return nil, err
	}
	header := []durable.Header{
		{Name: "Content-Type", Value: "application/json"},
		{Name: "Accept", Value: "text/event-stream"},
	}
	if m.Secret != "" {
		header = append(header, durable.Header{Name: "Authorization", Value: "Bearer ", Secret: m.Secret})
	}
	fetch := durable.Fetch{Fetch: id, Method: "POST", URL: m.URL, Header: header, Body: body}
	from := model.Origin{Secret: m.Secret}
	return model.NewAnswer(tx, fetch, from, &answer{origin: from, host: model.HostOf(m.URL), model: m.Model, calls: model.NewToolCallList(request)}), nil
}
