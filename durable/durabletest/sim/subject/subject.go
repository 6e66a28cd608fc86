// Package subject has what is simulated: the shipped agents, and on every second seed agents
// that have besides what those lack.
package subject

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/sim"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/contract"
)

// Native is what seeds run on natively, on storage that is used again and again.
func Native() sim.Subject {
	pool := &durabletest.Pool{}
	return sim.Subject{Root: agents.Assistant.Name, MethodCalls: methodCalls, Engine: func(seed uint32) durabletest.Inspector {
		n := durabletest.NewNative(seed, classes(seed)...)
		n.Draw(pool)
		return n
	}}
}

// policies are what the agents of some seeds do with messages that come during a turn.
var policies = []agent.Policy{agent.Queue, agent.Latest, agent.Merge, agent.Drop, agent.Debounce}

// methodCalls says what people do on a seed that no button of the page does.
func methodCalls(seed uint32) *contract.MethodCalls {
	if seed%2 == 1 {
		return nil
	}
	e := &contract.MethodCalls{Policy: string(policies[seed/2%uint32(len(policies))])}
	if seed/2%3 == 0 {
		e.History = 400 // tokens, so that most of a conversation is left out
	}
	return e
}

func classes(seed uint32) []durable.Class {
	e := methodCalls(seed)
	if e == nil {
		return agents.Classes()
	}
	scout := scout(deputy(seed))
	root := busy(agent.Policy(e.Policy), scout)
	root.History = e.History
	if seed/2%4 == 1 {
		root.Runs = agent.Limits{Concurrent: 2, Queued: 100} // so that runs wait for each other
	}
	return []durable.Class{root.Class(agents.Providers...), agents.Researcher.Class(agents.Providers...), agents.Planner.Class(agents.Providers...), scout.Class(agents.Providers...)}
}

// deputy is whom a scout has look into something. A planner asks a person now and then.
func deputy(seed uint32) agent.Agent {
	if seed/2%4 == 2 {
		return agents.Planner
	}
	return agents.Researcher
}
