// Package agents has the agents of the tests beside this folder: one with everything that the conformance
// suite of the Model Context Protocol wants a server to have, and others that use servers.
package agents

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/model/demo"
)

// Classes returns the classes of the agents.
func Classes() []durable.Class {
	return append([]durable.Class{chat.Class(Everything, demo.Provider)}, guests()...)
}

// Everything is exposed to other programs.
var Everything = agent.Agent{
	Name:  "Everything",
	Tools: tools,
	Expose: &agent.Expose{
		Tools: names(tools), Chat: true, Version: "1.0.0",
		Tasks:     []string{"slow_compute", "confirm_delete", "multi_input", "protocol_error_job"},
		OnlyTasks: []string{"failing_job", "test_tool_with_task"},
		Prompts:   prompts, Resources: true, Documents: documents,
		Withhold: func(c *agent.Conversation, tool string) bool {
			return tool == "sometimes" && string(c.State()) == withheld
		},
	},
	Callbacks: map[string]agent.Callback{"toggle": toggle},
}

// withheld is the state in which the tool sometimes is not offered.
const withheld = `"withheld"`

func toggle(c *agent.Conversation, _ agent.Scheduled) error {
	if string(c.State()) == withheld {
		return c.SetState("offered")
	}
	return c.SetState("withheld")
}

func names(tools []agent.Tool) (list []string) {
	for _, t := range tools {
		list = append(list, t.Name)
	}
	return list
}
