//go:build !wasip1

package chat_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/agent"
)

// modernMeta is what a request of 2026-07-28 must say about its sender.
const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"p","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

var statusOf = regexp.MustCompile(`respond bad (\d+)`)

// TestBadMessages sends what is no request of the protocol. Each gets the code of its error, without an id
// where none can be read, and one that
// follows is answered as ever.
func TestBadMessages(t *testing.T) {
	p := exposed(t, agent.Agent{Tools: []agent.Tool{echoTool}, Expose: &agent.Expose{Tools: []string{"echo"}, Resources: true}})
	call := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + modernMeta + `}}`
	for _, tt := range []struct{ title, body, status, want string }{
		{"no JSON", `{"jsonrpc":`, "400", `{"jsonrpc":"2.0","error":{"code":-32700`},
		{"nothing", ``, "400", `{"jsonrpc":"2.0","error":{"code":-32700`},
		{"a batch", `[` + call + `]`, "400", `{"jsonrpc":"2.0","error":{"code":-32600`},
		{"an empty batch", `[]`, "400", `{"jsonrpc":"2.0","error":{"code":-32600`},
		{"a text", `"hello"`, "400", `{"jsonrpc":"2.0","error":{"code":-32600`},
		{"a response", `{"jsonrpc":"2.0","id":1,"result":{}}`, "400", `"error":{"code":-32600`},
		{"an error", `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}`, "400", `"error":{"code":-32600`},
		{"an id that is null", strings.Replace(call, `"id":1`, `"id":null`, 1), "400", `{"jsonrpc":"2.0","error":{"code":-32600`},
		{"an id that is a fraction", strings.Replace(call, `"id":1`, `"id":1.5`, 1), "400", `{"jsonrpc":"2.0","error":{"code":-32600`},
		{"an id that is an object", strings.Replace(call, `"id":1`, `"id":{}`, 1), "400", `{"jsonrpc":"2.0","error":{"code":-32600`},
		{"no _meta", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}`, "400", `"id":1,"error":{"code":-32602`},
		{"_meta without a version", strings.Replace(call, `"io.modelcontextprotocol/protocolVersion":"2026-07-28",`, ``, 1), "400", `"id":1,"error":{"code":-32602`},
		{"_meta without capabilities", strings.Replace(call, `,"io.modelcontextprotocol/clientCapabilities":{}`, ``, 1), "400", `"id":1,"error":{"code":-32602`},
		{"capabilities that are no object", strings.Replace(call, `Capabilities":{}`, `Capabilities":[]`, 1), "400", `"id":1,"error":{"code":-32602`},
		{"a version that is a number", strings.Replace(call, `"2026-07-28"`, `7`, 1), "400", `"id":1,"error":{"code":-32602`},
		{"another JSON-RPC", strings.Replace(call, `"jsonrpc":"2.0"`, `"jsonrpc":"1.0"`, 1), "400", `"error":{"code":-32600`},
		{"two fields of one name", strings.Replace(call, `"id":1`, `"id":1,"id":2`, 1), "400", `"error":{"code":-32`},
		{"a large body", strings.Replace(call, `tools/list`, strings.Repeat("x", 1<<20), 1), "413", ``},
	} {
		t.Run(tt.title, func(t *testing.T) {
			got := strings.Join(p.post("bad", modernHeader("tools/list"), tt.body), "\n")
			if m := statusOf.FindStringSubmatch(got); m == nil || m[1] != tt.status || !strings.Contains(got, tt.want) {
				t.Errorf("got %.500s\nwant the status %s and %s", got, tt.status, tt.want)
			}
			if got := strings.Join(p.post("good", modernHeader("tools/list"), call), "\n"); !strings.Contains(got, `"name":"echo"`) {
				t.Errorf("the next request gets %s", got)
			}
		})
	}
}

func modernHeader(method string) map[string]string {
	return map[string]string{
		"content-type": "application/json", "accept": "application/json, text/event-stream",
		"mcp-protocol-version": "2026-07-28", "mcp-method": method, "host": "own.example",
	}
}

// TestBadParams sends requests for what there is not, and arguments that do not fit.
func TestBadParams(t *testing.T) {
	number := agent.NewTool("number", "", func(_ *agent.Context, in struct {
		Count int `json:"count"`
	},
	) (int, error) {
		return in.Count, nil
	})
	p := exposed(t, agent.Agent{Tools: []agent.Tool{echoTool, number, napTool}, Expose: &agent.Expose{Tools: []string{"echo", "number", "nap"}, Resources: true}})
	p.capabilities = takesTasks
	for _, tt := range []struct {
		title, method, params string
		want                  []string
	}{
		{"an unknown tool", "tools/call", `"name":"none"`, []string{`error {"code":-32602`, "none"}},
		{"a tool without a name", "tools/call", `"arguments":{}`, []string{`error {"code":-32020`}}, // the header that names it is missing
		{"an unknown resource", "resources/read", `"uri":"agent://none"`, []string{`error {"code":-32602`, "agent://none"}},
		{"an unknown run", "resources/read", `"uri":"agent://runs/none"`, []string{`error {"code":-32602`, "agent://runs/none"}},
		{"an unknown prompt", "prompts/get", `"name":"none"`, []string{`error {"code":-32602`, "none"}},
		{"a cursor", "tools/list", `"cursor":"a"`, []string{`error {"code":-32602`}},
		{"an argument of another type", "tools/call", `"name":"number","arguments":{"count":"three"}`, []string{`"isError":true`, "count"}},
		{"an argument too much", "tools/call", `"name":"number","arguments":{"count":3,"other":1}`, []string{`"isError":true`, "other"}},
		{"a missing argument", "tools/call", `"name":"number","arguments":{}`, []string{`"isError":true`, "count"}},
		{"no arguments", "tools/call", `"name":"number"`, []string{`"isError":true`, "count"}},
		{"arguments that are a list", "tools/call", `"name":"number","arguments":[]`, []string{`error {"code":-32602`}},
		{"an unknown task", "tasks/get", `"taskId":"none"`, []string{`error {"code":-32602,"message":"unknown task"}`}},
		{"an update of an unknown task", "tasks/update", `"taskId":"none","inputResponses":{}`, []string{`error {"code":-32602,"message":"unknown task"}`}},
		{"a stop of an unknown task", "tasks/cancel", `"taskId":"none"`, []string{`error {"code":-32602,"message":"unknown task"}`}},
		{"an unknown method", "tools/none", ``, []string{`error {"code":-32601`}},
	} {
		t.Run(tt.title, func(t *testing.T) {
			got := p.ask(tt.method, tt.params)
			for _, part := range tt.want {
				if !strings.Contains(got, part) {
					t.Errorf("got %s, want %s in it", got, part)
				}
			}
		})
	}
	id := p.slowTask(`"name":"nap","arguments":{"word":"hi"}`)
	want(t, p.ask("tasks/update", `"taskId":"`+id+`","inputResponses":{"a":{"action":"accept"},"b":7}`), `{"resultType":"complete"}`)
	want(t, p.status(id), "working")
	if at, ok := p.w.Due(); !ok || at > p.w.Now()+60_000 {
		t.Errorf("an update that nobody has asked for has changed what is due: %d", at)
	}
}
