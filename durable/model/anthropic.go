package model

import "github.com/tributary-agents/tributary/durable"

// Anthropic is a model behind an endpoint that speaks Anthropic's Messages,
// streamed as server-sent events.
type Anthropic struct {
	// URL is where requests go, up to and with /messages.
	URL string
	// Model is the model's name as the endpoint knows it.
	Model string
	// Secret names the secret that is sent as the key; "" sends none.
	Secret string
	// MaxTokens bounds one answer, its thinking included.
	MaxTokens int
	// Thinking says how the model thinks before it answers.
	Thinking Thinking
	// Prompted says that an answer's schema is left to the instructions, for models
	// that cannot be held to one.
	Prompted bool
}

// Thinking says how a model thinks before it answers. The zero value is not at all.
type Thinking struct {
	// Adaptive leaves to the model how much it thinks.
	Adaptive bool
	// Budget is how many tokens it may think, or 0.
	Budget int
}

func (t Thinking) on() bool { return t.Adaptive || t.Budget > 0 }

// anthropicVersion is the version of the API, which is older than it looks: what was
// added since is asked for by name.
const anthropicVersion = "2023-06-01"

// Name returns the model's name as the endpoint knows it.
func (a Anthropic) Name() string { return a.Model }

// Begin adds one [durable.Fetch] by the name of id.
func (a Anthropic) Begin(tx *durable.Tx, id string, request Request) (Answer, error) {
	body, err := a.encode(request)
	if err != nil {
		return nil, &Error{Kind: Rejected, Message: "the request to the model cannot be written as JSON: " + err.Error()}
	}
	header := []durable.Header{
		{Name: "Content-Type", Value: "application/json"},
		{Name: "Accept", Value: "text/event-stream"},
		{Name: "Anthropic-Version", Value: anthropicVersion},
	}
	if a.Secret != "" {
		header = append(header, durable.Header{Name: "X-Api-Key", Secret: a.Secret})
	}
	tx.Do(durable.Fetch{Fetch: id, Method: "POST", URL: a.URL, Header: header, Body: body})
	from := origin{secret: a.Secret}
	return &answer{id: id, origin: from, dialect: &anthropicAnswer{origin: from, calls: callList{taken: callIDs(request), take: request.TakeID}}}, nil
}
