package chat_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
)

// rpc is a request to the server of a test.
type rpc struct {
	Fetch, URL, Header, Body string
	ID                       json.RawMessage
	Method                   string
	Params                   struct {
		Name           string
		Arguments      json.RawMessage
		TaskID         string
		Cursor         string
		RequestState   string
		InputResponses json.RawMessage
	}
}

// serverOf answers requests: with the status and the JSON of a result, or of an error that begins with "error:". The
// answer "" leaves a request open.
type serverOf func(q rpc) (status int, result string)

// remoteWorld is a conversation with servers that a function answers for.
type remoteWorld struct {
	*durabletest.World
	t      *testing.T
	engine *durabletest.Native
	server serverOf
	// asked are the methods that were asked for, and lines what the world has noted.
	asked []string
	lines []string
	open  []rpc
	posts int
	// lose has all memory lost behind each answer to a call.
	lose bool
	// web answers the requests that are none of the protocol, or is nil. loseAll has all memory lost behind
	// each answer and between its parts.
	web     func(q web) (status int, body string)
	loseAll bool
}

func newRemote(t *testing.T, a agent.Agent, server serverOf) *remoteWorld {
	t.Helper()
	a.Name, a.Model = "Own", chattest.Calling{}
	return newRemoteOf(t, server, a)
}

// newRemoteOf is newRemote for several agents, of which the first one is the root.
func newRemoteOf(t *testing.T, server serverOf, agents ...agent.Agent) *remoteWorld {
	t.Helper()
	var classes []durable.Class
	for _, a := range agents {
		classes = append(classes, chattest.Class(a))
	}
	engine := durabletest.NewNative(1, classes...)
	t.Cleanup(func() { engine.Close() })
	return &remoteWorld{World: durabletest.NewWorld(engine, agents[0].Name, "room"), t: t, engine: engine, server: server}
}

var serverFetch = regexp.MustCompile(`(?s)^\s*fetch (\S+) (POST|GET) (\S+)(.*?)(?: (\{.*))?$`)

// do performs actions, and has the server answer what is asked.
func (w *remoteWorld) do(actions ...string) {
	w.t.Helper()
	for _, action := range actions {
		for act(w.t, w.World, action); w.serve() && strings.HasPrefix(action, "tick"); {
			act(w.t, w.World, "tick 1s")
		}
	}
}

// serve answers requests until there are none, and says whether there were any.
func (w *remoteWorld) serve() (any bool) {
	for {
		fresh := w.Take()
		w.lines = append(w.lines, fresh...)
		var requests []rpc
		for _, line := range fresh {
			if m := otherFetch.FindStringSubmatch(line); m != nil && w.web != nil && !strings.HasPrefix(m[5], "{\"jsonrpc") {
				any = true
				w.answerWeb(web{Fetch: m[1], Method: m[2], URL: m[3], Header: m[4], Body: m[5]})
			} else if m := serverFetch.FindStringSubmatch(line); m != nil {
				q := rpc{Fetch: m[1], URL: m[3], Header: m[4], Body: m[5], Method: m[2]}
				if m[2] == "POST" {
					q.Method = ""
					if err := json.Unmarshal([]byte(q.Body), &q); err != nil {
						w.t.Fatalf("%s: %v", line, err)
					}
				}
				requests = append(requests, q)
			}
		}
		if len(fresh) == 0 {
			return any
		}
		if len(requests) == 0 {
			continue
		}
		any = true
		for _, q := range requests {
			w.answer(q)
		}
	}
}

func (w *remoteWorld) answer(q rpc) {
	w.asked = append(w.asked, strings.TrimSpace(q.Method+" "+q.Params.Name+q.Params.TaskID))
	status, result := w.server(q)
	if result == "" {
		w.open = append(w.open, q)
		return
	}
	w.respond(q, status, result)
}

