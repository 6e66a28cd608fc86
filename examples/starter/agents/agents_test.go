package agents_test

import (
	"testing"

	"github.com/tributary-agents/tributary/durable/durabletest"

	"starter/agents"
)

// TestScripts plays each script of testdata in a world of its own, where a script decides what
// happens and when. With -update it writes what happens now into the scripts; read that as a diff.
func TestScripts(t *testing.T) {
	durabletest.RunScripts(t, "testdata", agents.Assistant.Name, func(*testing.T) durabletest.Engine {
		return durabletest.NewNative(1, agents.Classes()...)
	})
}
