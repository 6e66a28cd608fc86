package agents_test

import (
	"testing"

	"github.com/tributary-agents/tributary/durable/chat"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/durabletest/onmodule"
	"github.com/tributary-agents/tributary/durable/durabletest/simtest"
	"github.com/tributary-agents/tributary/durable/run"

	"research/agents"
)

// TestScripts plays each script of testdata natively and on the WebAssembly module that is deployed.
// The model, the search API and all pages are part of the script.
func TestScripts(t *testing.T) {
	onmodule.RunScripts(t, "testdata", agents.Assistant.Name, agents.Classes())
}

// TestBudget plays a script with an Assistant whose turns may make three model calls.
func TestBudget(t *testing.T) {
	frugal := agents.Assistant
	frugal.Budget = run.Budget{ModelCalls: 3}
	durabletest.RunScripts(t, "testdata/budget", frugal.Name, func(*testing.T) durabletest.Engine {
		return durabletest.NewNative(1, chat.Class(frugal, agents.Providers...), chat.Class(agents.Researcher, agents.Providers...))
	})
}

// TestSimulation lets people and a model do whatever they can, in many worlds with trouble of every
// kind. All hosts are listed, so that pages are read without asking.
func TestSimulation(t *testing.T) {
	vars := map[string]string{"RESEARCH_HOSTS": "*", "RESEARCH_SEARCH": "searxng", "RESEARCH_SEARCH_URL": "http://search.test"}
	simtest.Options{Vars: vars}.Run(t, agents.Classes()...)
}
