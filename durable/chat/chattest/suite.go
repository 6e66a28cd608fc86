// Package chattest has the classes that the scripts of package chat run on, natively and in a
// module of their own under every host.
package chattest

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/chat"
)

// Suite is a folder of scripts and the classes that they run on.
type Suite struct {
	// Folder is a path below durable/chat. All of its scripts are run.
	Folder string
	// Shared says that the scripts also hold if all objects share one instance.
	Shared bool
	// Agents are the agents of the suite. The first is that of the root.
	Agents []chat.Agent
}

// Suites returns all suites. The agents of a new suite are added here, and its scripts run
// everywhere.
func Suites() []Suite {
	return []Suite{
		{Folder: "testdata", Agents: []chat.Agent{Subject}},
		{Folder: "testdata/tool", Agents: []chat.Agent{worker}},
		{Folder: "testdata/helper", Agents: []chat.Agent{boss, helper}},
		{Folder: "testdata/trap", Agents: []chat.Agent{boss, helper}, Shared: true},
		{Folder: "testdata/ask", Agents: []chat.Agent{asker, careful}},
		{Folder: "testdata/run", Agents: []chat.Agent{chief, helper, careful, sleeper, parrot, searcher, cheap, boss, regretful}},
		{Folder: "testdata/nest", Agents: []chat.Agent{chief, middle, searcher, sleeper, parrot, careful}},
		{Folder: "testdata/program", Agents: []chat.Agent{chief, counter, searcher, sleeper}},
		{Folder: "testdata/report", Agents: []chat.Agent{overseer, reporter}},
		{Folder: "testdata/detached", Agents: []chat.Agent{overseer, reporter, walking, middle, careful}},
		{Folder: "testdata/schedule", Agents: []chat.Agent{diary, minder, between, reporter}},
		{Folder: "testdata/waken", Agents: []chat.Agent{diary, minder}, Shared: true},
		{Folder: "testdata/keep", Agents: []chat.Agent{forgetful, parrot, counter}},
		{Folder: "testdata/budget", Agents: []chat.Agent{miser, helper, searcher}},
		{Folder: "testdata/flow", Agents: []chat.Agent{walker, walking, helper}},
		{Folder: "testdata/output", Agents: []chat.Agent{strict}},
		{Folder: "testdata/hook", Agents: []chat.Agent{hooked}},
		{Folder: "testdata/history", Agents: []chat.Agent{historian, collector}},
		{Folder: "testdata/submission", Agents: []chat.Agent{clerk}},
		{Folder: "testdata/latest", Agents: []chat.Agent{latest}},
		{Folder: "testdata/merge", Agents: []chat.Agent{merging}},
		{Folder: "testdata/drop", Agents: []chat.Agent{dropping}},
		{Folder: "testdata/debounce", Agents: []chat.Agent{debouncing}},
	}
}

// Root is the class of the object that scripts address.
func (s Suite) Root() string { return s.Agents[0].Class }

// Classes returns the classes of all suites.
func Classes() []durable.Class {
	var classes []durable.Class
	for _, s := range Suites() {
		for _, agent := range s.Agents {
			classes = append(classes, Class(agent))
		}
	}
	return classes
}

// Class returns the class of an agent.
func Class(agent chat.Agent) durable.Class {
	return durable.Class{Name: agent.Class, Helper: agent.Helper, New: func() durable.Object { return chat.NewObject(agent) }}
}
