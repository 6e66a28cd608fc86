package chat_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
)

// TestServersAreAskedByNeed checks that a wake asks nobody, that a turn waits for the first offer, and that the next
// one asks only for what it calls.
func TestServersAreAskedByNeed(t *testing.T) {
	w := newRemote(t, docsAgent(), docs(func(rpc) (int, string) { return 200, said("found") }))
	w.do("connect a")
	if len(w.asked) > 0 {
		t.Errorf("a tab that connects has %q asked", w.asked)
	}
	w.do("say a R1 u1: hello", "tick 1s")
	w.wants(`tools [docs_search docs_write docs_book docs_slow]`)
	if got, want := fmt.Sprint(w.asked), "[server/discover tools/list]"; got != want {
		t.Errorf("asked %s, want %s", got, want)
	}
	if got, want := fmt.Sprint(w.states()), "[not-connected connecting ready]"; got != want {
		t.Errorf("states %s, want %s", got, want)
	}
	w.asked = nil
	w.do("evict", "connect b", `say b R2 u2: call docs_search {"q":"a"}`, "tick 5s")
	w.wants(`it is \"found\"`)
	if got, want := fmt.Sprint(w.asked), "[tools/call search]"; got != want {
		t.Errorf("asked %s, want %s", got, want)
	}
	w.asked = nil
	w.do("jump 2h", "say b R3 u3: hello", "tick 5s")
	if got, want := fmt.Sprint(w.asked), "[server/discover tools/list]"; got != want {
		t.Errorf("behind two hours: asked %s, want %s", got, want)
	}
}

// TestTurnGoesWithoutServer checks that a turn goes on without a server that is silent or refuses, and says so.
func TestTurnGoesWithoutServer(t *testing.T) {
	for name, server := range map[string]serverOf{
		"silent":  func(rpc) (int, string) { return 0, "" },
		"broken":  func(rpc) (int, string) { return 500, "plain:away" },
		"private": func(rpc) (int, string) { return 302, "plain:" },
	} {
		t.Run(name, func(t *testing.T) {
			w := newRemote(t, docsAgent(), server)
			w.do("connect a", "say a R1 u1: hello", "tick 5s")
			if silent := name == "silent"; silent == strings.Contains(w.text(), "tools []") {
				t.Errorf("the turn waits: %v", silent)
			}
			w.do("tick 6s")
			w.wants(`The tools of the server \"docs\" are not available now.`)
			w.do("tick 2m")
			if s := w.states(); s[len(s)-1] != "failed" {
				t.Errorf("the states are %v", s)
			}
		})
	}
}

// TestMethodsOfServers adds, lists, asks again and removes a server.
func TestMethodsOfServers(t *testing.T) {
	w := newRemote(t, docsAgent(), docs(func(q rpc) (int, string) { return 200, said(q.Header) }))
	call := func(method, args string) {
		w.do(`frame a {"type":"rpc","id":"` + method + `","method":"` + method + `","args":[` + args + `]}`)
	}
	w.do("connect a")
	call("addMcpServer", `{"name":"mine","url":"https://mine.test/mcp","headers":{"Authorization":"Bearer hidden"}}`)
	w.wants(`"state":"connecting"`)
	id := regexp.MustCompile(`"result":\{"id":"([^"]+)"`).FindStringSubmatch(w.text())
	if id == nil {
		t.Fatal("no id")
	}
	w.do("tick 1s")
	if strings.Count(w.text(), "Bearer hidden") != 2 { // in two requests
		t.Errorf("the header was sent %d times", strings.Count(w.text(), "Bearer hidden"))
	}
	for _, bad := range []string{
		`{"name":"x","url":"http://x.test"}`, `{"name":"x","url":"https://127.0.0.1/"}`, `{"name":"","url":"https://x.test"}`,
		`{"name":"mine","url":"https://other.test"}`, `{"name":"docs","url":"https://docs.test/mcp"}`, `{"name":"x","url":"https://x.test","headers":{"Mcp-Name":"a"}}`,
	} {
		w.lines = nil
		call("addMcpServer", bad)
		w.wants(`"success":false`)
	}
	w.lines = nil
	call("mcpServers", "")
	w.wants(`"tools":["search","write","book","slow"]`, `"declared":true`)
	w.asked = nil
	call("reconnectMcpServer", `"`+id[1]+`"`)
	if got := fmt.Sprint(w.asked); got != "[server/discover tools/list]" {
		t.Errorf("asked %s", got)
	}
	w.lines = nil
	call("removeMcpServer", `"docs"`)
	w.wants(`cannot be removed`)
	w.lines = nil
	call("removeMcpServer", `"`+id[1]+`"`)
	w.do("tick 1s", "connect b")
	if text := w.text(); strings.Contains(text, "mine.test") {
		t.Errorf("the server is still told of: %s", text)
	}
}

