package chat_test

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/model/anthropic"
	"github.com/tributary-agents/tributary/durable/model/demo"
	"github.com/tributary-agents/tributary/durable/model/openai"
)

// An application registers a class for each of its agents. Its main does so before the module is
// asked for anything:
//
//	func init() { guest.Serve(classes...) }
//
//	func main() {}
//
// A deployment chooses one of the providers with the variable MODEL_PROVIDER. The first is the
// default.
func ExampleClass() {
	providers := model.Providers{anthropic.Provider, openai.Provider, demo.Provider}
	poet := agent.Agent{Name: "Poet", Helper: true, Instructions: "You write short poems."}
	assistant := agent.Agent{
		Name:         "Assistant",
		Instructions: "You are a helpful assistant.",
		Tools: []agent.Tool{agent.AgentTool[struct {
			About string `json:"about"`
		}](poet, "poem", "Has a poet write a poem.")},
	}
	classes := []durable.Class{chat.Class(assistant, providers...), chat.Class(poet, providers...)}
	for _, class := range classes {
		fmt.Println(class.Name, class.Helper)
	}
	// Output:
	// Assistant false
	// Poet true
}
