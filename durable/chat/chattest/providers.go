package chattest

import (
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/model/anthropic"
	"github.com/tributary-agents/tributary/durable/model/demo"
	"github.com/tributary-agents/tributary/durable/model/openai"
)

// Providers are the models that a script can choose from with the variable MODEL_PROVIDER. The demo
// model is the default.
var Providers = model.Providers{demo.Provider, openai.Provider, anthropic.Provider, openai.WorkersAIProvider}
