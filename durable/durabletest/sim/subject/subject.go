// Package subject is the agents that are simulated: the shipped ones on odd seeds and, on even
// seeds, agents that have what those lack.
package subject

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/sim"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/turn"
)

// Native returns the subject of seeds that run natively. Worlds reuse its storage.
func Native() sim.Subject {
	pool := &durabletest.Pool{}
	return sim.Subject{Root: agents.Assistant.Name, MethodCalls: methodCalls, Engine: func(seed uint32) durabletest.Inspector {
		n := durabletest.NewNative(seed, classes(seed)...)
		n.Draw(pool)
		return n
	}}
}

// policies are what roots do with messages that arrive during a turn.
var policies = []turn.Policy{turn.Queue, turn.Latest, turn.Merge, turn.Drop, turn.Debounce}

// methodCalls returns what the people of a seed call methods for, or nil if they call none.
func methodCalls(seed uint32) *contract.MethodCalls {
	if seed%2 == 1 {
		return nil
	}
	e := &contract.MethodCalls{Policy: string(policies[seed/2%uint32(len(policies))]), Servers: seed/2%8 == 0}
	e.TellCode = e.Servers && seed/16%3 == 2
	if seed/2%3 == 0 {
		e.History = 400 // tokens, so that the model is told only a small part of a conversation
	}
	return e
}

func classes(seed uint32) []durable.Class {
	e := methodCalls(seed)
	if e == nil {
		return agents.Classes()
	}
	scout := scout(deputy(seed))
	root := busy(turn.Policy(e.Policy), scout)
	root.History = e.History
	if seed/2%4 == 1 {
		root.Runs = run.Limits{Concurrent: 2, Queued: 100} // so that runs wait for each other
	}
	if e.Servers {
		approve := map[bool]func(agent.MCPTool, json.RawMessage) bool{true: agent.ApproveWrites}[seed/16%2 == 1]
		root = connected(root, approve, e.TellCode)
		list := append(classesBelow(scout), chat.Class(root, agents.Providers...))
		for _, helper := range []agent.Agent{envoy, delegate, aide, attache} {
			list = append(list, chat.Class(helper, agents.Providers...))
		}
		return list
	}
	return append(classesBelow(scout), chat.Class(root, agents.Providers...))
}

// classesBelow are the helpers that every such root may have.
func classesBelow(scout agent.Agent) []durable.Class {
	return []durable.Class{chat.Class(agents.Researcher, agents.Providers...), chat.Class(agents.Planner, agents.Providers...), chat.Class(scout, agents.Providers...), chat.Class(clerk, agents.Providers...), chat.Class(courier, agents.Providers...)}
}

// deputy returns the helper of a scout. A planner sometimes asks a person.
func deputy(seed uint32) agent.Agent {
	if seed/2%4 == 2 {
		return agents.Planner
	}
	return agents.Researcher
}
