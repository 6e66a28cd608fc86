package agents

import "github.com/tributary-agents/tributary/durable/agent"

// Assistant is the agent that people talk to.
var Assistant = agent.Agent{
	Name: "Assistant",
	Instructions: "You are a helpful assistant. Answer clearly and to the point, in the language of the question. " +
		"Use Markdown where it helps the reader.",
	Methods: map[string]agent.Method{
		"usage": func(call *agent.Call) (any, error) { return call.Usage(), nil },
	},
}
