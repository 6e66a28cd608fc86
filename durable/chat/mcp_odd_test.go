package chat_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
)

// This file is about servers that differ from the specification in what many servers of the field differ in.

// odd returns a legacy server that answers one method with a given status and result.
func odd(method string, status int, result string) serverOf {
	return oddly(method, func(rpc) (int, string) { return status, result })
}

func oddly(method string, answer serverOf) serverOf {
	usual := legacy(func(rpc) (int, string) { return 200, "events:" + oldWords })
	return func(q rpc) (int, string) {
		if q.Method == method {
			return answer(q)
		}
		return usual(q)
	}
}

// works checks that a call of a server succeeds.
func works(t *testing.T, server serverOf) *remoteWorld {
	t.Helper()
	w := newRemote(t, docsAgent(), server)
	w.do("connect a", `frame a {"type":"rpc","id":"1","method":"reconnectMcpServer","args":["docs"]}`)
	for range 4 {
		w.do("tick 5s")
	}
	w.do(`say a R1 u1: call docs_search {}`, "tick 5s")
	w.wants(`it is \"old words\"`)
	if w.state() != "ready" {
		t.Errorf("the states are %q; asked was %q", w.states(), w.asked)
	}
	return w
}

// TestOnlyStatusOfNotificationCounts checks that whatever a server sends as the body of its answer to a notification
// does not matter, and neither does whether that ends.
func TestOnlyStatusOfNotificationCounts(t *testing.T) {
	for _, result := range []string{
		"as:application/json:{}", `as:application/json:{"jsonrpc":"2.0","result":{}}`, "as:application/json:null", "as:application/json:", "as::", "as:text/plain:",
		"as:text/plain:ok", "as:text/html:<html>", `as:application/json:{"jsonrpc":"2.0","id":null,"result":{}}`, `as:application/json:{"jsonrpc":`,
		`as:application/json:{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"no"}}`, "as:text/event-stream:", "as:text/event-stream:OPEN",
		"as:application/octet-stream:" + strings.Repeat("x", 100_000),
	} {
		for _, status := range []int{200, 201, 202, 204} {
			works(t, odd("notifications/initialized", status, result))
		}
	}
	for _, status := range []int{400, 500} {
		w := newRemote(t, docsAgent(), odd("notifications/initialized", status, "as:application/json:{}"))
		w.do("connect a", "say a R1 u1: hello", "tick 5s")
		if w.state() != "failed" {
			t.Errorf("%d: the states are %q", status, w.states())
		}
	}
}

// TestHandshakeFollowsProbe checks that a server that knows the handshake alone is used, whatever it answers to the
// question what it is, and that it is sent whole numbers as ids.
func TestHandshakeFollowsProbe(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		result string
	}{
		"it is silent":                 {0, ""},
		"its answer does not end":      {200, "as:application/json:{OPEN"},
		"an error of its own":          {500, "plain:oops"},
		"a gateway's error":            {502, "plain:bad gateway"},
		"a gateway's time":             {504, "plain:"},
		"not available":                {503, "plain:"},
		"the answer breaks off":        {200, "as:application/json:{BROKEN"},
		"an empty stream":              {200, "events:"},
		"a stream with other events":   {200, "events:event: ping\ndata: {}\n\n"},
		"a page":                       {200, "plain:<html>"},
		"no JSON":                      {200, "as:application/json:ok"},
		"nothing":                      {200, "as:application/json:"},
		"no content":                   {204, "as::"},
		"accepted":                     {202, "as::"},
		"a result of another kind":     {200, `{}`},
		"a result without versions":    {200, `{"supportedVersions":null}`},
		"versions of another time":     {200, `{"supportedVersions":["2031-01-01"],"capabilities":{}}`},
		"an answer to another request": {200, `as:application/json:{"jsonrpc":"2.0","id":0,"result":{}}`},
		"an unknown method":            {200, `error:{"code":-32601,"message":"Method not found"}`},
		"an error with a status":       {500, `error:{"code":-32603,"message":"unknown method server/discover"}`},
		"a header that differs":        {400, `error:{"code":-32020,"message":"no"}`},
		"versions that nobody speaks":  {400, `error:{"code":-32022,"message":"no","data":{"supported":["2031-01-01"]}}`},
		"not found":                    {404, "plain:"},
		"not allowed":                  {405, "plain:"},
		"forbidden":                    {403, "plain:"},
		"elsewhere":                    {302, "location:https://other.test/"},
	} {
		t.Run(name, func(t *testing.T) {
			w := works(t, odd("server/discover", c.status, c.result))
			if ids := regexp.MustCompile(`"id":[^,]*,"method":"`).FindAllString(w.text(), -1); len(ids) < 3 {
				t.Errorf("there are %d requests", len(ids))
			} else {
				for _, id := range ids {
					if !regexp.MustCompile(`^"id":[1-9][0-9]{0,9},"method":"$`).MatchString(id) {
						t.Errorf("the id of a request is %s", id)
					}
				}
			}
		})
	}
	w := newRemote(t, docsAgent(), odd("server/discover", 0, ""))
	w.do("connect a", "say a R1 u1: hello", "tick 9s")
	if got := fmt.Sprint(w.asked); got != "[server/discover]" {
		t.Errorf("asked %s before ten seconds are over", got)
	}
	if w.do("tick 1s"); len(w.asked) < 3 {
		t.Errorf("asked %q behind ten seconds", w.asked)
	}
}

