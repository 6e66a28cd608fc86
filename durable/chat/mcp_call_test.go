package chat_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
)

// TestCallIsMadeOnce checks what becomes of a call whose instance is lost: one that only reads is made again, any
// other one is not.
func TestCallIsMadeOnce(t *testing.T) {
	for tool, want := range map[string]struct {
		calls int
		words string
	}{"search": {2, `it is \"found\"`}, "write": {1, "it may or may not have happened"}} {
		calls := 0
		w := newRemote(t, docsAgent(), docs(func(q rpc) (int, string) {
			if calls++; calls == 1 {
				return 0, ""
			}
			return 200, said("found")
		}))
		w.do("connect a", `say a R1 u1: call docs_`+tool+` {}`, "tick 1s", "evict", "get /agents/x/room/get-messages", "tick 1m", "get /agents/x/room/get-messages")
		w.wants(want.words)
		if calls != want.calls {
			t.Errorf("%s was called %d times, want %d", tool, calls, want.calls)
		}
	}
}

// TestFinishedCallIsNeverMadeAgain loses all memory behind every answer.
func TestFinishedCallIsNeverMadeAgain(t *testing.T) {
	calls := 0
	w := newRemote(t, docsAgent(), docs(func(rpc) (int, string) { calls++; return 200, said("written") }))
	w.lose = true
	w.do("connect a", `say a R1 u1: call docs_write {}`, "tick 1m", "get /agents/x/room/get-messages", "tick 1m", "get /agents/x/room/get-messages")
	w.wants(`it is \"written\"`)
	if calls != 1 {
		t.Errorf("%d calls, want 1", calls)
	}
}

// TestQuestionOfServer checks that a question of a server is answered by a person behind an hour and a loss of
// memory, and that the call is repeated with the exact state.
func TestQuestionOfServer(t *testing.T) {
	for answer, want := range map[string]string{
		`result a %s {"row":5}`: `{"seat":{"action":"accept","content":{"row":5}}}`,
		`deny a %s`:             `{"seat":{"action":"decline"}}`,
	} {
		var states, responses []string
		w := newRemote(t, docsAgent(), docs(func(q rpc) (int, string) {
			if q.Params.RequestState == "" {
				return 200, `{"resultType":"input_required","requestState":"opaque \u00fc \\n","inputRequests":{"seat":{"method":"elicitation/create","params":{"mode":"form","message":"which seat?",
					"requestedSchema":{"type":"object","properties":{"row":{"type":"integer"}}}}}}}`
			}
			states, responses = append(states, q.Params.RequestState), append(responses, string(q.Params.InputResponses))
			return 200, said("booked")
		}))
		w.do("connect a", `say a R1 u1: call docs_book {}`, "tick 1s")
		w.wants(`The server docs asks`, `which seat?`)
		id := regexp.MustCompile(`ask_[A-Za-z0-9_-]{16}`).FindString(w.text())
		w.do("evict", "jump 1h", "connect b", fmt.Sprintf(answer, id), "tick 5s")
		w.wants(`it is \"booked\"`)
		if fmt.Sprintf("%q %q", states, responses) != fmt.Sprintf("%q %q", []string{"opaque ü \\n"}, []string{want}) {
			t.Errorf("got %q %q, want %s", states, responses, want)
		}
	}
}

// TestBadAnswersOfServers checks that a call fails in words that name the server and the tool.
func TestBadAnswersOfServers(t *testing.T) {
	for name, c := range map[string]struct {
		status        int
		result, words string
	}{
		"no message":     {200, "plain:<html>", "neither JSON nor a stream of events"},
		"refused":        {500, "plain:oops", "with the status 500"},
		"an error":       {400, `error:{"code":-32602,"message":"no such tool"}`, "no such tool"},
		"no content":     {200, `{"resultType":"complete"}`, "content"},
		"unknown type":   {200, `{"resultType":"magic","content":[]}`, "the tool search of the server docs"},
		"sampling":       {200, `{"resultType":"input_required","inputRequests":{"a":{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"x"}}],"maxTokens":1}}}}`, "it was not offered"},
		"failed":         {200, `{"resultType":"complete","isError":true,"content":[{"type":"text","text":"no luck"}]}`, "no luck"},
		"forbidden":      {403, "plain:", "it refuses this client"},
		"asks for ever":  {200, `{"resultType":"input_required","requestState":"x"}`, "it has asked 10 times and not answered"},
		"a private link": {200, `{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"http://169.254.169.254/"}}}}`, "it wants a person to visit a link"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newRemote(t, docsAgent(), docs(func(rpc) (int, string) { return c.status, c.result }))
			w.do("connect a", `say a R1 u1: call docs_search {}`, "tick 10s")
			w.wants("server docs", c.words)
		})
	}
}

