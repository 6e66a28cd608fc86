//go:build !wasip1

package chat_test

import (
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
)

// worker reports its progress, sleeps a minute, and reports again.
var worker = agent.NewTool("work", "", func(c *agent.Context, _ struct{}) (string, error) {
	for _, share := range []float64{0, 0.5} {
		if err := c.ReportProgress(agent.Progress{Fraction: share, Message: "at work"}); err != nil {
			return "", err
		}
	}
	return "done", flow.Sleep(c, 60e9)
})

// TestSlowCallsStream checks that a client without tasks gets a stream, and is told of progress.
func TestSlowCallsStream(t *testing.T) {
	p := exposed(t, agent.Agent{Tools: []agent.Tool{worker, napTool}, Expose: &agent.Expose{Tools: []string{"work", "nap"}}})
	request, lines := p.send("tools/call", `"name":"work"`)
	all := strings.Join(append(lines, p.do("tick 70s")...), "\n")
	for _, part := range []string{
		"begin " + request + " 200", `"method":"notifications/progress","params":{"progressToken":"tok","progress":0,"total":1,"message":"at work"}`,
		`"progress":0.5`, "read " + request + " :", `{"type":"text","text":"done"}`, "end " + request,
	} {
		if !strings.Contains(all, part) {
			t.Errorf("%s is missing in\n%s", part, all)
		}
	}
	request, lines = p.send("tools/call", `"name":"nap","arguments":{"word":"hi"}`)
	if got := strings.Join(lines, "\n"); strings.Contains(got, request) && strings.Contains(got, "begin") {
		t.Errorf("a stream begins at once: %s", got)
	}
	if got := strings.Join(p.do("tick 2s"), "\n"); !strings.Contains(got, "begin "+request) {
		t.Errorf("no stream begins: %s", got)
	}
}

// TestClientThatLeaves checks that the call of a client that leaves is stopped, with its helpers.
func TestClientThatLeaves(t *testing.T) {
	ended := false
	nap := agent.NewTool("nap", "", func(c *agent.Context, in word) (word, error) {
		err := flow.Sleep(c, 60e9)
		ended = true
		return in, err
	})
	p := exposed(t, agent.Agent{Tools: []agent.Tool{nap}, Expose: &agent.Expose{Tools: []string{"nap"}}})
	request, _ := p.send("tools/call", `"name":"nap","arguments":{"word":"hi"}`)
	p.do("tick 2s", "leave "+request, "tick 2m")
	if ended {
		t.Error("the call has gone on")
	}
	if at, ok := p.w.Due(); ok {
		t.Errorf("something is due at %d", at)
	}
}

// TestRequestWhoseMemoryIsLost checks that a call ends with its request.
func TestRequestWhoseMemoryIsLost(t *testing.T) {
	p := exposed(t, agent.Agent{Tools: []agent.Tool{napTool}, Expose: &agent.Expose{Tools: []string{"nap"}}})
	p.send("tools/call", `"name":"nap","arguments":{"word":"hi"}`)
	p.do("crash", "tick 2m")
	if at, ok := p.w.Due(); ok {
		t.Errorf("something is due at %d", at)
	}
}

// TestChatAsATool checks that a program can talk to the agent.
func TestChatAsATool(t *testing.T) {
	p := exposed(t, agent.Agent{Expose: &agent.Expose{Chat: true}})
	request, lines := p.send("tools/call", `"name":"ask","arguments":{"message":"hello"}`)
	lines = append(lines, p.do("tick 1s")...)
	if got := p.answer(request, lines); !strings.Contains(got, `"type":"text"`) || strings.Contains(got, "isError") {
		t.Errorf("got %s", got)
	}
}

// TestWhoMayAsk checks from where requests are taken.
func TestWhoMayAsk(t *testing.T) {
	p := exposed(t, agent.Agent{Tools: []agent.Tool{echoTool}, Expose: &agent.Expose{Tools: []string{"echo"}}})
	header := func(origin string) map[string]string {
		return map[string]string{"origin": origin, "host": "own.example", "content-type": "application/json", "accept": "*/*", "mcp-protocol-version": "2025-11-25"}
	}
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for origin, status := range map[string]string{"": "200", "https://own.example": "200", "https://evil.example": "403", "null": "403"} {
		got := strings.Join(p.post("r"+origin, header(origin), ping), "\n")
		if !strings.Contains(got, " "+status+" ") {
			t.Errorf("from %q: got %s, want %s", origin, got, status)
		}
	}
	for _, method := range []string{"GET", "DELETE", "PUT"} {
		p.w.Take()
		p.w.Tell(durable.RequestReceived{Request: method, Method: method, URL: "/agents/own/room/mcp"})
		if got := strings.Join(p.w.Take(), "\n"); !strings.Contains(got, "405") {
			t.Errorf("%s: got %s, want 405", method, got)
		}
	}
	other := exposed(t, agent.Agent{Tools: []agent.Tool{echoTool}})
	if got := strings.Join(other.post("r", header(""), ping), "\n"); !strings.Contains(got, " 404 ") {
		t.Errorf("an agent that is not exposed: got %s, want 404", got)
	}
}
