package openai

import (
	"strings"

	"github.com/tributary-agents/tributary/durable/model"
)

// WorkersAIProvider is "workers-ai": the platform's models, through the binding "AI" of the Worker.
var WorkersAIProvider = model.Provider{Name: "workers-ai", Open: openWorkersAI}

const (
	// usualWorkersTokens is the limit of an answer if none is set. Workers AI's own limit is a few
	// sentences.
	usualWorkersTokens = 4_096
	// usualBinding is the usual name of the binding.
	usualBinding = "AI"
)

func openWorkersAI(s model.Settings) (model.Model, error) {
	const example = "@cf/meta/llama-3.3-70b-instruct-fp8-fast"
	name, err := s.Name(example)
	if err != nil {
		return nil, err
	}
	if !strings.Contains(name, "/") {
		return nil, model.Misconfiguredf(`%s is "%s"; Workers AI names its models like %s`, model.VarName, model.Truncate(name, 60), example)
	}
	tokens, err := s.MaxTokens(usualWorkersTokens)
	if err != nil {
		return nil, err
	}
	prompted, err := s.Prompted()
	return WorkersAI{Binding: usualBinding, Model: name, MaxTokens: tokens, Prompted: prompted}, err
}