// TestLostProbeIsFollowedByHandshake checks the same for a server that breaks off what it does not know.
func TestLostProbeIsFollowedByHandshake(t *testing.T) {
	var w *remoteWorld
	w = newRemote(t, docsAgent(), oddly("server/discover", func(q rpc) (int, string) {
		w.Fetched("", q.Fetch, durable.FetchFailed{Fetch: q.Fetch, Error: "reset"})
		return 0, ""
	}))
	w.do("connect a", "say a R1 u1: call docs_search {}", "tick 1s")
	w.wants(`it is \"old words\"`)
}

// forgetful is a server that forgets its sessions when forget is called, and refuses those that it does not know.
type forgetful struct {
	status   int
	result   string
	sessions int
	known    bool
	// lists says that it lists its tools without a session.
	lists bool
}

func (f *forgetful) serve(q rpc) (int, string) {
	usual := legacy(func(rpc) (int, string) { return 200, "events:" + oldWords })
	switch {
	case q.Method == "initialize":
		f.sessions++
		f.known = true
	case q.Method == "server/discover", f.lists && q.Method == "tools/list":
	case !f.known:
		return f.status, f.result
	}
	return usual(q)
}

// TestSessionIsBegunAnew checks that any refusal of a request with a session begins a new one, once, for a call and when
// a server is asked by hand.
func TestSessionIsBegunAnew(t *testing.T) {
	for _, c := range []struct {
		status int
		result string
	}{
		{404, "plain:"},
		{400, `error:{"code":-32000,"message":"Bad Request: No valid session ID provided"}`},
		{400, `as:application/json:{"error":"Invalid or missing session ID"}`},
		{400, "as:text/plain:unknown session"},
		{400, "as:text/plain:"},
		{400, `error:{"code":-32600,"message":"Bad Request"}`},
		{400, `error:{"code":-32602,"message":"Invalid request parameters"}`},
		{400, `as:application/json:{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"x"}}`},
		{404, `error:{"code":-32001,"message":"Session not found"}`},
		{405, "plain:"},
		{409, `as:application/json:{"detail":"no session"}`},
		{410, "plain:gone"},
		{422, "plain:"},
		{200, `error:{"code":-32600,"message":"Session terminated"}`},
		{200, `error:{"code":-32000,"message":"Server not initialized"}`},
		{200, `events:data: {"jsonrpc":"2.0","id":ID,"error":{"code":-32603,"message":"unknown session"}}` + "\n\n"},
	} {
		for _, lists := range []bool{false, true} {
			f := &forgetful{status: c.status, result: c.result, lists: lists}
			w := newRemote(t, docsAgent(), f.serve)
			w.do("connect a", "say a R1 u1: hello", "tick 1s")
			f.known = false
			w.do(`say a R2 u2: call docs_search {}`, "tick 5s")
			w.wants(`it is \"old words\"`)
			if f.sessions != 2 {
				t.Errorf("%d %s: %d sessions, want 2", c.status, c.result, f.sessions)
			}
			f.known = false
			w.do(`frame a {"type":"rpc","id":"1","method":"reconnectMcpServer","args":["docs"]}`, "tick 1s")
			if f.sessions != 3 || w.state() != "ready" {
				t.Errorf("%d %s: by hand: %d sessions, want 3; the state is %s", c.status, c.result, f.sessions, w.state())
			}
		}
	}
}

