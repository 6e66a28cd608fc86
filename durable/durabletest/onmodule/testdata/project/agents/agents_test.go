package agents_test

import (
	"testing"

	"example.com/hotel/v2/agents"
	"github.com/tributary-agents/tributary/durable/durabletest/onmodule"
	"github.com/tributary-agents/tributary/durable/durabletest/simtest"
)

func TestScripts(t *testing.T) {
	onmodule.RunScripts(t, "testdata", agents.Concierge.Name, agents.Classes())
}

func TestSimulation(t *testing.T) { simtest.Run(t, agents.Classes()...) }
