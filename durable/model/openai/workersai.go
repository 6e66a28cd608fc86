package openai

import (
	"bytes"
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/model"
)

// WorkersAI is one of the platform's models, reached through a binding of the Worker.
type WorkersAI struct {
	// Binding is the binding's name.
	Binding string
	// Model is the model's name, such as @cf/meta/llama-3.3-70b-instruct-fp8-fast.
	Model string
	// MaxTokens is the maximum length of one answer in tokens.
	MaxTokens int
	// Prompted says that a model is restricted to a schema only by its instructions.
	Prompted bool
}

// workersRequest is the input on which a model of the platform is run. The models that speak
// OpenAI's chat completions and the older ones accept the same input.
type workersRequest struct {
	Messages  []message      `json:"messages"`
	Tools     []tool         `json:"tools,omitempty"`
	MaxTokens int            `json:"max_tokens,omitempty"`
	Stream    bool           `json:"stream"`
	Format    *workersFormat `json:"response_format,omitempty"`
}

type workersFormat struct {
	Type   string          `json:"type"`
	Schema json.RawMessage `json:"json_schema"`
}

// Name returns the model's name.
func (w WorkersAI) Name() string { return w.Model }

// Begin starts a [durable.Fetch] to the binding, with the name id.
func (w WorkersAI) Begin(tx *durable.Tx, id string, request model.Request) (model.Answer, error) {
	body, err := w.encode(request)
	if err != nil {
		return nil, err
	}
	header := []durable.Header{{Name: "Content-Type", Value: "application/json"}}
	fetch := durable.Fetch{Fetch: id, Method: "POST", URL: durable.BindingURL(w.Binding, w.Model), Header: header, Body: body}
	from := model.Origin{Binding: w.Binding}
	return model.NewAnswer(tx, fetch, from, &workersAnswer{answer{origin: from, model: w.Model, calls: model.NewToolCallList(request)}}), nil
}

// encode returns a request's JSON. The platform does not stream an answer that must fit a schema,
// and such a model cannot call tools. If there are tools, the schema is only in the instructions.
func (w WorkersAI) encode(request model.Request) ([]byte, error) {
	r := workersRequest{Messages: conversation(request, asker{}), Tools: toolsOf(request.Tools), MaxTokens: w.MaxTokens, Stream: true}
	for i, m := range r.Messages {
		if m.Content == nil {
			r.Messages[i].Content = "" // models of before refuse null
		}
	}
	if len(request.Output) > 0 && len(request.Tools) == 0 && !w.Prompted && model.ClosedSchema(request.Output) {
		r.Stream, r.Format = false, &workersFormat{Type: "json_schema", Schema: request.Output}
	}
	return model.EncodeRequest(r)
}

// workersAnswer reads an answer of the platform, in OpenAI's chunks or in the older form. In the
// older form only [DONE] says that the answer has ended.
type workersAnswer struct{ answer }

func (a *workersAnswer) Event(tx *durable.Tx, data []byte) ([]model.Delta, error) {
	if a.finish == "" && string(bytes.TrimSpace(data)) == "[DONE]" {
		a.finish = string(model.Stop)
	}
	return a.answer.Event(tx, data)
}

func (a *workersAnswer) Whole(tx *durable.Tx, body []byte) ([]model.Delta, error) {
	deltas, err := a.answer.Whole(tx, body)
	if err == nil && a.finish == "" && len(deltas) > 0 {
		a.finish = string(model.Stop)
	}
	return deltas, err
}
