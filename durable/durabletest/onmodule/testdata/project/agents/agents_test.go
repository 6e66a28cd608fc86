package agents_test

import (
	"testing"

	"example.com/hotel/v2/agents"
	"github.com/tributary-agents/tributary/durable/durabletest/onmodule"
)

func TestScripts(t *testing.T) {
	onmodule.RunScripts(t, "testdata", agents.Concierge.Name, agents.Classes())
}
