package openai

import "github.com/tributary-agents/tributary/durable/model"

// Provider is "openai": OpenAI itself, or the endpoint that the deployment names.
var Provider = model.Provider{Name: "openai", Open: open}

// baseURL is OpenAI's address, for a deployment without [model.VarBaseURL].
const baseURL = "https://api.openai.com/v1"

func open(s model.Settings) (model.Model, error) {
	name, err := s.Name("gpt-4.1-mini")
	if err != nil {
		return nil, err
	}
	address, secret, err := s.Endpoint("OpenAI", baseURL, "chat/completions")
	if err != nil {
		return nil, err
	}
	tokens, err := s.MaxTokens(0)
	if err != nil {
		return nil, err
	}
	field, err := s.MaxTokensField(address)
	if err != nil {
		return nil, err
	}
	prompted, err := s.Prompted()
	return Model{URL: address, Model: name, Secret: secret, MaxTokens: tokens, OldMaxTokens: tokens > 0 && field == model.FieldMaxTokens, Prompted: prompted}, err
}
