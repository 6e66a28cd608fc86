package chat_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// listServers returns what the method mcpServers says.
func (w *remoteWorld) listServers() string {
	from := len(w.lines)
	w.do(`frame a {"type":"rpc","id":"list","method":"mcpServers","args":[]}`)
	for _, line := range w.lines[from:] {
		if strings.Contains(line, `"id":"list"`) {
			return line
		}
	}
	w.t.Fatal("mcpServers is not answered")
	return ""
}

// lastFrame is the last frame about servers.
func (w *remoteWorld) lastFrame() string {
	for i := len(w.lines) - 1; i >= 0; i-- {
		if strings.Contains(w.lines[i], "cf_agent_mcp_servers") {
			return w.lines[i]
		}
	}
	w.t.Fatal("there is no frame about servers")
	return ""
}

// TestFailedCallIsKept checks that a call which fails does so in words that name the server and the tool, that the
// server, which stays ready, keeps them until a call succeeds, and that they are short and without a header.
func TestFailedCallIsKept(t *testing.T) {
	answer := sse(`{"jsonrpc":"2.0","id":ID,"result":` + said("found") + `}`)
	for name, c := range map[string]struct{ result, words string }{
		"another id":       {"events:" + sse(`{"jsonrpc":"2.0","id":"other","result":{}}`), "answers another request"},
		"two answers":      {"events:" + answer + answer + strings.Repeat(": x\n\n", 1_000), "answers twice"},
		"no content":       {`{"resultType":"complete"}`, "the result has no content"},
		"a bad result":     {`{"resultType":"complete","content":[],"structuredContent":{"n":"one"}}`, "its result does not fit its schema"},
		"not negotiated":   {`{"resultType":"magic","content":[]}`, "of a type that was not agreed on"},
		"no answer":        {"events:" + sse(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}`), "ends without an answer"},
		"a secret":         {`error:{"code":-32603,"message":"no entry for hidden-token"}`, "no entry for …"},
		"words at length":  {`error:{"code":-32603,"message":"` + strings.Repeat("no ", 1_000) + `"}`, "no no no"},
		"a chunk too many": {"events:" + strings.Repeat(sse(`{"jsonrpc":"2.0","method":"x"}`), 10_001), "does not end"},
	} {
		t.Run(name, func(t *testing.T) {
			result := c.result
			w := newRemote(t, docsAgent(), promising(docs(func(rpc) (int, string) { return 200, result })))
			w.do("connect a", `frame a {"type":"rpc","id":"add","method":"addMcpServer","args":[{"name":"mine","url":"https://mine.test/mcp","headers":{"Authorization":"Bearer hidden-token"}}]}`)
			w.do("tick 1s", `say a R1 u1: call mine_search {}`, "tick 10s")
			want := regexp.MustCompile(`"state":"ready","error":"the tool search of the server mine: [^"]*` + c.words)
			for _, shown := range []string{w.listServers(), w.lastFrame()} {
				if !want.MatchString(shown) || strings.Contains(shown, "hidden-token") {
					t.Errorf("shown is %s", shown[:min(len(shown), 2_000)])
				}
				if e := regexp.MustCompile(`"error":"([^"]*)"`).FindStringSubmatch(shown); e != nil && len(e[1]) > 300 {
					t.Errorf("the error has %d bytes", len(e[1]))
				}
			}
			w.do("evict", "connect a")
			if shown := w.listServers(); !want.MatchString(shown) {
				t.Errorf("behind a loss of memory: %s", shown)
			}
			result = `{"resultType":"complete","content":[],"structuredContent":{"n":1}}`
			w.do(`say a R2 u2: call mine_search {}`, "tick 10s")
			w.wants(`it is {\"n\":1}`)
			if shown := w.listServers() + w.lastFrame(); strings.Contains(shown, c.words) {
				t.Errorf("the error is still there: %s", shown)
			}
		})
	}
}

// TestFailureIsNotedOnce checks that code which is run again over its journal does not note an old failure anew.
func TestFailureIsNotedOnce(t *testing.T) {
	w := newRemote(t, codeAgent(), docs(func(q rpc) (int, string) {
		if strings.Contains(q.Body, "first") {
			return 500, "plain:oops"
		}
		return 0, ""
	}))
	w.do("connect a", `say a R1 u1: call twice {}`, "tick 2s")
	if shown := w.listServers(); !strings.Contains(shown, "status 500") {
		t.Fatalf("the failure is not noted: %s", shown)
	}
	w.do(`frame a {"type":"rpc","id":"again","method":"reconnectMcpServer","args":["docs"]}`, "tick 2s")
	for _, lost := range []bool{false, true} {
		if lost {
			w.do("evict", "connect a", "tick 2s")
			if n := strings.Count(strings.Join(w.asked, " "), "tools/call"); n != 3 {
				t.Fatalf("%d calls: the code was not run again", n)
			}
		}
		if shown := w.listServers(); strings.Contains(shown, "status 500") {
			t.Errorf("lost %v: %s", lost, shown)
		}
	}
}

// TestLinksFirst checks that a legacy server that refuses a call until a person has visited a link gets the same call
// again behind that, also when the memory is lost meanwhile, and that a person can say no.
func TestLinksFirst(t *testing.T) {
	const refusal = `error:{"code":-32042,"message":"sign the form","data":{"elicitations":[{"mode":"url","elicitationId":"e1","url":"https://forms.test/1","message":"Please sign."}]}}`
	for verdict, want := range map[string]struct {
		words string
		calls int
	}{
		"approve": {`it is \"old words\"`, 2}, "deny": {"nobody has", 1},
	} {
		var ids []string
		w := newRemote(t, docsAgent(), legacy(func(q rpc) (int, string) {
			if ids = append(ids, string(q.ID)); len(ids) == 1 {
				return 200, refusal
			}
			return 200, `{"content":[{"type":"text","text":"old words"}]}`
		}))
		w.do("connect a", `say a R1 u1: call docs_write {}`, "tick 1s")
		w.wants("The server docs asks you to visit forms.test", "Please sign.", "https://forms.test/1")
		w.do("evict", "jump 1h", "connect b", verdict+" b "+regexp.MustCompile(`ask_[A-Za-z0-9_-]{16}`).FindString(w.text()), "tick 5s")
		w.wants(want.words)
		if len(ids) != want.calls || len(ids) == 2 && ids[0] == ids[1] {
			t.Errorf("%s: the ids of the calls are %v", verdict, fmt.Sprint(ids))
		}
	}
}
