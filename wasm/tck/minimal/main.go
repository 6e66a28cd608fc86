// Command minimal is the module of the smallest application: one agent on one model, without helpers
// and without tools. A test holds its size to a budget.
package main

import (
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/model/openai"
	"github.com/tributary-agents/tributary/wasm/guest"
)

func init() {
	assistant := agent.Agent{Name: "Assistant", Instructions: "You are a helpful assistant."}
	guest.Serve(chat.Class(assistant, openai.Provider))
}

func main() {}
