package tck

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/internal/draw"
	"github.com/tributary-agents/tributary/internal/project/strip"
	"github.com/tributary-agents/tributary/wasm/host"
)

// shipped is the module that is deployed: its file, and compiled for wazero.
func shipped(t testing.TB) (string, *host.Module) {
	t.Helper()
	native(t)
	return compile(t, "wasm/cmd/tributary")
}

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

// everywhere runs folders of scripts on a module, on both hosts. The transcripts equal those of the native engine. With
// an instance for each object one folder is run, which is drawn.
func everywhere(t *testing.T, command string, suites []chattest.Suite) {
	t.Helper()
	native(t)
	path, module := compile(t, command)
	apart := draw.One(t.Name(), slices.DeleteFunc(slices.Clone(suites), func(s chattest.Suite) bool { return s.Shared }))
	for _, mode := range []struct {
		name   string
		own    bool
		suites []chattest.Suite
	}{{"shared", false, suites}, {"per object", true, apart}} {
		t.Run("wazero "+mode.name, func(t *testing.T) {
			play(t, mode.suites, func(*testing.T) durabletest.Engine {
				return host.NewEngine(module, host.EngineOptions{Seed: 1, InstancePerObject: mode.own})
			})
		})
		t.Run("node "+mode.name, func(t *testing.T) {
			n, err := NewNode(path, NodeOptions{Seed: 1, InstancePerObject: mode.own})
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := n.Close(); err != nil {
					t.Error(err)
				}
			}()
			play(t, mode.suites, func(*testing.T) durabletest.Engine { return reused{n} })
		})
	}
}

// play runs folders of scripts below durable.
func play(t *testing.T, suites []chattest.Suite, engine func(*testing.T) durabletest.Engine) {
	for _, s := range suites {
		t.Run(filepath.Base(s.Folder), func(t *testing.T) {
			durabletest.RunScripts(t, "../../durable/"+s.Folder, s.Root(), engine)
		})
	}
}

// native skips a test with -short, which runs everything on one host: natively.
func native(t testing.TB) {
	t.Helper()
	draw.Long(t, "scripts and worlds run on one host, which is the native one")
}

// reused is a process that runs one script after another.
type reused struct{ *Node }

// Close implements [durabletest.Engine].
func (r reused) Close() error { return r.Reset() }

// TestShippedScripts runs the scripts of the shipped agents on the module that is deployed.
func TestShippedScripts(t *testing.T) {
	var suites []chattest.Suite
	for _, folder := range []string{"testdata", "testdata/openai", "testdata/anthropic", "testdata/workersai"} {
		suites = append(suites, chattest.Suite{Folder: "agents/" + folder, Agents: []agent.Agent{agents.Assistant}})
	}
	everywhere(t, "wasm/cmd/tributary", suites)
}

// TestChatScripts runs the scripts of conversations, tools and helpers, which contain wiped slots,
// calls and streams.
func TestChatScripts(t *testing.T) {
	everywhere(t, "wasm/tck/chat", conversations())
}

// TestStrippedScripts runs scripts of conversations on a module without names of functions, which is what
// deploy --free deploys. Traps and what follows them need none. One folder of them is run, which is drawn.
func TestStrippedScripts(t *testing.T) {
	native(t)
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
	play(t, draw.One(t.Name(), conversations()), func(*testing.T) durabletest.Engine {
		return host.NewEngine(module, host.EngineOptions{Seed: 1})
	})
}

// conversations are the folders of scripts of conversations.
func conversations() []chattest.Suite {
	suites := chattest.Suites()
	for i := range suites {
		suites[i].Folder = "chat/" + suites[i].Folder
	}
	return suites
}
