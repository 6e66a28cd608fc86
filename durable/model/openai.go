package model

import (
	"strings"

	"github.com/tributary-agents/tributary/durable"
)

// OpenAI is a model behind an endpoint that speaks OpenAI's chat completions,
// streamed as server-sent events.
type OpenAI struct {
	// URL is where requests go, up to and with /chat/completions.
	URL string
	// Model is the model's name as the endpoint knows it.
	Model string
	// Secret names the secret that is sent as the bearer token; "" sends none,
	// as local servers like it.
	Secret string
	// MaxTokens bounds one answer where it is not 0.
	MaxTokens int
	// Prompted says that an answer's schema is left to the instructions, for servers
	// that cannot hold a model to one.
	Prompted bool
}

// Name returns the model's name as the endpoint knows it.
func (o OpenAI) Name() string { return o.Model }

// Begin adds one [durable.Fetch] by the name of id.
func (o OpenAI) Begin(tx *durable.Tx, id string, request Request) (Answer, error) {
	body, err := o.encode(request)
	if err != nil {
		return nil, &Error{Kind: Rejected, Message: "the request to the model cannot be written as JSON: " + err.Error()}
	}
	header := []durable.Header{
		{Name: "Content-Type", Value: "application/json"},
		{Name: "Accept", Value: "text/event-stream"},
	}
	if o.Secret != "" {
		header = append(header, durable.Header{Name: "Authorization", Value: "Bearer ", Secret: o.Secret})
	}
	tx.Do(durable.Fetch{Fetch: id, Method: "POST", URL: o.URL, Header: header, Body: body})
	from := origin{secret: o.Secret}
	return &answer{id: id, origin: from, dialect: &openaiAnswer{origin: from, calls: callList{taken: callIDs(request), take: request.TakeID}}}, nil
}

// callIDs are the tool call ids of the conversation so far. Some servers count
// them from nought in every answer, so that they need to be told apart here.
func callIDs(request Request) map[string]bool {
	ids := map[string]bool{}
	for _, m := range request.Messages {
		for _, c := range m.Content {
			if call, ok := c.(ToolCall); ok {
				ids[call.ID] = true
			}
		}
	}
	for _, id := range request.Used {
		ids[id] = true
	}
	return ids
}

// isMedia says whether a content-type header names the given media type.
func isMedia(contentType, media string) bool {
	name, _, _ := strings.Cut(contentType, ";")
	return strings.EqualFold(strings.TrimSpace(name), media)
}
