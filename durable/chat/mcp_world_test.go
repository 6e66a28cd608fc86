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
	// Slot is the helper that asks, or "".
	Slot                     string `json:"-"`
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
	// onLoss is what happens behind a loss of memory.
	onLoss func()
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

// slotOf cuts the helper from a line of the world.
func slotOf(line string) (slot, rest string) {
	if slot, rest, found := strings.Cut(line, ": "); found && strings.HasPrefix(slot, "helper-") {
		return slot, rest
	}
	return "", line
}

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
			} else if slot, line := slotOf(line); serverFetch.MatchString(line) {
				m := serverFetch.FindStringSubmatch(line)
				q := rpc{Slot: slot, Fetch: m[1], URL: m[3], Header: m[4], Body: m[5], Method: m[2]}
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
	if typed, ok := strings.CutPrefix(result, "as:"); ok { // as:TYPE:BODY
		header["content-type"], body, _ = strings.Cut(typed, ":")
	}
	if to, ok := strings.CutPrefix(result, "location:"); ok {
		header["location"], body = to, ""
	}
	if events, ok := strings.CutPrefix(result, "events:"); ok {
		body, header["content-type"] = strings.ReplaceAll(events, "ID", string(q.ID)), "text/event-stream"
	}
	if challenge, ok := strings.CutPrefix(result, "challenge:"); ok {
		body, header["www-authenticate"] = "", challenge
	}
	if status == 202 && !strings.HasPrefix(result, "as:") {
		body = ""
	}
	if q.Method == "initialize" {
		header["mcp-session-id"] = "session-1"
	}
	w.Fetched(q.Slot, q.Fetch, durable.FetchResponded{Fetch: q.Fetch, Status: status, Header: header})
	if begun, open := strings.CutSuffix(body, "OPEN"); open {
		w.open = append(w.open, q)
		w.more(q, begun)
		return
	}
	if begun, broken := strings.CutSuffix(body, "BROKEN"); broken {
		w.more(q, begun)
		w.Fetched(q.Slot, q.Fetch, durable.FetchFailed{Fetch: q.Fetch, Error: "reset"})
		return
	}
	half := len(body) / 2
	w.Fetched(q.Slot, q.Fetch, durable.FetchChunk{Fetch: q.Fetch, Data: []byte(body[:half])})
	w.Fetched(q.Slot, q.Fetch, durable.FetchChunk{Fetch: q.Fetch, Data: []byte(body[half:])})
	w.Fetched(q.Slot, q.Fetch, durable.FetchEnded{Fetch: q.Fetch})
	if w.lose && status != 405 && q.Method != "server/discover" && q.Method != "tools/list" {
		w.Evict("")
	}
}

// more sends more of an open stream. ID stands for the id of the request.
func (w *remoteWorld) more(q rpc, events string) {
	w.Fetched(q.Slot, q.Fetch, durable.FetchChunk{Fetch: q.Fetch, Data: []byte(strings.ReplaceAll(events, "ID", string(q.ID)))})
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

func (w *remoteWorld) state() string {
	states := w.states()
	if len(states) == 0 {
		return ""
	}
	return states[len(states)-1]
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

// promising is a server whose tools say which schema their results fit.
func promising(server serverOf) serverOf {
	return func(q rpc) (int, string) {
		status, result := server(q)
		if q.Method == "tools/list" {
			result = strings.ReplaceAll(result, `"inputSchema":`, `"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}}},"inputSchema":`)
		}
		return status, result
	}
}

func docsAgent() agent.Agent {
	return agent.Agent{MCP: &agent.MCP{Servers: []agent.MCPServer{{Name: "docs", URL: "https://docs.test/mcp"}}, Editable: true}}
}

func said(text string) string {
	return `{"resultType":"complete","content":[{"type":"text","text":` + fmt.Sprintf("%q", text) + `}]}`
}

// sse is a message as a server-sent event. ID stands for the id of the request.
func sse(message string) string { return "data: " + message + "\n\n" }
