package agent_test

import (
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/model/demo"
	openaimodel "github.com/tributary-agents/tributary/durable/model/openai"
)

// providers are the models of the tests. The demo model is the default.
var providers = model.Providers{demo.Provider, openaimodel.Provider}

func init() { chat.DefaultProviders = providers }
