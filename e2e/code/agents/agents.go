// Package agents has the agents of the tests beside this folder, which put it into a project of its
// own: agents whose model writes code, and the tools that the code calls.
package agents

import (
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/model/demo"
	"github.com/tributary-agents/tributary/durable/model/openai"
)

// Classes returns the classes of the agents.
func Classes() []durable.Class {
	return []durable.Class{
		chat.Class(Assistant, demo.Provider), chat.Class(Novice, openai.Provider), chat.Class(Reader, demo.Provider),
	}
}

// Assistant runs the code that it is told to run. All code may take long, because the tests restart the
// server while it runs, and because some machines are slow.
var Assistant = agent.Agent{
	Name:  "Assistant",
	Tools: append([]agent.Tool{agent.Code().Limits(agent.CodeLimits{Calls: 2000, Time: time.Hour})}, tools...),
	Methods: map[string]agent.Method{
		"submit": agent.SubmitTurn, "submission": agent.InspectSubmission,
		"questions": agent.PendingApprovals, "deny": agent.Deny,
	},
}

// Novice has a model that makes mistakes: a server of the tests. Its code may make large results, and
// as many calls as usual.
var Novice = agent.Agent{
	Name:    "Novice",
	Tools:   append([]agent.Tool{agent.Code(tools...).Limits(agent.CodeLimits{Time: time.Hour, Stretch: 200e6, Work: 1000e6, Memory: 64 << 20})}, tools...),
	Methods: Assistant.Methods,
}

// Reader is a helper that the code puts to work.
var Reader = agent.Agent{Name: "Reader", Helper: true}
