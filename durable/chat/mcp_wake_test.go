package chat_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
)

// TestWakeAsksNobody checks that no request leaves behind a loss of memory with twenty servers until a tool is
// called, and that the model's next request has the tools of all.
func TestWakeAsksNobody(t *testing.T) {
	option := &agent.MCP{}
	for i := range 20 {
		option.Servers = append(option.Servers, agent.MCPServer{Name: fmt.Sprintf("s%02d", i), URL: fmt.Sprintf("https://s%d.test/mcp", i)})
	}
	w := newRemote(t, agent.Agent{MCP: option}, docs(func(rpc) (int, string) { return 200, said("found") }))
	w.do("connect a", "say a R1 u1: hello", "tick 5s")
	if len(w.asked) != 40 {
		t.Fatalf("asked %q", w.asked)
	}
	w.asked, w.lines = nil, nil
	w.do("evict", "connect b", "tick 10m", "evict", "connect c", "get /agents/x/room/get-messages", "say b R2 u2: hello", "tick 5s")
	for i := range 20 {
		w.wants(fmt.Sprintf("s%02d_search s%02d_write", i, i))
	}
	if len(w.asked) > 0 {
		t.Errorf("asked %q", w.asked)
	}
	w.do("say b R3 u3: call s07_search {}", "tick 5s")
	w.wants(`it is \"found\"`)
	if got := fmt.Sprint(w.asked); got != "[tools/call search]" || !strings.Contains(w.text(), "POST https://s7.test/mcp") {
		t.Errorf("asked %s", got)
	}
}

// TestNamesCollide checks that tools of two servers with names that collide, and one with the name of the agent's own
// tool, get names of their own, and that each call goes to its server.
func TestNamesCollide(t *testing.T) {
	a := agent.Agent{MCP: &agent.MCP{Servers: []agent.MCPServer{{Name: "a", URL: "https://one.test/mcp"}, {Name: "a_b", URL: "https://two.test/mcp"}}}}
	a.Tools = []agent.Tool{agent.NewTool("a_own", "", func(*agent.Context, struct{}) (string, error) { return "mine", nil })}
	w := newRemote(t, a, func(q rpc) (int, string) {
		tools, host := `{"name":"b_c","inputSchema":{"type":"object"}},{"name":"own","inputSchema":{"type":"object"}}`, "one"
		if strings.Contains(q.URL, "two.test") {
			tools, host = `{"name":"c","inputSchema":{"type":"object"}}`, "two"
		}
		if q.Method == "tools/list" {
			return 200, `{"resultType":"complete","ttlMs":3600000,"tools":[` + tools + `]}`
		}
		return docs(func(q rpc) (int, string) { return 200, said(host + " " + q.Params.Name) })(q)
	})
	w.do("connect a", "say a R1 u1: hello", "tick 5s")
	begin, rest, _ := strings.Cut(w.text(), "tools [")
	names := strings.Fields(strings.SplitN(rest, "]", 2)[0])
	if len(names) != 4 || names[0] != "a_own" {
		t.Fatalf("%q %q", names, begin[max(0, len(begin)-200):])
	}
	want := []string{"mine", "one b_c", "one own", "two c"}
	seen := map[string]bool{}
	for i, name := range names {
		if seen[name] {
			t.Errorf("the name %s is there twice", name)
		}
		seen[name] = true
		w.do(fmt.Sprintf("say a C%d v%d: call %s {}", i, i, name), "tick 5s")
		w.wants(`it is \"` + want[i] + `\"`)
	}
}

// TestServerIsRemovedUnderCall checks that a call under way ends, and that the next one says that there is no such
// tool.
func TestServerIsRemovedUnderCall(t *testing.T) {
	w := newRemote(t, docsAgent(), docs(func(rpc) (int, string) { return 0, "" }))
	w.do("connect a", `frame a {"type":"rpc","id":"add","method":"addMcpServer","args":[{"name":"mine","url":"https://mine.test/mcp"}]}`, "tick 1s")
	id := strings.SplitN(strings.SplitN(w.text(), `"result":{"id":"`, 2)[1], `"`, 2)[0]
	w.do("say a R1 u1: call mine_search {}", "tick 1s", `frame a {"type":"rpc","id":"gone","method":"removeMcpServer","args":["`+id+`"]}`, "tick 1s")
	if len(w.open) != 1 {
		t.Fatalf("%d calls are open", len(w.open))
	}
	w.respond(w.open[0], 200, said("late words"))
	w.do("tick 5s")
	w.wants(`it is \"late words\"`)
	w.do("say a R2 u2: call mine_search {}", "tick 5s")
	w.wants("mine_search", `"done":true,"outcome":"completed"`)
	if w.calls() != 1 {
		t.Errorf("%d calls", w.calls())
	}
}

// TestOutputSchema checks that structured content fits the schema that the server has declared.
func TestOutputSchema(t *testing.T) {
	for content, words := range map[string]string{`{"n":1}`: `it is {\"n\":1}`, `{"n":"one"}`: "integer"} {
		w := newRemote(t, docsAgent(), func(q rpc) (int, string) {
			if q.Method == "tools/list" {
				return 200, `{"resultType":"complete","ttlMs":0,"tools":[{"name":"count","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}]}`
			}
			return docs(func(rpc) (int, string) {
				return 200, `{"resultType":"complete","content":[],"structuredContent":` + content + `}`
			})(q)
		})
		w.do("connect a", "say a R1 u1: call docs_count {}", "tick 5s")
		w.wants(words)
	}
}

// TestFitIsFoundOnce checks that a result which has fitted its schema still does when the code is run again over its
// journal, and the server says another schema.
func TestFitIsFoundOnce(t *testing.T) {
	a := docsAgent()
	a.Tools = []agent.Tool{agent.NewTool("rests", "", func(c *agent.Context, _ struct{}) (string, error) {
		if _, err := c.MCP("docs").Call("search", struct{}{}); err != nil {
			return "", err
		}
		return "fitted", flow.Sleep(c, time.Minute)
	})}
	kind := "integer"
	server := promising(docs(func(rpc) (int, string) {
		return 200, `{"resultType":"complete","content":[],"structuredContent":{"n":1}}`
	}))
	w := newRemote(t, a, func(q rpc) (int, string) {
		status, result := server(q)
		return status, strings.ReplaceAll(result, "integer", kind)
	})
	w.do("connect a", "say a R1 u1: call rests {}", "tick 2s")
	kind = "string"
	w.do(`frame a {"type":"rpc","id":"again","method":"reconnectMcpServer","args":["docs"]}`, "tick 2s", "evict", "connect a", "tick 2m")
	w.wants(`it is \"fitted\"`)
	w.do("say a R2 u2: call rests {}", "tick 2s")
	w.wants("its result does not fit its schema")
}
