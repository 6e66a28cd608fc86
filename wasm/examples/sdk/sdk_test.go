package sdk_test

import (
	"bufio"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/internal/draw"
	"github.com/tributary-agents/tributary/wasm/host"
	"github.com/tributary-agents/tributary/wasm/tck"
)

// TestSDKs runs modules with the official SDKs against a mock: one that is drawn, because to compile one takes a minute.
func TestSDKs(t *testing.T) {
	mock := started(t)
	origins := map[string]string{"openai": "api.openai.com", "anthropic": "api.anthropic.com"}
	for _, command := range draw.One(t.Name(), slices.Sorted(maps.Keys(origins))) {
		module, origin := built(t, command), origins[command]
		for name, engine := range map[string]func(t *testing.T) durabletest.Engine{
			" on the shim":  func(t *testing.T) durabletest.Engine { return onShim(t, module) },
			" under wazero": underWazero(t, module),
		} {
			t.Run(command+name, func(t *testing.T) { tools(t, mock, origin, engine) })
		}
	}
}

// tools has a person call each tool of an agent that uses an SDK.
func tools(t *testing.T, mock, origin string, engine func(t *testing.T) durabletest.Engine) {
	for tool, c := range map[string]struct {
		// lose is the number of the request at which the object loses its memory, or 0.
		lose, asked, answers int
	}{
		"answer": {0, 1, 1},
		"stream": {0, 1, 1},
		// The journaled answer is not requested again. The lost one is.
		"twice": {2, 3, 2},
	} {
		t.Run(tool, func(t *testing.T) {
			w := &world{t: t, engine: engine(t), now: 1_700_000_000_000, mock: mock, origin: origin, lose: c.lose}
			w.tell(durable.SocketOpened{Conn: "a", URL: "/agents/asker/room"})
			w.tell(durable.SocketMessage{Conn: "a", Text: request(t, tool+": hello?")})
			if c.lose > 0 {
				w.wake()
			}
			output := outputOf(w.said)
			if got := strings.Count(output, "The mock says hello in several pieces."); got != c.answers {
				t.Errorf("the tool returned %d answers, want %d; all that was sent:\n%s", got, c.answers, strings.Join(w.said, "\n"))
			}
			if w.asked != c.asked {
				t.Errorf("%d requests, want %d", w.asked, c.asked)
			}
		})
	}
}

func onShim(t *testing.T, module string) durabletest.Engine {
	t.Helper()
	engine, err := tck.NewNode(module, tck.NodeOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return closed(t, engine)
}

// underWazero returns engines for a module, which is compiled once.
func underWazero(t *testing.T, module string) func(t *testing.T) durabletest.Engine {
	t.Helper()
	wasm, err := os.ReadFile(module)
	if err != nil {
		t.Fatal(err)
	}
	m, err := host.Compile(t.Context(), wasm, host.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return func(t *testing.T) durabletest.Engine {
		return closed(t, host.NewEngine(m, host.EngineOptions{Seed: 1}))
	}
}

// closed closes an engine when the test is over.
func closed(t *testing.T, engine durabletest.Engine) durabletest.Engine {
	t.Cleanup(func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	return engine
}

// request returns the frame of a chat request.
func request(t *testing.T, text string) string {
	t.Helper()
	part := map[string]string{"type": "text", "text": text}
	body, err := json.Marshal(map[string]any{"messages": []any{map[string]any{"id": "u1", "role": "user", "parts": []any{part}}}})
	if err != nil {
		t.Fatal(err)
	}
	frame, err := json.Marshal(map[string]any{
		"type": "cf_agent_use_chat_request", "id": "R1", "init": map[string]string{"method": "POST", "body": string(body)},
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(frame)
}

// outputOf returns the frame with the tool's output, or "".
func outputOf(said []string) string {
	for _, text := range said {
		if strings.Contains(text, "tool-output-available") {
			return text
		}
	}
	return ""
}

// built builds a command for wasip1, and returns its path.
func built(t *testing.T, command string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), command+".wasm")
	build := exec.Command("go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w", "-o", path, "./"+command)
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// started runs the mock until the test is over, and returns its address.
func started(t *testing.T) string {
	t.Helper()
	process := exec.Command("node", "mock.ts")
	process.Stderr = os.Stderr
	in, err := process.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := process.Wait(); err != nil {
			t.Error(err)
		}
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(strings.TrimSpace(address), "http://")
}