// TestSessionIsBegunAnewOnce checks that a call which is always refused ends, and that an error which may be that of a
// tool is not taken for a refusal.
func TestSessionIsBegunAnewOnce(t *testing.T) {
	for result, calls := range map[string]int{
		"400 plain:no": 2,
		`400 error:{"code":-32600,"message":"no"}`:                     2,
		`200 error:{"code":-32603,"message":"no paper"}`:               1,
		`200 error:{"code":-32602,"message":"an argument is missing"}`: 1,
		`500 plain:no`: 1,
	} {
		status, words, _ := strings.Cut(result, " ")
		w := newRemote(t, docsAgent(), oddly("tools/call", func(rpc) (n int, _ string) {
			_, _ = fmt.Sscan(status, &n)
			return n, words
		}))
		w.do("connect a", "say a R1 u1: call docs_write {}", "tick 5s")
		w.wants("the tool write of the server docs", `"done":true,"outcome":"completed"`)
		if got := w.calls(); got != calls {
			t.Errorf("%s: %d calls, want %d", result, got, calls)
		}
	}
}

// TestRefusedRestIsNoRefusalOfCall checks that a call is not made again when the server refuses the rest of the stream
// on which it answers: the call was taken.
func TestRefusedRestIsNoRefusalOfCall(t *testing.T) {
	for _, status := range []int{400, 401, 404, 405, 500} {
		w := newRemote(t, docsAgent(), legacy(func(q rpc) (int, string) {
			if q.Method == "GET" {
				return status, "plain:no"
			}
			return 200, "events:id: e1\ndata: \n\n"
		}))
		w.do("connect a", `say a R1 u1: call docs_write {}`, "tick 5s")
		w.wants(fmt.Sprint("has not sent the rest of its answer, with the status ", status))
		if w.calls() != 1 {
			t.Errorf("%d: %d calls", status, w.calls())
		}
	}
}

const searchTool = `{"name":"search","inputSchema":{"type":"object"}}`

