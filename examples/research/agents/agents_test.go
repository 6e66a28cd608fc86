package agents_test

import (
	"testing"

	"github.com/tributary-agents/tributary/durable/durabletest/onmodule"
	"github.com/tributary-agents/tributary/durable/durabletest/simtest"

	"research/agents"
)

// TestScripts plays each script of testdata natively and on the WebAssembly module that is deployed.
// The model, the search API and all pages are part of the script.
func TestScripts(t *testing.T) {
	onmodule.RunScripts(t, "testdata", agents.Assistant.Name, agents.Classes())
}

// TestSimulation lets people and a model do whatever they can, in many worlds with trouble of every
// kind.
func TestSimulation(t *testing.T) { simtest.Run(t, agents.Classes()...) }