// TestStreamOfEvents checks answers that come as a stream, and what is no answer.
func TestStreamOfEvents(t *testing.T) {
	answer := sse(`{"jsonrpc":"2.0","id":ID,"result":` + said("found") + `}`)
	progress := sse(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`)
	for name, c := range map[string]struct{ events, words string }{
		"an answer":           {": hi\n\n" + progress + answer, `it is \"found\"`},
		"two answers at once": {answer + answer + strings.Repeat(": x\n\n", 1_000), "answers twice"},
		"a foreign answer":    {sse(`{"jsonrpc":"2.0","id":"other","result":{}}`), "answers another request"},
		"no answer":           {progress, "ends without an answer"},
		"a request":           {sse(`{"jsonrpc":"2.0","id":1,"method":"ping"}`), "sends a request"},
		"events that flood":   {strings.Repeat(progress, 10_001), "does not end"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newRemote(t, docsAgent(), docs(func(rpc) (int, string) { return 200, "events:" + c.events }))
			w.do("connect a", `say a R1 u1: call docs_search {}`, "tick 5s")
			w.wants(c.words)
		})
	}
}

// TestHostileServer checks that what a server sends without an end, or without measure, ends in words.
func TestHostileServer(t *testing.T) {
	var tools []string
	for i := range 2_000 {
		tools = append(tools, fmt.Sprintf(`{"name":"t%d","inputSchema":{"type":"object"}}`, i))
	}
	deep := strings.Repeat(`{"type":"object","properties":{"a":`, 40) + `{}` + strings.Repeat(`}}`, 40)
	for name, c := range map[string]struct{ list, words string }{
		"many tools":                   {`{"resultType":"complete","ttlMs":0,"tools":[` + strings.Join(tools, ",") + `]}`, `"state":"ready"`},
		"a deep schema and a bad name": {`{"resultType":"complete","ttlMs":0,"tools":[{"name":"deep","inputSchema":` + deep + `},{"name":"a\u0001b","inputSchema":{"type":"object"}},{"name":"good","inputSchema":{"type":"object"}}]}`, "tools [docs_good]"},
		"pages without an end":         {`{"resultType":"complete","ttlMs":0,"nextCursor":"again","tools":[]}`, "leads back to a page"},
		"no list":                      {`{"resultType":"complete"}`, `"state":"failed"`},
	} {
		t.Run(name, func(t *testing.T) {
			w := newRemote(t, docsAgent(), func(q rpc) (int, string) {
				if q.Method == "tools/list" {
					return 200, c.list
				}
				return docs(func(rpc) (int, string) { return 200, said("x") })(q)
			})
			w.do("connect a", "say a R1 u1: hello", "tick 5s")
			w.wants(c.words, `"done":true,"outcome":"completed"`)
			for _, line := range w.lines {
				if strings.Contains(line, "cf_agent_mcp_servers") && len(line) > 513<<10 {
					t.Errorf("a frame has %d bytes", len(line))
				}
			}
		})
	}
}

// TestCodeThatIsStoppedWaitsForNoServer stops code that waits for a server, and whose other branch traps each time, while
// it is not in memory.
func TestCodeThatIsStoppedWaitsForNoServer(t *testing.T) {
	a := docsAgent()
	a.Tools = []agent.Tool{agent.NewTool("seek", "", func(c *agent.Context, _ struct{}) (string, error) {
		flow.Go(c, "search", func() (string, error) {
			r, err := c.MCP("docs").Call("search", struct{}{})
			return r.Text, err
		})
		if err := flow.Sleep(c, 2*time.Second); err != nil {
			return "", err
		}
		panic("it traps")
	})}
	w := newRemote(t, a, func(rpc) (int, string) { return 0, "" })
	waiting := func() int64 { return sql(t, w.engine, `SELECT COUNT(*) FROM mcp_waiter`)[0].Int(0) }
	w.do("connect a", "say a R1 u1: call seek {}")
	for !strings.Contains(w.text(), "trap") {
		w.do("tick")
	}
	w.do("get /agents/x/room/get-messages")
	if waiting() == 0 {
		t.Fatal("no code waits for a server")
	}
	w.do("cancel a R1")
	if n := waiting(); n != 0 {
		t.Errorf("%d waits are left", n)
	}
}
