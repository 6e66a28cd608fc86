package agents_test

import (
	"testing"

	"github.com/tributary-agents/tributary/durable/durabletest/onmodule"
	"github.com/tributary-agents/tributary/durable/durabletest/simtest"

	"headless/agents"
)

// TestScripts plays each script of testdata twice: natively, and on the WebAssembly module that is
// deployed. A script decides what happens and when, and below each line has all that it causes.
// With -update the test writes what happens now into the scripts; read that as a diff.
func TestScripts(t *testing.T) {
	onmodule.RunScripts(t, "testdata", agents.Assistant.Name, agents.Classes())
}

// TestSimulation lets people and a model do whatever they can, in many worlds with trouble of every
// kind. A world in which the agents break a promise fails, with the seed that repeats it.
func TestSimulation(t *testing.T) { simtest.Run(t, agents.Classes()...) }