// TestServerNames checks that a class refuses servers whose names cannot be used.
func TestServerNames(t *testing.T) {
	for name, list := range map[string][]agent.MCPServer{
		"empty": {{URL: "https://a.test"}}, "letters": {{Name: "a b"}}, "long": {{Name: strings.Repeat("a", 33)}}, "twice": {{Name: "a"}, {Name: "a"}},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("the class is made")
				}
			}()
			chattest.Class(agent.Agent{Name: "Own", MCP: &agent.MCP{Servers: list}})
		})
	}
}

// TestApproveWrites checks which calls need a person, and that a tool that changes needs one again.
func TestApproveWrites(t *testing.T) {
	a := docsAgent()
	a.MCP = &agent.MCP{Servers: []agent.MCPServer{{Name: "docs", URL: "https://docs.test/mcp", Allow: []string{"sea*", "write"}}}, Approve: agent.ApproveWrites}
	tools := docsTools
	calls := 0
	w := newRemote(t, a, func(q rpc) (int, string) {
		if q.Method == "tools/list" {
			return 200, tools
		}
		return docs(func(rpc) (int, string) { calls++; return 200, said("done") })(q)
	})
	w.do("connect a", "say a R0 u0: hello", "tick 1s", `say a R1 u1: call docs_search {}`, "tick 5s")
	w.wants(`tools [docs_search docs_write]`, `it is \"done\"`)
	if calls != 1 {
		t.Fatalf("%d calls", calls)
	}
	w.do(`say a R2 u2: call docs_write {}`, "tick 5s")
	w.wants(`approval-requested`, `write at the server docs`)
	if calls != 1 {
		t.Fatalf("a call was not approved and made")
	}
	tools = strings.ReplaceAll(docsTools, "Searches.", "Searches, and sends all.")
	w.lines = nil
	w.do("jump 2h", "say a R3 u3: hello", "tick 5s", `say a R4 u4: call docs_search {}`, "tick 5s")
	w.wants(`has changed this tool`, `"changed":true`)
	id := regexp.MustCompile(`"approvalId\\":\\"(call_[A-Za-z0-9_-]+)`).FindStringSubmatch(w.text())
	if calls != 1 || id == nil {
		t.Fatalf("%d calls, %v", calls, id)
	}
	w.do("approve a "+id[1], "tick 5s", `say a R5 u5: call docs_search {}`, "tick 5s")
	if calls != 3 {
		t.Errorf("%d calls, want 3", calls)
	}
}

// TestTellCode checks that the model is told of no tool of a server, and that code can call them.
func TestTellCode(t *testing.T) {
	a := docsAgent()
	a.MCP = &agent.MCP{Servers: []agent.MCPServer{{Name: "docs", URL: "https://docs.test/mcp"}}, Tell: agent.TellCode}
	a.Tools = []agent.Tool{agent.Code()}
	w := newRemote(t, a, docs(func(rpc) (int, string) { return 200, said("found") }))
	w.do("connect a", "say a R0 u0: hello", "tick 1s", `say a R1 u1: call code {"code":"return [await tools.docs_search({}), (await search('writes')).includes('docs_write')]"}`, "tick 5s")
	w.wants(`tools [code]`, `\"result\":[\"found\",true]`)
}

// TestClientOfCode reads, asks for a prompt and calls a tool by code, of a server that nobody has asked before.
func TestClientOfCode(t *testing.T) {
	a := docsAgent()
	a.Tools = []agent.Tool{agent.NewTool("visit", "", func(c *agent.Context, _ struct{}) (string, error) {
		r, err := c.MCP("docs").Call("search", map[string]string{"q": "a"})
		if err != nil {
			return "", err
		}
		contents, err := c.MCP("docs").Read("note://1")
		if err != nil {
			return "", err
		}
		prompt, err := c.MCP("docs").Prompt("greet", map[string]string{"whom": "Ada"})
		if err != nil {
			return "", err
		}
		_, none := c.MCP("none").Read("x")
		return fmt.Sprint(r.Text, " ", contents[0].Text, " ", prompt[0].Text, " ", none), nil
	})}
	for _, lose := range []bool{false, true} {
		w := newRemote(t, a, docs(func(q rpc) (int, string) {
			switch q.Method {
			case "resources/read":
				return 200, `{"resultType":"complete","ttlMs":0,"contents":[{"uri":"note://1","text":"noted"}]}`
			case "prompts/get":
				return 200, `{"resultType":"complete","messages":[{"role":"user","content":{"type":"text","text":"greet Ada"}}]}`
			}
			return 200, said("found")
		}))
		w.lose = lose
		w.do("connect a", "say a R1 u1: call visit {}")
		for range 5 {
			w.do("tick 1m", "get /agents/x/room/get-messages")
		}
		w.wants(`it is \"found noted greet Ada agent: there is no server named`)
	}
}