// TestListsAreUsedAsFarAsTheyGo checks that what was read of a list is used, whatever comes behind it.
func TestListsAreUsedAsFarAsTheyGo(t *testing.T) {
	const all = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"prompts":{},"resources":{}},"serverInfo":{"name":"old","version":"1"}}`
	page := func(next string) string { return `{"tools":[` + searchTool + `],"nextCursor":` + next + `}` }
	for name, c := range map[string]struct {
		tools, second, prompts, resources string
		// left is whether a tool is said to be left out.
		left bool
	}{
		"an empty cursor for ever":       {tools: page(`""`)},
		"a cursor that stays":            {tools: page(`"8"`)},
		"a cursor that is null":          {tools: page(`null`)},
		"a cursor that is a number":      {tools: page(`8`)},
		"a second page that is refused":  {tools: page(`"2"`), second: `error:{"code":-32602,"message":"bad cursor"}`},
		"a second page without a list":   {tools: page(`"2"`), second: `{}`},
		"a second page that is null":     {tools: page(`"2"`), second: `{"tools":null}`},
		"a second page that is no JSON":  {tools: page(`"2"`), second: `as:text/html:<html>`},
		"a second page that is too much": {tools: page(`"2"`), second: `{"tools":[{"name":"b","description":"` + strings.Repeat("b", 1<<20-200) + `","inputSchema":{"type":"object"}}]}`},
		"a second page that is silent":   {tools: page(`"2"`), second: "silent"},
		"a second tool of its name":      {tools: page(`"2"`), second: `{"tools":[{"name":"search","description":"other","inputSchema":{"type":"object"}}]}`, left: true},
		"prompts that are null":          {tools: page(`null`), prompts: `{"prompts":null}`},
		"prompts without a list":         {tools: page(`null`), prompts: `{}`},
		"prompts that are no list":       {tools: page(`null`), prompts: `{"prompts":{}}`},
		"prompts that are refused":       {tools: page(`null`), prompts: `error:{"code":-32601,"message":"no"}`},
		"prompts that are a page":        {tools: page(`null`), prompts: `as:text/html:<html>`},
		"prompts that never come":        {tools: page(`null`), prompts: "silent"},
		"prompts for ever":               {tools: page(`null`), prompts: `{"prompts":[{"name":"p"}],"nextCursor":""}`},
		"resources that are null":        {tools: page(`null`), resources: `{"resources":null}`},
		"resources that are no JSON":     {tools: page(`null`), resources: `as:application/json:`},
		"resources for ever":             {tools: page(`null`), resources: `{"resources":[{"uri":"a:b","name":"r"}],"nextCursor":"x"}`},
	} {
		t.Run(name, func(t *testing.T) {
			pages, requests := 0, 0
			usual := legacy(func(rpc) (int, string) { return 200, "events:" + oldWords })
			w := newRemote(t, docsAgent(), func(q rpc) (int, string) {
				answer := ""
				requests++
				switch q.Method {
				case "initialize":
					answer = all
				case "tools/list":
					if answer = c.tools; pages > 0 && c.second != "" {
						answer = c.second
					}
					pages++
				case "prompts/list":
					answer = `{"prompts":[{"name":"p"}]}`
					if c.prompts != "" {
						answer = c.prompts
					}
				case "resources/list":
					answer = `{"resources":[{"uri":"a:b","name":"r"}]}`
					if c.resources != "" {
						answer = c.resources
					}
				default:
					return usual(q)
				}
				if answer == "silent" {
					return 0, ""
				}
				return 200, answer
			})
			w.do("connect a", "say a R0 u0: hello", "tick 30s", "tick 35s", "say a R1 u1: call docs_search {}", "tick 5s")
			w.wants(`it is \"old words\"`)
			frame := w.lastFrame()
			if w.state() != "ready" || strings.Count(frame, `"serverId":"docs","name":"search"`) != 1 || strings.Count(frame, `"name":"p"`) > 1 || strings.Count(frame, `"name":"r"`) > 1 {
				t.Errorf("the states are %q: %s", w.states(), frame)
			}
			if left := strings.Contains(w.text(), "another tool has its name"); left != c.left {
				t.Errorf("a tool is left out: %v", left)
			}
			if requests > 20 {
				t.Errorf("there are %d requests", requests)
			}
		})
	}
}

// TestListThatIsNotReadAtAll checks that a list of tools of which nothing can be read is a failure.
func TestListThatIsNotReadAtAll(t *testing.T) {
	for _, result := range []string{`{}`, `{"tools":"none"}`, `as:text/html:<html>`, `error:{"code":-32603,"message":"no"}`} {
		w := newRemote(t, docsAgent(), odd("tools/list", 200, result))
		w.do("connect a", "say a R1 u1: hello", "tick 5s")
		if w.state() != "failed" {
			t.Errorf("%s: the states are %q", result, w.states())
		}
	}
	w := newRemote(t, docsAgent(), odd("tools/list", 200, `{"tools":null}`))
	w.do("connect a", "say a R1 u1: hello", "tick 5s")
	if w.state() != "ready" {
		t.Errorf("no tools: the states are %q", w.states())
	}
}

