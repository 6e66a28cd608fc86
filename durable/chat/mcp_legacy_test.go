package chat_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/agent"
)

// legacy is a server of 2025-11-25. calls answers what is called, requests for the rest of a stream, and answers to
// questions, whose method is "". The server has no stream that belongs to no request.
func legacy(calls serverOf) serverOf {
	return func(q rpc) (int, string) {
		switch q.Method {
		case "GET":
			if !strings.Contains(q.Header, "last-event-id") {
				return 405, "plain:"
			}
		case "server/discover":
			return 404, "plain:"
		case "initialize":
			return 200, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}`
		case "notifications/initialized":
			return 202, "plain:"
		case "tools/list":
			return 200, `{"tools":[{"name":"search","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},{"name":"write","inputSchema":{"type":"object"}}]}`
		}
		return calls(q)
	}
}

// oldWords is the answer to a call, on a stream.
const oldWords = `data: {"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"old words"}]}}` + "\n\n"

const whichRow = `data: {"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"which row?","requestedSchema":{"type":"object","properties":{"row":{"type":"integer"}}}}}` + "\n\n"

// TestLegacyServer checks the handshake, and that a session that has ended is begun anew, once.
func TestLegacyServer(t *testing.T) {
	sessions := 0
	ended := false
	w := newRemote(t, docsAgent(), func(q rpc) (int, string) {
		switch q.Method {
		case "server/discover":
			return 400, "plain:what"
		case "initialize":
			sessions++
			ended = false
			return 200, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}`
		case "notifications/initialized":
			return 202, "plain:"
		case "tools/list":
			if ended {
				return 404, "plain:gone"
			}
			return 200, `{"tools":[{"name":"search","inputSchema":{"type":"object"}}]}`
		}
		if ended {
			return 404, "plain:gone"
		}
		return 200, `{"content":[{"type":"text","text":"old words"}]}`
	})
	w.do("connect a", `say a R1 u1: hello`, "tick 1s")
	ended = true
	w.do(`say a R2 u2: call docs_search {}`, "tick 5s")
	w.wants(`it is \"old words\"`)
	if sessions != 2 {
		t.Errorf("%d sessions, want 2; asked %q", sessions, w.asked)
	}
}

// TestStreamGoesOn checks that the stream of a legacy server that ends or breaks off goes on behind its last event,
// after the pause that the server wants, and that the call is not made again.
func TestStreamGoesOn(t *testing.T) {
	for _, end := range []string{"", "BROKEN"} {
		for _, lose := range []bool{false, true} {
			var resumed []string
			call := ""
			w := newRemote(t, docsAgent(), legacy(func(q rpc) (int, string) {
				if q.Method == "tools/call" {
					call = string(q.ID)
					return 200, "events:id: e1\nretry: 700\ndata: \n\n" + end
				}
				if resumed = append(resumed, regexp.MustCompile(`last-event-id="\w+"`).FindString(q.Header)); len(resumed) == 1 {
					return 200, "events:id: e2\ndata: \n\n"
				}
				return 200, "events:" + strings.ReplaceAll(oldWords, "ID", call)
			}))
			w.do("connect a", "say a R0 u0: hello", "tick 1s")
			w.lose = lose
			begun := w.Now()
			w.do(`say a R1 u1: call docs_write {}`)
			act(t, w.World, "tick 600ms")
			w.serve()
			if len(resumed) > 0 {
				t.Fatalf("%q: the stream goes on after %d ms", end, w.Now()-begun)
			}
			w.do("tick 5s", "get /agents/x/room/get-messages", "tick 5s", "get /agents/x/room/get-messages", "tick 5s")
			w.wants(`it is \"old words\"`)
			if got := fmt.Sprint(resumed); got != `[last-event-id="e1" last-event-id="e2"]` {
				t.Errorf("%q: resumed %s", end, got)
			}
			if n := strings.Count(fmt.Sprint(w.asked), "tools/call"); n != 1 {
				t.Errorf("%q, lose %v: %d calls, want 1", end, lose, n)
			}
		}
	}
}

// TestStreamThatCannotGoOn checks that a stream without events that have ids ends in words.
func TestStreamThatCannotGoOn(t *testing.T) {
	for events, words := range map[string]string{
		"": "ends without an answer", "BROKEN": "reset", "id: e1\ndata: \n\n": "with the status 405",
	} {
		w := newRemote(t, docsAgent(), legacy(func(q rpc) (int, string) {
			if q.Method == "GET" {
				return 405, "plain:no"
			}
			return 200, "events:" + events
		}))
		w.do("connect a", `say a R1 u1: call docs_write {}`, "tick 5s")
		w.wants("the tool write of the server docs", words)
	}
}

// TestElicitOfLegacyServer checks that the author's hook answers a form that a server asks while it works.
func TestElicitOfLegacyServer(t *testing.T) {
	a := docsAgent()
	a.MCP = &agent.MCP{
		Servers: []agent.MCPServer{{Name: "docs", URL: "https://docs.test/mcp"}},
		Elicit: func(server, message string, _, defaults json.RawMessage) (json.RawMessage, bool) {
			return defaults, server == "docs" && message == "which?"
		},
	}
	var answers []string
	w := newRemote(t, a, func(q rpc) (int, string) {
		switch q.Method {
		case "server/discover":
			return 404, "plain:"
		case "initialize":
			if !strings.Contains(q.Body, "elicitation") {
				t.Errorf("forms are not offered: %s", q.Body)
			}
			return 200, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}`
		case "notifications/initialized":
			return 202, "plain:"
		case "tools/list":
			return 200, `{"tools":[{"name":"search","inputSchema":{"type":"object"}}]}`
		case "":
			answers = append(answers, q.Body)
			return 202, "plain:"
		case "GET":
			return 405, "plain:"
		}
		return 200, "events:" + sse(`{"jsonrpc":"2.0","id":"q1","method":"elicitation/create","params":{"message":"which?","requestedSchema":{"type":"object","properties":{"row":{"type":"integer","default":3}}}}}`) +
			sse(`{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"old words"}]}}`)
	})
	w.do("connect a", `say a R1 u1: call docs_search {}`, "tick 5s")
	w.wants(`it is \"old words\"`)
	if got, want := fmt.Sprint(answers), `[{"jsonrpc":"2.0","id":"q1","result":{"action":"accept","content":{"row":3}}}]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestPersonAnswersOnStream checks that a person is asked while the stream of a legacy server is open, and that the
// server gets the answer, or after five minutes a cancellation.
func TestPersonAnswersOnStream(t *testing.T) {
	for action, want := range map[string]string{
		`result a %s {"row":4}`: `{"action":"accept","content":{"row":4}}`,
		`deny a %s`:             `{"action":"decline"}`,
		"":                      `{"action":"cancel"}`,
	} {
		var answers []string
		w := newRemote(t, docsAgent(), legacy(func(q rpc) (int, string) {
			if q.Method == "" {
				answers = append(answers, q.Body)
				return 202, "plain:"
			}
			return 200, "events:" + whichRow + "OPEN"
		}))
		w.do("connect a", `say a R1 u1: call docs_write {}`, "tick 1s")
		w.wants("The server docs asks", "which row?")
		if action != "" {
			w.do(fmt.Sprintf(action, regexp.MustCompile(`ask_[A-Za-z0-9_-]{16}`).FindString(w.text())), "tick 1s")
		}
		for range 4 {
			act(t, w.World, "tick 70s")
			w.serve()
		}
		if action == "" && len(answers) > 0 {
			t.Errorf("the question is answered by %s before five minutes", answers)
		}
		w.do("tick 70s")
		if got := fmt.Sprint(answers); got != `[{"jsonrpc":"2.0","id":"q1","result":`+want+`}]` {
			t.Errorf("%q: got %s, want %s", action, got, want)
		}
		w.more(w.open[0], oldWords)
		w.do("tick 5s")
		w.wants(`it is \"old words\"`)
	}
}

// TestQuestionOnStreamOfItsOwn checks that a server may ask on the stream that belongs to no request, which is open for
// as long as the call.
func TestQuestionOnStreamOfItsOwn(t *testing.T) {
	var answers []string
	calls := legacy(func(q rpc) (int, string) {
		if q.Method == "" {
			answers = append(answers, q.Body)
			return 202, "plain:"
		}
		return 200, "events:OPEN"
	})
	w := newRemote(t, docsAgent(), func(q rpc) (int, string) {
		if q.Method == "GET" {
			return 200, "events:" + whichRow + "OPEN"
		}
		return calls(q)
	})
	w.do("connect a", `say a R1 u1: call docs_write {}`, "tick 1s")
	w.wants("The server docs asks", "which row?")
	w.do(fmt.Sprintf(`result a %s {"row":4}`, regexp.MustCompile(`ask_[A-Za-z0-9_-]{16}`).FindString(w.text())), "tick 1s")
	if got := fmt.Sprint(answers); got != `[{"jsonrpc":"2.0","id":"q1","result":{"action":"accept","content":{"row":4}}}]` {
		t.Errorf("got %s", got)
	}
	listening, call := w.open[0], w.open[1]
	w.more(call, strings.ReplaceAll(oldWords, "ID", string(call.ID)))
	w.do("tick 5s")
	w.wants(`it is \"old words\"`, "cancel "+listening.Fetch)
}

// TestQuestionEndsWithStream checks that a question is withdrawn when its stream ends, and that nobody answers it.
func TestQuestionEndsWithStream(t *testing.T) {
	w := newRemote(t, docsAgent(), legacy(func(rpc) (int, string) { return 200, "events:" + whichRow + "OPEN" }))
	w.do("connect a", `say a R1 u1: call docs_write {}`, "tick 1s")
	w.wants("which row?")
	w.more(w.open[0], oldWords)
	w.do("tick 5s")
	w.wants(`it is \"old words\"`, "the question was withdrawn")
	if slices.Contains(w.asked, "") {
		t.Error("a question without a stream was answered")
	}
}

// TestLegacyCallWithQuestionIsInDoubt checks that a call is not made again whose instance is lost while a person is
// asked on its stream.
func TestLegacyCallWithQuestionIsInDoubt(t *testing.T) {
	w := newRemote(t, docsAgent(), legacy(func(rpc) (int, string) { return 200, "events:" + whichRow + "OPEN" }))
	w.do("connect a", `say a R1 u1: call docs_write {}`, "tick 1s", "evict", "get /agents/x/room/get-messages", "tick 10m")
	w.wants("it may or may not have happened")
	if n := strings.Count(fmt.Sprint(w.asked), "tools/call"); n != 1 {
		t.Errorf("%d calls, want 1", n)
	}
}

// TestSampling checks that a server asks the model only where the option says so, and only with an approval, in both
// eras.
func TestSampling(t *testing.T) {
	const params = `{"messages":[{"role":"user","content":{"type":"text","text":"chunks=2"}}],"maxTokens":9}`
	for _, modern := range []bool{true, false} {
		for _, verdict := range []string{"approve", "deny"} {
			var bodies []string
			calls := func(q rpc) (int, string) {
				switch {
				case q.Method == "" || q.Params.InputResponses != nil:
					bodies = append(bodies, q.Body)
					return 200, said("sampled")
				case modern:
					return 200, `{"resultType":"input_required","inputRequests":{"a":{"method":"sampling/createMessage","params":` + params + `}}}`
				}
				return 200, `events:data: {"jsonrpc":"2.0","id":"q1","method":"sampling/createMessage","params":` + params + "}\n\nOPEN"
			}
			server := legacy(calls)
			if modern {
				server = docs(calls)
			}
			a := docsAgent()
			a.MCP.(*agent.MCP).Sampling = true
			w := newRemote(t, a, server)
			w.do("connect a", `say a R1 u1: call docs_write {}`, "tick 1s")
			w.wants("asks the model of this agent", "chunks=2", `"sampling":{}`)
			id := regexp.MustCompile(`ask_[A-Za-z0-9_-]{16}`).FindString(w.text())
			w.do(verdict+" a "+id, "tick 1m")
			got := strings.Join(bodies, "\n")
			switch {
			case verdict == "approve" && !strings.Contains(got, `"role":"assistant","content":{"type":"text","text":"`):
				t.Errorf("modern %v: the answer is %s", modern, got)
			case verdict == "deny" && modern:
				w.wants("a person has denied its request to the model")
			case verdict == "deny" && !strings.Contains(got, `"error":{"code":-1`):
				t.Errorf("the refusal is %s", got)
			}
		}
	}
}

// TestRoots checks that roots are declared and answered only where the option says so.
func TestRoots(t *testing.T) {
	for _, option := range []bool{false, true} {
		answer := ""
		a := docsAgent()
		a.MCP.(*agent.MCP).Roots = option
		w := newRemote(t, a, legacy(func(q rpc) (int, string) {
			if q.Method == "" {
				answer = q.Body
				return 202, "plain:"
			}
			return 200, `events:data: {"jsonrpc":"2.0","id":7,"method":"roots/list"}` + "\n\n" + oldWords
		}))
		w.do("connect a", `say a R1 u1: call docs_write {}`, "tick 5s")
		w.wants(`it is \"old words\"`)
		want := `{"jsonrpc":"2.0","id":7,"error":{"code":-32601`
		if option {
			want = `{"jsonrpc":"2.0","id":7,"result":{"roots":[]}}`
		}
		if !strings.HasPrefix(answer, want) || option != strings.Contains(w.text(), `"roots":{}`) {
			t.Errorf("option %v: got %s", option, answer)
		}
	}
}
