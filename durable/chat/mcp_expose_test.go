//go:build !wasip1

package chat_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
)

// program is another program that uses an agent by the Model Context Protocol, in a world.
type program struct {
	t      *testing.T
	w      *durabletest.World
	engine *durabletest.Native
	// capabilities are what it declares, and claims are who it is.
	capabilities, claims string
	requests             int
}

// exposed returns a world with an agent that is exposed, and a program that uses it.
func exposed(t *testing.T, a agent.Agent) *program {
	t.Helper()
	a.Name, a.Model = "Own", chattest.Coding{}
	engine := durabletest.NewNative(1, chattest.Class(a))
	t.Cleanup(func() { engine.Close() })
	return &program{t: t, w: durabletest.NewWorld(engine, "Own", "room"), engine: engine, capabilities: `{}`}
}

// send sends a request, and returns its name and what has become of it so far.
func (p *program) send(method, params string) (request string, lines []string) {
	p.t.Helper()
	p.requests++
	request = fmt.Sprint("http", p.requests)
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"p","version":"1"},"io.modelcontextprotocol/clientCapabilities":` + p.capabilities + `,"progressToken":"tok"}`
	if params != "" {
		meta = params + "," + meta
	}
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s}}`, p.requests, method, meta)
	header := map[string]string{
		"content-type": "application/json", "accept": "application/json, text/event-stream",
		"mcp-protocol-version": "2026-07-28", "mcp-method": method, "host": "own.example",
	}
	var named struct {
		Params struct{ Name, URI, TaskID string }
	}
	if err := json.Unmarshal([]byte(body), &named); err != nil {
		p.t.Fatal(body, err)
	}
	for _, name := range []string{named.Params.Name, named.Params.URI, named.Params.TaskID} {
		if name != "" {
			header["mcp-name"] = name
		}
	}
	return request, p.post(request, header, body)
}

func (p *program) post(request string, header map[string]string, body string) []string {
	p.t.Helper()
	p.w.Take()
	p.w.Tell(durable.RequestReceived{Request: request, Method: "POST", URL: "/agents/own/room/mcp", Header: header, Body: []byte(body), Claims: p.claims})
	return p.w.Take()
}

// ask sends a request that is answered at once, and returns the result or the error.
func (p *program) ask(method, params string) string {
	p.t.Helper()
	request, lines := p.send(method, params)
	return p.answer(request, lines)
}

// answer returns the result, or the error, of a request among what has happened.
func (p *program) answer(request string, lines []string) string {
	p.t.Helper()
	for _, line := range lines {
		_, rest, ok := strings.Cut(line, "respond "+request+" ")
		at := strings.IndexByte(rest, '{')
		if !ok || at < 0 {
			continue
		}
		return outcome(p.t, rest[at:])
	}
	p.t.Fatalf("%s is not answered: %.3000q", request, lines)
	return ""
}

// outcome returns the result or the error of a message, without what is the same in every answer.
func outcome(t *testing.T, body string) string {
	t.Helper()
	var m struct {
		Result map[string]json.RawMessage
		Error  json.RawMessage
	}
	if err := json.NewDecoder(strings.NewReader(body)).Decode(&m); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	if m.Error != nil {
		return "error " + string(m.Error)
	}
	for _, name := range []string{"_meta", "cacheScope", "ttlMs"} {
		delete(m.Result, name)
	}
	text, err := json.Marshal(m.Result)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// do performs actions of a script and returns what has happened.
func (p *program) do(lines ...string) []string {
	p.t.Helper()
	p.w.Take()
	for _, line := range lines {
		if err := p.w.Do(line); err != nil {
			p.t.Fatal(line, err)
		}
	}
	return p.w.Take()
}

func want(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got  %.2000s\nwant %s", got, want)
	}
}

var (
	echoTool = agent.NewTool("echo", "Returns its input.", echo).ReadOnly()
	failTool = agent.NewTool("fail", "Fails.", func(*agent.Context, word) (word, error) { return word{}, errors.New("it is broken") })
	napTool  = agent.NewTool("nap", "Sleeps.", func(c *agent.Context, in word) (word, error) { return in, flow.Sleep(c, time.Minute) })
)

// TestToolsAreListed checks what a program is told of an agent.
func TestToolsAreListed(t *testing.T) {
	p := exposed(t, agent.Agent{
		Tools:  []agent.Tool{failTool, echoTool, napTool},
		Expose: &agent.Expose{Tools: []string{"fail", "echo"}, Version: "1.4.0"},
	})
	want(t, p.ask("server/discover", ""), `{"capabilities":{"logging":{},"tools":{"listChanged":true},"extensions":{"io.modelcontextprotocol/tasks":{}}},"resultType":"complete","supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2025-03-26"]}`)
	got := p.ask("tools/list", "")
	for _, part := range []string{`[{"name":"echo"`, `{"name":"fail"`, `"readOnlyHint":true`, `"destructiveHint":true`, `"inputSchema":{"type":"object"`} {
		if !strings.Contains(got, part) {
			t.Errorf("got %s, want %s in it", got, part)
		}
	}
	if strings.Contains(got, "nap") {
		t.Errorf("got %s, which has a tool that is not exposed", got)
	}
}

// TestCallsAreAnsweredAtOnce checks the answers to calls whose code does not wait.
func TestCallsAreAnsweredAtOnce(t *testing.T) {
	text := agent.NewTool("text", "", func(*agent.Context, struct{}) (string, error) { return "words", nil })
	blocks := agent.NewTool("blocks", "", func(*agent.Context, struct{}) (agent.Content, error) {
		return agent.Content{agent.TextBlock("a"), agent.ImageBlock("image/png", []byte{1})}, nil
	})
	p := exposed(t, agent.Agent{
		Tools:  []agent.Tool{echoTool, failTool, text, blocks},
		Expose: &agent.Expose{Tools: []string{"echo", "fail", "text", "blocks"}},
	})
	for _, tt := range []struct{ title, params, want string }{
		{"a value", `"name":"echo","arguments":{"word":"hi"}`, `{"content":[{"type":"text","text":"{\"word\":\"hi\"}"}],"resultType":"complete","structuredContent":{"word":"hi"}}`},
		{"a text", `"name":"text"`, `{"content":[{"type":"text","text":"words"}],"resultType":"complete"}`},
		{"blocks", `"name":"blocks"`, `{"content":[{"type":"text","text":"a"},{"type":"image","data":"AQ==","mimeType":"image/png"}],"resultType":"complete"}`},
		{"a failure", `"name":"fail","arguments":{"word":""}`, `{"content":[{"type":"text","text":"it is broken"}],"isError":true,"resultType":"complete"}`},
		{"an unknown tool", `"name":"none"`, `error {"code":-32602,"message":"unknown tool: none"}`},
	} {
		t.Run(tt.title, func(t *testing.T) { want(t, p.ask("tools/call", tt.params), tt.want) })
	}
	if got := p.ask("tools/call", `"name":"echo","arguments":{"other":1}`); !strings.Contains(got, `"isError":true`) || !strings.Contains(got, "other") {
		t.Errorf("arguments that do not fit: got %s", got)
	}
}
