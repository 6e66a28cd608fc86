// Package agents is the application that Tributary ships. Start here: change an
// agent, or add one and list it in [Classes].
package agents

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/model/anthropic"
	"github.com/tributary-agents/tributary/durable/model/demo"
	"github.com/tributary-agents/tributary/durable/model/openai"
)

// Providers are the models that a deployment can choose from with MODEL_PROVIDER. The first is the
// default. The module contains only the listed providers.
var Providers = model.Providers{demo.Provider, openai.Provider, anthropic.Provider, openai.WorkersAIProvider}

// Classes returns the classes that the module serves.
func Classes() []durable.Class {
	return []durable.Class{chat.Class(Assistant, Providers...), chat.Class(Researcher, Providers...), chat.Class(Planner, Providers...), chat.Class(Reporter, Providers...)}
}
