package tck

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/internal/project/strip"
	"github.com/tributary-agents/tributary/wasm/host"
)

// shipped is the module that is deployed: its file, and compiled for wazero.
func shipped(t testing.TB) (string, *host.Module) { return compile(t, "wasm/cmd/tributary") }

// compile builds the module of a command, and compiles it for wazero.
func compile(t testing.TB, command string) (string, *host.Module) {
	t.Helper()
	path, err := Build(command)
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, load(t, code)
}

// load compiles the code of a module for wazero.
func load(t testing.TB, code []byte) *host.Module {
	t.Helper()
	m, err := host.Compile(t.Context(), code, host.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close(context.Background()) })
	return m
}

// everywhere runs scripts on a module, on both hosts, with one instance for all objects and with
// one for each. The transcripts equal those of the native engine.
func everywhere(t *testing.T, command string, scripts func(t *testing.T, own bool, engine func(*testing.T) durabletest.Engine)) {
	t.Helper()
	path, module := compile(t, command)
	for _, own := range []bool{false, true} {
		name := map[bool]string{false: "shared", true: "per object"}[own]
		t.Run("wazero "+name, func(t *testing.T) {
			scripts(t, own, func(*testing.T) durabletest.Engine {
				return host.NewEngine(module, host.EngineOptions{Seed: 1, InstancePerObject: own})
			})
		})
		t.Run("node "+name, func(t *testing.T) {
			n, err := NewNode(path, NodeOptions{Seed: 1, InstancePerObject: own})
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := n.Close(); err != nil {
					t.Error(err)
				}
			}()
			scripts(t, own, func(*testing.T) durabletest.Engine { return reused{n} })
		})
	}
}

// reused is a process that runs one script after another.
type reused struct{ *Node }

// Close implements [durabletest.Engine].
func (r reused) Close() error { return r.Reset() }

// TestShippedScripts runs the scripts of the shipped agents on the module that is deployed.
func TestShippedScripts(t *testing.T) {
	everywhere(t, "wasm/cmd/tributary", func(t *testing.T, _ bool, engine func(*testing.T) durabletest.Engine) {
		for _, folder := range []string{"testdata", "testdata/openai", "testdata/anthropic", "testdata/workersai"} {
			durabletest.RunScripts(t, "../../durable/agents/"+folder, agents.Assistant.Name, engine)
		}
	})
}

// TestChatScripts runs the scripts of conversations, tools and helpers, which contain wiped slots,
// calls and streams.
func TestChatScripts(t *testing.T) {
	everywhere(t, "wasm/tck/chat", func(t *testing.T, own bool, engine func(*testing.T) durabletest.Engine) {
		for _, s := range chattest.Suites() {
			if s.Shared && own {
				continue
			}
			t.Run(filepath.Base(s.Folder), func(t *testing.T) {
				durabletest.RunScripts(t, "../../durable/chat/"+s.Folder, s.Root(), engine)
			})
		}
	})
}

// TestStrippedScripts runs the scripts of conversations on a module without names of functions, which is
// what deploy --free deploys. Traps and what follows them need none.
func TestStrippedScripts(t *testing.T) {
	path, err := Build("wasm/tck/chat")
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	code, err := strip.Module(whole)
	if err != nil {
		t.Fatal(err)
	}
	module := load(t, code)
	for _, s := range chattest.Suites() {
		t.Run(filepath.Base(s.Folder), func(t *testing.T) {
			durabletest.RunScripts(t, "../../durable/chat/"+s.Folder, s.Root(), func(*testing.T) durabletest.Engine {
				return host.NewEngine(module, host.EngineOptions{Seed: 1})
			})
		})
	}
}
