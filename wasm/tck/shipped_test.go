package tck

import (
	"context"
	"os"
	"testing"

	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/wasm/host"
)

// shipped is the module that is deployed: its file, and compiled for wazero.
func shipped(t testing.TB) (string, *host.Module) {
	t.Helper()
	path, err := Build("wasm/cmd/tributary")
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := host.Compile(t.Context(), code, host.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close(context.Background()) })
	return path, m
}

// TestShippedScripts runs the scripts of the shipped agents, which hold natively,
// on the module that is deployed: the transcripts are equal on both hosts, with
// one instance for all objects and with one for each.
func TestShippedScripts(t *testing.T) {
	path, module := shipped(t)
	for _, own := range []bool{false, true} {
		name := map[bool]string{false: "shared", true: "per object"}[own]
		t.Run("wazero "+name, func(t *testing.T) {
			scripts(t, func(*testing.T) durabletest.Engine {
				return host.NewEngine(module, host.EngineOptions{Seed: 1, InstancePerObject: own})
			})
		})
		t.Run("node "+name, func(t *testing.T) {
			scripts(t, func(t *testing.T) durabletest.Engine {
				n, err := NewNode(path, NodeOptions{Seed: 1, InstancePerObject: own})
				if err != nil {
					t.Fatal(err)
				}
				return n
			})
		})
	}
}

func scripts(t *testing.T, engine func(*testing.T) durabletest.Engine) {
	t.Helper()
	for _, folder := range []string{"testdata", "testdata/openai"} {
		durabletest.RunScripts(t, "../../durable/agents/"+folder, agents.Assistant.Name, engine)
	}
}
