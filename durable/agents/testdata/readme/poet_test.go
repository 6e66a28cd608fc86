package agents_test

import (
	"testing"

	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// TestPoet runs the helper of the README, which TestReadme puts into its place.
func TestPoet(t *testing.T) {
	durabletest.RunScripts(t, "testdata/readme", agents.Assistant.Name, func(*testing.T) durabletest.Engine {
		return durabletest.NewNative(1, agents.Classes()...)
	})
}
