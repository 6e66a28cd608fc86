// Package anthropic has a provider for any endpoint that speaks Anthropic's Messages
// (https://docs.anthropic.com/en/api/messages), streamed as server-sent events.
package anthropic

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/model"
)

// Model is a model behind an endpoint that speaks Anthropic's Messages,
// streamed as server-sent events.
type Model struct {
	// URL is the address of requests, including /messages.
	URL string
	// Model is the name under which the endpoint knows the model.
	Model string
	// Secret is the name of the secret that is sent as the key. With "" none is sent.
	Secret string
	// MaxTokens is the maximum length of one answer in tokens, including its thinking.
	MaxTokens int
	// Thinking says how the model thinks before it answers.
	Thinking Thinking
	// Prompted says that a model is restricted to a schema only by its instructions, for models
	// that the API cannot restrict.
	Prompted bool
}

// Thinking says how a model thinks before it answers. With the zero value it does not think.
type Thinking struct {
	// Adaptive lets the model choose how much it thinks.
	Adaptive bool
	// Budget is the maximum number of tokens to think, or 0.
	Budget int
}

func (t Thinking) on() bool { return t.Adaptive || t.Budget > 0 }

// version is the version of the API. It is old, because later features are requested by name.
const version = "2023-06-01"

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
		{Name: "Anthropic-Version", Value: version},
	}
	if m.Secret != "" {
		header = append(header, durable.Header{Name: "X-Api-Key", Secret: m.Secret})
	}
	fetch := durable.Fetch{Fetch: id, Method: "POST", URL: m.URL, Header: header, Body: body}
	from := model.Origin{Secret: m.Secret}
	return model.NewAnswer(tx, fetch, from, &answer{origin: from, host: model.HostOf(m.URL), calls: model.NewToolCallList(request)}), nil
}
