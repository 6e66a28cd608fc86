package tck

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/wasm/abi"
	"github.com/tributary-agents/tributary/wasm/host"
)

var (
	_ durabletest.Engine = (*host.Engine)(nil)
	_ durabletest.Engine = (*Node)(nil)
)

// engine is the interface of every host in the kit.
type engine interface {
	durabletest.Engine
	Restart() error
}

// transcript has a line for each call that crossed the boundary.
type transcript struct{ strings.Builder }

func (t *transcript) trace(call string, bytes ...[]byte) {
	t.WriteString(call)
	for i, b := range bytes {
		if call == "sql" && i == 1 {
			b = withoutErrorText(b)
		}
		fmt.Fprintf(t, " %x", b)
	}
	t.WriteByte('\n')
}

// withoutErrorText replaces the text of an error, which differs between two builds of SQLite. No
// object may depend on it.
func withoutErrorText(result []byte) []byte {
	r, err := abi.DecodeResult(result)
	if err != nil {
		panic(err)
	}
	if r.Error == "" {
		return result
	}
	return abi.Result{Error: "an error"}.Encode()
}

var modes = []struct {
	name      string
	perObject bool
}{{"one instance for all", false}, {"an instance per object", true}}

const maxMemory = 32 << 20

// guest builds and compiles the kit's module, and scripted the one that runs scripts, each once for all
// tests.
var (
	guest    = compiledOnce("wasm/tck/guest")
	scripted = compiledOnce("wasm/tck/script")
)

func compiledOnce(command string) func() (compiled, error) {
	return sync.OnceValues(func() (compiled, error) {
		path, err := Build(command)
		if err != nil {
			return compiled{}, err
		}
		wasm, err := os.ReadFile(path)
		if err != nil {
			return compiled{}, err
		}
		m, err := host.Compile(context.Background(), wasm, host.Options{})
		return compiled{path, m}, err
	})
}

type compiled struct {
	path   string
	module *host.Module
}

// both runs one scenario on both hosts and compares the calls that crossed the boundary.
func both(t *testing.T, scenario func(t *testing.T, e engine)) {
	t.Helper()
	bothOn(t, guest, scenario)
}

// bothOn is both on another module.
func bothOn(t *testing.T, module func() (compiled, error), scenario func(t *testing.T, e engine)) {
	t.Helper()
	native(t)
	g, err := module()
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			var wazero, node transcript
			a := host.NewEngine(g.module, host.EngineOptions{Seed: 7, InstancePerObject: mode.perObject, MaxMemory: maxMemory, Trace: wazero.trace})
			b, err := NewNode(g.path, NodeOptions{Seed: 7, InstancePerObject: mode.perObject, MaxMemory: maxMemory, Trace: node.trace})
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range []engine{a, b} {
				t.Run(strings.TrimLeft(fmt.Sprintf("%T", e), "*"), func(t *testing.T) {
					scenario(t, e)
					if err := e.Close(); err != nil {
						t.Error(err)
					}
				})
			}
			if wazero.Len() == 0 {
				t.Fatal("nothing passed the boundary")
			}
			compare(t, wazero.String(), node.String())
		})
	}
}

func compare(t *testing.T, wazero, node string) {
	t.Helper()
	a, b := strings.Split(wazero, "\n"), strings.Split(node, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Fatalf("call %d differs:\nwazero %s\nnode   %s", i, clip(a[i]), clip(b[i]))
		}
	}
	if len(a) != len(b) {
		t.Fatalf("wazero made %d calls, node %d", len(a), len(b))
	}
}

func clip(s string) string { return s[:min(len(s), 400)] }

// tell sends a message to an object and returns the text that the object sends.
func tell(t *testing.T, e engine, object, text string) string {
	t.Helper()
	said, err := try(e, object, durable.SocketMessage{Conn: "c", Text: text})
	if err != nil {
		t.Fatalf("%s to %s: %v", text, object, err)
	}
	return said
}

func try(e engine, object string, event durable.Event) (string, error) {
	return after(e, object, durable.LostQuietly, event)
}

// after is try with a loss for the object's Opened, if it is opened.
func after(e engine, object string, lost durable.Loss, event durable.Event) (string, error) {
	opened := durable.Opened{
		Class: "Probe", Name: object, Conns: []durable.ConnID{"c"}, Vars: map[string]string{"B": "2", "A": "1"}, Secrets: []string{"S_KEY"}, Lost: lost,
	}
	commands, err := e.Step(object, 1_700_000_000_000, opened, event)
	var said bytes.Buffer
	for _, c := range commands {
		if send, ok := c.(durable.Send); ok {
			said.WriteString(send.Text)
		}
	}
	return said.String(), err
}

func want(t *testing.T, e engine, object, text, want string) {
	t.Helper()
	if got := tell(t, e, object, text); got != want {
		t.Errorf("%s to %s: got %q, want %q", text, object, got, want)
	}
}
