package main

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/wasm/host"
)

const (
	openaiHost    = "api.openai.com"
	anthropicHost = "api.anthropic.com"
)

// TestSDKs has the official SDKs ask a mock from within the built module.
func TestSDKs(t *testing.T) {
	module, mock := compiled(t), started(t)
	for tool, c := range map[string]struct {
		lose  string
		says  []string
		asked []string
	}{
		"openai":           {"", []string{"OpenAI says hello"}, []string{openaiHost}},
		"openai_stream":    {"", []string{"OpenAI says hello in several pieces."}, []string{openaiHost}},
		"anthropic":        {"", []string{"Anthropic says hello"}, []string{anthropicHost}},
		"anthropic_stream": {"", []string{"Anthropic says hello in several pieces."}, []string{anthropicHost}},
		// The answer that was journaled is not asked for again; the one that was lost is.
		"both": {anthropicHost, []string{"OpenAI says hello", "Anthropic says hello"}, []string{openaiHost, anthropicHost, anthropicHost}},
	} {
		t.Run(tool, func(t *testing.T) {
			engine := host.NewEngine(module, host.EngineOptions{Seed: 1})
			defer func() {
				if err := engine.Close(); err != nil {
					t.Error(err)
				}
			}()
			w := &world{t: t, engine: engine, now: 1_700_000_000_000, mock: mock, lose: c.lose}
			w.tell(durable.SocketOpened{Conn: "a", URL: "/agents/asker/room"})
			w.tell(durable.SocketMessage{Conn: "a", Text: request(t, tool+": hello?")})
			if c.lose != "" {
				w.wake()
			}
			output := outputOf(w.said)
			for _, want := range c.says {
				if !strings.Contains(output, want) {
					t.Errorf("the tool returned %q, want %q in it; all that was sent:\n%s", output, want, strings.Join(w.said, "\n"))
				}
			}
			if !slices.Equal(w.asked, c.asked) {
				t.Errorf("asked %v, want %v", w.asked, c.asked)
			}
		})
	}
}

// request is the frame of a chat request.
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

// outputOf is the frame that tells of the tool's output, or "".
func outputOf(said []string) string {
	for _, text := range said {
		if strings.Contains(text, "tool-output-available") {
			return text
		}
	}
	return ""
}

// compiled builds this module and compiles it.
func compiled(t *testing.T) *host.Module {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sdk.wasm")
	build := exec.Command("go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w", "-o", path, ".")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	wasm, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	module, err := host.Compile(t.Context(), wasm, host.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return module
}

// started runs the mock until the test is over, and returns where it is.
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
