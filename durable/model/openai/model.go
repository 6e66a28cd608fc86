// Package openai is the provider for any endpoint that speaks OpenAI's streamed chat
// completions (https://platform.openai.com/docs/api-reference/chat), and for Workers AI,
// whose models speak the same over a binding of the Worker
// (https://developers.cloudflare.com/workers-ai).
package openai

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/model"
)

// Model is a model behind an endpoint that speaks OpenAI's chat completions,
// streamed as server-sent events.
type Model struct {
	// Model is the name under which the endpoint knows the model.
	URL string
	// Model is the model's name as the endpoint knows it.
	Model string
	// Secret names the secret that is sent as the bearer token. If it is "", no token is sent; local
	// servers need none.
	Secret string
	// MaxTokens is the limit of one answer, or 0 for none.
	MaxTokens int
	// Prompted says that an answer's schema is only in the instructions, for servers that cannot make
	// a model keep to one.
	Prompted bool
}

// Name returns the name under which the endpoint knows the model.
func (m Model) Name() string { return m.Model }

// Begin adds one [durable.Fetch] with the name id.
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
	return model.NewAnswer(tx, fetch, from, &answer{origin: from, calls: model.NewToolCallList(request)}), nil
}