// TestRedirectWithinOrigin checks that a redirect that keeps method and body is followed once, within the origin alone,
// and that all later requests go where it leads.
func TestRedirectWithinOrigin(t *testing.T) {
	for _, c := range []struct {
		status   int
		location string
		want     string
	}{
		{307, "/mcp/", "https://docs.test/mcp/"},
		{308, "/mcp/", "https://docs.test/mcp/"},
		{307, "mcp/", "https://docs.test/mcp/"},
		{308, "https://docs.test/v2/mcp", "https://docs.test/v2/mcp"},
		{307, "//docs.test/mcp/?a=b#c", "https://docs.test/mcp/?a=b"},
		{307, "", ""},
		{301, "/mcp/", ""},
		{302, "/mcp/", ""},
		{303, "/mcp/", ""},
		{307, "/mcp", ""},
		{307, "https://docs.test/mcp", ""},
		{307, "http://docs.test/mcp/", ""},
		{307, "https://docs.test:8443/mcp/", ""},
		{307, "https://me:pw@docs.test/mcp/", ""},
		{308, "https://evil.test/mcp/", ""},
		{308, "//evil.test/mcp/", ""},
		{307, "https://docs.test.evil.test/", ""},
		{307, "http://[::1/", ""},
	} {
		for _, server := range []serverOf{docs(func(rpc) (int, string) { return 200, said("old words") }), odd("", 202, "plain:")} {
			w := newRemote(t, docsAgent(), func(q rpc) (int, string) {
				if q.URL == "https://docs.test/mcp" {
					return c.status, "location:" + c.location
				}
				return server(q)
			})
			w.do("connect a", "say a R1 u1: call docs_search {}", "tick 1s")
			if strings.Contains(w.text(), "evil.test/ {") || strings.Contains(w.text(), "POST https://evil.test") {
				t.Errorf("%s was followed", c.location)
			}
			if c.want == "" {
				w.do("tick 10s")
				if w.state() != "failed" || !strings.Contains(w.lastFrame(), "redirects") || strings.Contains(w.lastFrame(), "pw@") {
					t.Errorf("%d %s: the states are %q: %s", c.status, c.location, w.states(), w.lastFrame())
				}
				continue
			}
			w.wants(`it is \"old words\"`, " POST "+c.want)
			before := strings.Count(w.text(), " POST https://docs.test/mcp ")
			w.do("evict", "connect a", "say a R2 u2: call docs_search {}", "tick 1s")
			if n := strings.Count(w.text(), " POST https://docs.test/mcp "); before != 1 || n != before {
				t.Errorf("%d %s: %d requests go to the old address, then %d", c.status, c.location, before, n)
			}
		}
	}
}

// TestRedirectIsFollowedOnce checks that a redirect behind a redirect is not followed.
func TestRedirectIsFollowedOnce(t *testing.T) {
	n := 0
	w := newRemote(t, docsAgent(), func(rpc) (int, string) {
		if n++; n > 10 {
			t.Fatal("redirects are followed again and again")
		}
		return 307, fmt.Sprint("location:/mcp/", n)
	})
	w.do("connect a", "say a R1 u1: hello", "tick 5s")
	if w.state() != "failed" || n > 4 {
		t.Errorf("%d requests, the states are %q", n, w.states())
	}
}

// TestCallIsRedirected checks that a server which redirects from now on is asked where it is, and that the call is made
// there.
func TestCallIsRedirected(t *testing.T) {
	moved, calls := false, 0
	server := docs(func(rpc) (int, string) { calls++; return 200, said("old words") })
	w := newRemote(t, docsAgent(), func(q rpc) (int, string) {
		if moved && q.URL == "https://docs.test/mcp" {
			return 308, "location:/new"
		}
		return server(q)
	})
	w.do("connect a", "say a R1 u1: hello", "tick 1s")
	moved = true
	w.do("say a R2 u2: call docs_write {\"a\":1}", "tick 1s")
	w.wants(`it is \"old words\"`)
	if calls != 1 {
		t.Errorf("%d calls", calls)
	}
}
