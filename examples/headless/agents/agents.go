// Package agents has the agents of this project. Start here: change an agent, or write one in a file
// of its own and list it in [Classes].
package agents

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/model/anthropic"
	"github.com/tributary-agents/tributary/durable/model/demo"
	"github.com/tributary-agents/tributary/durable/model/openai"
)

// Providers are the models that the variable MODEL_PROVIDER chooses from; .dev.vars.example lists
// the variables. The first is the default. It is the demo model, which needs neither a key nor a
// network.
var Providers = model.Providers{demo.Provider, openai.Provider, anthropic.Provider, openai.WorkersAIProvider}

// Classes returns the classes of the agents. People talk to the Assistant, and the Assistant puts
// Researchers to work.
func Classes() []durable.Class {
	return []durable.Class{
		chat.Class(Assistant, Providers...),
		chat.Class(Researcher, Providers...),
	}
}
