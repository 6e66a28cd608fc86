package chat_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/internal/heap"
)

// flood sends chunks on an open response until the object cancels it, at most so many, and returns how many bytes it
// took.
func (w *remoteWorld) flood(q rpc, chunk string, most int) (bytes int) {
	for range most {
		if !w.Fetched("", q.Fetch, durable.FetchChunk{Fetch: q.Fetch, Data: []byte(chunk)}) {
			return bytes
		}
		bytes += len(chunk)
		for _, line := range w.Take() {
			w.lines = append(w.lines, line)
			if strings.Contains(line, "cancel "+q.Fetch) {
				return bytes
			}
		}
	}
	return bytes
}

// TestServerThatFloods sends a call 100 MB of events, or of one line, or of JSON, and a stream that never ends: the
// call fails in words, the response is cancelled, and the object holds no more than a bounded part of it meanwhile.
func TestServerThatFloods(t *testing.T) {
	const all = 100 << 20
	for name, c := range map[string]struct{ head, chunk string }{
		"events":         {"events:", sse(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"` + strings.Repeat("x", 60<<10) + `"}}`)},
		"one line":       {"events:", strings.Repeat("x", 64<<10)},
		"a long event":   {"events:", "data: " + strings.Repeat("x", 60<<10) + "\n"},
		"comments":       {"events:", ": " + strings.Repeat("x", 60<<10) + "\n\n"},
		"small messages": {"events:", strings.Repeat(sse(`{"jsonrpc":"2.0","method":"x"}`), 1_000)},
		"JSON":           {"", `"` + strings.Repeat("x", 64<<10)},
	} {
		t.Run(name, func(t *testing.T) {
			w := newRemote(t, docsAgent(), docs(func(rpc) (int, string) { return 0, "" }))
			w.do("connect a", "say a R1 u1: call docs_search {}", "tick 1s")
			if len(w.open) != 1 {
				t.Fatalf("%d calls are open", len(w.open))
			}
			q, kind := w.open[0], "application/json"
			if c.head != "" {
				kind = "text/event-stream"
			}
			w.Fetched("", q.Fetch, durable.FetchResponded{Fetch: q.Fetch, Status: 200, Header: map[string]string{"content-type": kind}})
			w.Take()
			before := heap.InUse()
			took := w.flood(q, c.chunk, all/len(c.chunk))
			if after := heap.InUse(); after > before+20<<20 {
				t.Errorf("%d bytes more are held", after-before)
			}
			if took > 17<<20 {
				t.Errorf("%d bytes were read", took)
			}
			w.do("tick 5s")
			w.wants("the tool search of the server docs", "cancel "+q.Fetch, `"done":true,"outcome":"completed"`)
		})
	}
}

// TestServerThatListsEvil checks what becomes of an evil list of tools: it fails in words, or the tools that cannot be
// used are left out with a line in the log, and nothing else is asked for because of it.
func TestServerThatListsEvil(t *testing.T) {
	deep := strings.Repeat(`{"type":"object","properties":{"a":`, 1_000) + `{}` + strings.Repeat(`}}`, 1_000)
	tool := func(name, schema string) string { return `{"name":"` + name + `","inputSchema":` + schema + `}` }
	var many []string
	for i := range 10_000 {
		many = append(many, tool(fmt.Sprint("t", i), `{"type":"object"}`))
	}
	const plain = `{"type":"object"}`
	for name, c := range map[string]struct {
		tools string
		words []string
	}{
		"10,000 tools":            {strings.Join(many, ","), []string{"The tools of the server", "more than 20,000 values"}},
		"a schema 1,000 deep":     {tool("bad", deep) + "," + tool("good", plain), []string{"nested deeper"}},
		"a schema 40 deep":        {tool("bad", strings.Repeat(`{"type":"object","properties":{"a":`, 40)+`{}`+strings.Repeat(`}}`, 40)) + "," + tool("good", plain), []string{"tools [docs_good]", "nested deeper than 32"}},
		"control characters":      {tool(`a\u001b[31mb`, plain) + "," + tool(`a\u202eb`, plain) + "," + tool("good", plain), []string{"tools [docs_good]", "characters that cannot be shown"}},
		"a schema elsewhere":      {tool("bad", `{"type":"object","properties":{"a":{"$ref":"https://evil.test/schema.json"}}}`) + "," + tool("good", plain), []string{"tools [docs_good]", "refers to another document"}},
		"a bad x-mcp-header":      {tool("bad", `{"type":"object","properties":{"a":{"type":"string","x-mcp-header":"a b"}}}`) + "," + tool("good", plain), []string{"tools [docs_good]", "no name of a header"}},
		"the same name twice":     {tool("good", plain) + "," + tool("good", plain), []string{"tools [docs_good]", "another tool has its name"}},
		"an input that is a text": {tool("bad", `{"type":"string"}`) + "," + tool("good", plain), []string{"tools [docs_good]", "not that of an object"}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newRemote(t, docsAgent(), func(q rpc) (int, string) {
				if q.Method == "tools/list" {
					return 200, `{"resultType":"complete","ttlMs":3600000,"tools":[` + c.tools + `]}`
				}
				return docs(func(rpc) (int, string) { return 200, said("x") })(q)
			})
			w.do("connect a", "say a R1 u1: hello", "tick 5s")
			w.wants(append(c.words, `"done":true,"outcome":"completed"`)...)
			if got := fmt.Sprint(w.asked); got != "[server/discover tools/list]" || strings.Contains(w.text(), "POST https://evil.test") || strings.Contains(w.text(), "GET https://evil.test") {
				t.Errorf("asked %s", got)
			}
			if strings.Contains(w.text(), "\x1b") {
				t.Error("a control character was sent")
			}
		})
	}
}

// TestServerThatRedirects checks that a call that is redirected to another host fails, and that the host is never
// asked.
func TestServerThatRedirects(t *testing.T) {
	for _, status := range []int{301, 302, 307, 308} {
		w := newRemote(t, docsAgent(), docs(func(rpc) (int, string) { return status, "plain:" }))
		w.do("connect a", "say a R1 u1: call docs_search {}", "tick 5s")
		w.wants("the tool search of the server docs", "redirects", `"done":true,"outcome":"completed"`)
		if w.calls() != 1 {
			t.Errorf("%d: asked %q", status, w.asked)
		}
	}
}

// TestStreamThatNeverEnds checks that a stream on which nothing but comments come ends behind half an hour.
func TestStreamThatNeverEnds(t *testing.T) {
	w := newRemote(t, docsAgent(), docs(func(rpc) (int, string) { return 200, "events:: hi\n\nOPEN" }))
	w.do("connect a", "say a R1 u1: call docs_search {}", "tick 1s")
	for minute := range 31 {
		if minute < 29 && strings.Contains(w.text(), `"done":true`) {
			t.Fatalf("the call ends behind %d minutes", minute)
		}
		w.more(w.open[0], ": hi\n\n")
		act(t, w.World, "tick 1m")
		w.serve()
	}
	w.wants("the tool search of the server docs", "cancel "+w.open[0].Fetch, `"done":true,"outcome":"completed"`)
}
