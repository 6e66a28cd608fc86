// Package chattest has the classes that the scripts of package chat run on, natively and in a
// module of their own under every host.
package chattest

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat"
)

// Suite is a folder of scripts and the classes that they run on.
type Suite struct {
	// Folder is a path below durable/chat. All of its scripts are run.
	Folder string
	// Shared says that the scripts hold only if all objects share one instance.
	Shared bool
	// Agents are the agents of the suite. The first is that of the root.
	Agents []agent.Agent
}

// Suites returns all suites. The agents of a new suite are added here, and its scripts run
// everywhere.
func Suites() []Suite {
	return []Suite{
		{Folder: "testdata", Agents: []agent.Agent{Subject}},
		{Folder: "testdata/tool", Agents: []agent.Agent{worker}},
		{Folder: "testdata/helper", Agents: []agent.Agent{boss, helper}},
		{Folder: "testdata/trap", Agents: []agent.Agent{boss, helper}, Shared: true},
		{Folder: "testdata/ask", Agents: []agent.Agent{asker, careful}},
		{Folder: "testdata/question", Agents: []agent.Agent{inquirer, surveyor}},
		{Folder: "testdata/run", Agents: []agent.Agent{chief, helper, careful, sleeper, parrot, searcher, cheap, boss, regretful}},
		{Folder: "testdata/nest", Agents: []agent.Agent{chief, middle, searcher, sleeper, parrot, careful}},
		{Folder: "testdata/program", Agents: []agent.Agent{chief, counter, searcher, sleeper}},
		{Folder: "testdata/report", Agents: []agent.Agent{overseer, reporter}},
		{Folder: "testdata/detached", Agents: []agent.Agent{overseer, reporter, walking, middle, careful}},
		{Folder: "testdata/origin", Agents: []agent.Agent{harbour, mate, pilot, reporter}},
		{Folder: "testdata/origin_trap", Agents: []agent.Agent{harbour, mate, pilot, reporter}, Shared: true},
		{Folder: "testdata/schedule", Agents: []agent.Agent{diary, minder, between, reporter}},
		{Folder: "testdata/waken", Agents: []agent.Agent{diary, minder}, Shared: true},
		{Folder: "testdata/keep", Agents: []agent.Agent{forgetful, parrot, counter}},
		{Folder: "testdata/budget", Agents: []agent.Agent{miser, helper, searcher}},
		{Folder: "testdata/flow", Agents: []agent.Agent{walker, walking, helper}},
		{Folder: "testdata/signal", Agents: []agent.Agent{postmaster, receiver, relay}},
		{Folder: "testdata/code", Agents: []agent.Agent{coder, codingHelper}},
		{Folder: "testdata/mcp", Agents: []agent.Agent{librarian}},
		{Folder: "testdata/output", Agents: []agent.Agent{strict}},
		{Folder: "testdata/hook", Agents: []agent.Agent{hooked}},
		{Folder: "testdata/history", Agents: []agent.Agent{historian, collector}},
		{Folder: "testdata/submission", Agents: []agent.Agent{clerk}},
		{Folder: "testdata/latest", Agents: []agent.Agent{latest}},
		{Folder: "testdata/merge", Agents: []agent.Agent{merging}},
		{Folder: "testdata/drop", Agents: []agent.Agent{dropping}},
		{Folder: "testdata/debounce", Agents: []agent.Agent{debouncing}},
	}
}

// Root is the class of the object that scripts address.
func (s Suite) Root() string { return s.Agents[0].Name }

// Classes returns the classes of all suites.
func Classes() []durable.Class {
	var classes []durable.Class
	for _, s := range Suites() {
		for _, a := range s.Agents {
			classes = append(classes, Class(a))
		}
	}
	return classes
}

// Class returns the class of an agent, whose models are those of [Providers].
func Class(a agent.Agent) durable.Class { return chat.Class(a, Providers...) }
