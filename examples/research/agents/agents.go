// Package agents has the agents of a research assistant: people talk to the [Assistant], which puts
// up to five Researchers to work side by side.
package agents

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/model/anthropic"
	"github.com/tributary-agents/tributary/durable/model/demo"
	"github.com/tributary-agents/tributary/durable/model/openai"
)

// Providers are the models that the variable MODEL_PROVIDER chooses from. The first is the default:
// the demo model needs no key, and reads a page whose address is in the question.
var Providers = model.Providers{demo.Provider, openai.Provider, anthropic.Provider, openai.WorkersAIProvider}

// Classes returns the classes of the agents.
func Classes() []durable.Class {
	return []durable.Class{
		chat.Class(Assistant, Providers...),
		chat.Class(Researcher, Providers...),
	}
}
