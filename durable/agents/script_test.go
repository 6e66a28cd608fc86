package agents_test

import (
	"testing"

	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/durable/durabletest"
	_ "github.com/tributary-agents/tributary/wasm/quickjs" // The engine of the Assistant's code.
)

// TestScripts runs the shipped agents natively; wasm/tck runs the same scripts on
// the built module, on both hosts.
func TestScripts(t *testing.T) {
	engine := func(*testing.T) durabletest.Engine { return durabletest.NewNative(1, agents.Classes()...) }
	durabletest.RunScripts(t, "testdata", agents.Assistant.Name, engine)
	for _, provider := range []string{"openai", "anthropic", "workersai"} {
		durabletest.RunScripts(t, "testdata/"+provider, agents.Assistant.Name, engine)
	}
}