func (w *remoteWorld) respond(q rpc, status int, result string) {
	body := `{"jsonrpc":"2.0","id":` + string(q.ID) + `,"result":` + result + `}`
	if e, failed := strings.CutPrefix(result, "error:"); failed {
		body = `{"jsonrpc":"2.0","id":` + string(q.ID) + `,"error":` + e + `}`
	}
	header := map[string]string{"content-type": "application/json"}
	if words, ok := strings.CutPrefix(result, "plain:"); ok {
		body, header["content-type"] = words, "text/html"
	}
	if events, ok := strings.CutPrefix(result, "events:"); ok {
		body, header["content-type"] = strings.ReplaceAll(events, "ID", string(q.ID)), "text/event-stream"
	}
	if challenge, ok := strings.CutPrefix(result, "challenge:"); ok {
		body, header["www-authenticate"] = "", challenge
	}
	if status == 202 {
		body = ""
	}
	if q.Method == "initialize" {
		header["mcp-session-id"] = "session-1"
	}
	w.Fetched("", q.Fetch, durable.FetchResponded{Fetch: q.Fetch, Status: status, Header: header})
	if begun, open := strings.CutSuffix(body, "OPEN"); open {
		w.open = append(w.open, q)
		w.more(q, begun)
		return
	}
	if begun, broken := strings.CutSuffix(body, "BROKEN"); broken {
		w.more(q, begun)
		w.Fetched("", q.Fetch, durable.FetchFailed{Fetch: q.Fetch, Error: "reset"})
		return
	}
	half := len(body) / 2
	w.Fetched("", q.Fetch, durable.FetchChunk{Fetch: q.Fetch, Data: []byte(body[:half])})
	w.Fetched("", q.Fetch, durable.FetchChunk{Fetch: q.Fetch, Data: []byte(body[half:])})
	w.Fetched("", q.Fetch, durable.FetchEnded{Fetch: q.Fetch})
	if w.lose && status != 405 && q.Method != "server/discover" && q.Method != "tools/list" {
		w.Evict("")
	}
}

// more sends more of an open stream. ID stands for the id of the request.
func (w *remoteWorld) more(q rpc, events string) {
	w.Fetched("", q.Fetch, durable.FetchChunk{Fetch: q.Fetch, Data: []byte(strings.ReplaceAll(events, "ID", string(q.ID)))})
}

// text is all that was sent. What stands in the body of a frame has no more escapes than what does not.
func (w *remoteWorld) text() string {
	return strings.ReplaceAll(strings.Join(w.lines, "\n"), `\\\"`, `\"`)
}

func (w *remoteWorld) wants(words ...string) {
	w.t.Helper()
	for _, want := range words {
		if !strings.Contains(w.text(), want) {
			text := w.text()
			w.t.Errorf("%q was not sent; asked was %q\n%s", want, w.asked, text[max(0, len(text)-4000):])
		}
	}
}

// states are the states of a server in the frames, in their order.
func (w *remoteWorld) states() (list []string) {
	for _, line := range w.lines {
		if !strings.Contains(line, "cf_agent_mcp_servers") {
			continue
		}
		for _, m := range regexp.MustCompile(`"state":"([a-z-]+)"`).FindAllStringSubmatch(line, -1) {
			list = append(list, m[1])
		}
	}
	return slices.Compact(list)
}

const docsTools = `{"resultType":"complete","ttlMs":3600000,"tools":[
	{"name":"search","description":"Searches.","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}},
	{"name":"write","description":"Writes.","inputSchema":{"type":"object"}},
	{"name":"book","description":"Books.","inputSchema":{"type":"object"}},
	{"name":"slow","description":"Is slow.","inputSchema":{"type":"object"}}]}`

// docs is a modern server. calls answers what is called.
func docs(calls serverOf) serverOf {
	return func(q rpc) (int, string) {
		switch q.Method {
		case "server/discover":
			return 200, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"instructions":"be polite","ttlMs":1000}`
		case "tools/list":
			return 200, docsTools
		}
		return calls(q)
	}
}

func docsAgent() agent.Agent {
	return agent.Agent{MCP: &agent.MCP{Servers: []agent.MCPServer{{Name: "docs", URL: "https://docs.test/mcp"}}, Editable: true}}
}

func said(text string) string {
	return `{"resultType":"complete","content":[{"type":"text","text":` + fmt.Sprintf("%q", text) + `}]}`
}

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

// TestTaskIsPolled checks that a task is asked for until it is over, whatever is lost, and that the tool is called
// once.
func TestTaskIsPolled(t *testing.T) {
	for _, lose := range []bool{false, true} {
		polls := 0
		w := newRemote(t, docsAgent(), docs(func(q rpc) (int, string) {
			task := `"taskId":"t1","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttlMs":null,"pollIntervalMs":2000`
			switch {
			case q.Method == "tools/call":
				return 200, `{"resultType":"task","status":"working",` + task + `}`
			case polls < 3:
				polls++
				return 200, `{"resultType":"complete","status":"working",` + task + `}`
			}
			return 200, `{"resultType":"complete","status":"completed",` + task + `,"result":{"content":[{"type":"text","text":"slow words"}]}}`
		}))
		w.lose = lose
		w.do("connect a", `say a R1 u1: call docs_slow {}`)
		for range 20 {
			w.do("tick 2s", "get /agents/x/room/get-messages")
		}
		w.wants(`it is \"slow words\"`)
		if n := strings.Count(fmt.Sprint(w.asked), "tools/call"); n != 1 {
			t.Errorf("lose %v: %d calls, want 1: %q", lose, n, w.asked)
		}
		if n := strings.Count(fmt.Sprint(w.asked), "tasks/cancel"); n != 0 {
			t.Errorf("a task that is over was cancelled")
		}
	}
}

