package agents

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/model/demo"
	"github.com/tributary-agents/tributary/e2e/obedient"
)

// guests returns the classes of the agents that use servers, and of one that does not.
func guests() []durable.Class {
	return []durable.Class{
		chat.Class(Visitor, demo.Provider), chat.Class(Warden, demo.Provider), chat.Class(Hermit, demo.Provider), chat.Class(Courier, demo.Provider),
	}
}

// methods are those by which the tests have a turn, and answer its questions.
var methods = map[string]agent.Method{
	"turn": agent.RunTurn, "submit": agent.SubmitTurn, "submission": agent.InspectSubmission, "stop": agent.CancelSubmission,
	"questions": agent.PendingApprovals, "approve": agent.Approve, "deny": agent.Deny,
}

// Visitor uses the servers that the tests add. A question of an older server, which has to be answered at
// once, it answers with what the server proposes.
var Visitor = agent.Agent{
	Name: "Visitor", Model: obedient.Model{}, Methods: methods,
	MCP: &agent.MCP{Editable: true, Elicit: proposed},
}

// Warden asks a person before it calls a tool that may write.
var Warden = agent.Agent{
	Name: "Warden", Model: obedient.Model{}, Methods: methods,
	MCP: &agent.MCP{Editable: true, Approve: agent.ApproveWrites},
}

// Hermit uses no servers.
var Hermit = agent.Agent{Name: "Hermit", Model: obedient.Model{}, Methods: methods}

// proposed answers a form with its defaults.
func proposed(_, _ string, _, defaults json.RawMessage) (json.RawMessage, bool) {
	return defaults, true
}
