//go:build !wasip1

package chat_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
)

// inBytes says whether a text is in bytes, as it is or in base64 at any place.
func inBytes(all, text string) bool {
	if strings.Contains(all, text) {
		return true
	}
	for shift := range 3 {
		if len(text) < 12 { // it would be found by chance
			break
		}
		encoded := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat(" ", shift) + text))
		if strings.Contains(all, encoded[2+shift:len(encoded)-3]) {
			return true
		}
	}
	return false
}

// inspection returns the whole answer to an inspection.
func inspection(t *testing.T, take func() []string, frame func(string)) string {
	t.Helper()
	take()
	frame(`frame a {"type":"rpc","id":"inspection","method":"inspect","args":[]}`)
	all := strings.Join(take(), "\n")
	if !strings.Contains(all, `"success":true`) {
		t.Fatalf("no inspection: %.300s", all)
	}
	return all
}

// TestInspectedServers shows what is known of servers, and that nothing is shown which a server or a person
// wants to be kept: the headers and the state of a question.
func TestInspectedServers(t *testing.T) {
	a := agent.Agent{MCP: &agent.MCP{Editable: true, Servers: []agent.MCPServer{
		{Name: "docs", URL: "https://docs.test/mcp?key=of+all", Header: []durable.Header{{Name: "x-key", Value: "declared-secret"}}},
	}}}
	w := newRemote(t, a, docs(func(rpc) (int, string) {
		return 200, `{"resultType":"input_required","requestState":"state-secret-of-the-server","inputRequests":{"seat":{"method":"elicitation/create",
			"params":{"mode":"form","message":"which seat?","requestedSchema":{"type":"object","properties":{"row":{"type":"integer"}}}}}}}`
	}))
	w.do(development, "connect a", `frame a {"type":"rpc","id":"1","method":"addMcpServer","args":[{"name":"mine","url":"https://mine.test/mcp","headers":{"authorization":"Bearer added-secret"}}]}`,
		"tick 1s", `say a R1 u1: call docs_book {}`, "tick 1s")
	w.wants("which seat?")
	wantRows(t, w.World, "a", "servers",
		`id: docs, name: docs, url: https://docs.test/mcp, state: ready, version: 2026-07-28, tools: 4, changed: 0, read_at: -\ds, stale_at: \+\d+s`,
		`id: \S+, name: mine, url: https://mine.test/mcp, state: ready, version: 2026-07-28, tools: 4, changed: 0, read_at: -\ds, stale_at: \+\d+s`)
	shown := inspection(t, w.Take, func(action string) { act(t, w.World, action) })
	for _, secret := range []string{"declared-secret", "added-secret", "state-secret-of-the-server", "mcp_secret"} {
		if inBytes(shown, secret) {
			t.Errorf("the inspector shows %s: %.700s", secret, shown[max(strings.Index(shown, secret)-500, 0):])
		}
	}
	if !strings.Contains(shown, "fetch POST") {
		t.Error("the inspector does not show the call")
	}
}

// TestInspectedLegacySession shows no session of a server.
func TestInspectedLegacySession(t *testing.T) {
	w := newRemote(t, docsAgent(), func(q rpc) (int, string) {
		switch q.Method {
		case "server/discover":
			return 400, "plain:what"
		case "initialize":
			return 200, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}`
		case "notifications/initialized":
			return 202, "plain:"
		}
		return 200, `{"tools":[{"name":"search","inputSchema":{"type":"object"}}]}`
	})
	w.do(development, "connect a", "say a R1 u1: hello", "tick 1s")
	wantRows(t, w.World, "a", "servers", `id: docs, name: docs, .*, state: ready, version: 2025-11-25, tools: 1, .*`)
	if shown := inspection(t, w.Take, func(action string) { act(t, w.World, action) }); inBytes(shown, "session-1") {
		t.Error("the inspector shows the session")
	}
}

// TestInspectedCalls shows the calls of programs, without their inputs, their questions, their results and
// the tickets of their rounds.
func TestInspectedCalls(t *testing.T) {
	p := exposed(t, agent.Agent{Tools: []agent.Tool{napTool, pickTool}, Expose: &agent.Expose{Tools: []string{"nap", "pick"}}})
	act(t, p.w, development, "evict", "connect a")
	wantRows(t, p.w, "a", "calls")
	p.capabilities, p.claims = takesTasks, `{"sub":"ann","scopes":[]}`
	p.slowTask(`"name":"nap","arguments":{"word":"input-secret"}`)
	p.capabilities = hasForms
	state := p.ask("tools/call", `"name":"pick"`)
	_, state, _ = strings.Cut(state, `"requestState":"`)
	state, _, _ = strings.Cut(state, `"`)
	wantRows(t, p.w, "a", "calls",
		`id: mcp_\S+, called: nap, kind: task, state: working, round: 0, questions: 0, subject: ann, lost: 0, begun_at: -2s, expires_at: \+\d+s`,
		`id: mcp_\S+, called: pick, kind: request, state: asking, round: 1, questions: 1, subject: ann, lost: 0, begun_at: [+-]0s, expires_at: \+3600s`)
	shown := inspection(t, p.w.Take, func(action string) { act(t, p.w, action) })
	for _, secret := range []string{"input-secret", state, "ticket", "mcp_call"} {
		if secret == "" || inBytes(shown, secret) {
			t.Errorf("the inspector shows %q: %.700s", secret, shown[max(strings.Index(shown, secret)-500, 0):])
		}
	}
}

var pickTool = agent.NewTool("pick", "", func(c *agent.Context, _ struct{}) (string, error) {
	a, err := agent.Ask[string](c, agent.Question{Title: "Which color?"})
	return fmt.Sprint("it is ", a.Value), err
})