// TestQuestionOfTaskIsAskedOnce checks that a question which a task goes on to tell is put to a person once.
func TestQuestionOfTaskIsAskedOnce(t *testing.T) {
	polls := 0
	w := newRemote(t, docsAgent(), docs(func(q rpc) (int, string) {
		task := `"taskId":"t1","createdAt":"","lastUpdatedAt":"","ttlMs":null,"pollIntervalMs":1000`
		switch {
		case q.Method == "tools/call":
			return 200, `{"resultType":"task","status":"working",` + task + `}`
		case q.Method == "tasks/update":
			return 200, `{"resultType":"complete"}`
		}
		if polls++; polls < 4 {
			return 200, `{"resultType":"complete","status":"input_required",` + task + `,"inputRequests":{"seat":{"method":"elicitation/create","params":{"mode":"form","message":"which seat?",
				"requestedSchema":{"type":"object","properties":{"row":{"type":"integer"}}}}}}}`
		}
		return 200, `{"resultType":"complete","status":"completed",` + task + `,"result":{"content":[{"type":"text","text":"seated"}]}}`
	}))
	w.do("connect a", `say a R1 u1: call docs_slow {}`, "tick 2s")
	w.do(fmt.Sprintf(`result a %s {"row":5}`, regexp.MustCompile(`ask_[A-Za-z0-9_-]{16}`).FindString(w.text())))
	for range 10 {
		w.do("tick 2s")
	}
	w.wants(`it is \"seated\"`)
	if n := strings.Count(fmt.Sprint(w.asked), "tasks/update"); n != 1 {
		t.Errorf("the server is told %d answers, want 1", n)
	}
}

// TestStopCancelsTask checks that the server is told when a person stops the turn.
func TestStopCancelsTask(t *testing.T) {
	w := newRemote(t, docsAgent(), docs(func(q rpc) (int, string) {
		task := `"taskId":"t1","createdAt":"","lastUpdatedAt":"","ttlMs":null,"status":"working"`
		if q.Method == "tools/call" {
			return 200, `{"resultType":"task",` + task + `}`
		}
		return 200, `{"resultType":"complete",` + task + `}`
	}))
	w.do("connect a", `say a R1 u1: call docs_slow {}`, "tick 1s", "evict", "get /agents/x/room/get-messages", "cancel a R1", "tick 1s")
	if !slices.Contains(w.asked, "tasks/cancel t1") {
		t.Errorf("asked %q", w.asked)
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

// TestTellCode checks that the model is told of no tool of a server, and that code can call them.
func TestTellCode(t *testing.T) {
	a := docsAgent()
	a.MCP = &agent.MCP{Servers: []agent.MCPServer{{Name: "docs", URL: "https://docs.test/mcp"}}, Tell: agent.TellCode}
	a.Tools = []agent.Tool{agent.Code()}
	w := newRemote(t, a, docs(func(rpc) (int, string) { return 200, said("found") }))
	w.do("connect a", "say a R0 u0: hello", "tick 1s", `say a R1 u1: call code {"code":"return [await tools.docs_search({}), (await search('writes')).includes('docs_write')]"}`, "tick 5s")
	w.wants(`tools [code]`, `\"result\":[\"found\",true]`)
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

// sse is a message as a server-sent event. ID stands for the id of the request.
func sse(message string) string { return "data: " + message + "\n\n" }

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
