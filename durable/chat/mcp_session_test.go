//go:build !wasip1

package chat_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
)

// older is a program of 2025 that uses an agent, with a session.
type older struct {
	*program
	session string
	// all is everything that it was sent, and last the id of the last event of it.
	all, last string
}

var sessionID = regexp.MustCompile(`mcp-session-id[=:" ]+([A-Za-z0-9_-]{32})`)

// initialized returns a program that has begun a session.
func initialized(t *testing.T, a agent.Agent, capabilities string) *older {
	t.Helper()
	return initializedBy(t, a, capabilities, "")
}

// initializedBy is [initialized] for a program that comes with claims.
func initializedBy(t *testing.T, a agent.Agent, capabilities, claims string) *older {
	t.Helper()
	o := &older{program: exposed(t, a)}
	o.claims = claims
	lines := o.rpc(fmt.Sprintf(`{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":%s,"clientInfo":{"name":"p","version":"1"}}}`, capabilities))
	m := sessionID.FindStringSubmatch(lines)
	if m == nil {
		t.Fatalf("no session: %s", lines)
	}
	o.session = m[1]
	o.rpc(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return o
}

// http sends a request and returns what happens in its event.
func (o *older) http(method, body string, header ...string) string {
	o.requests++
	h := map[string]string{"content-type": "application/json", "accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25", "host": "own.example"}
	if o.session != "" {
		h["mcp-session-id"] = o.session
	}
	for i := 0; i+1 < len(header); i += 2 {
		h[header[i]] = header[i+1]
	}
	o.w.Take()
	o.w.Tell(durable.RequestReceived{Request: fmt.Sprint("http", o.requests), Method: method, URL: "/agents/own/room/mcp", Header: h, Body: []byte(body), Claims: o.claims})
	return o.heard(o.w.Take())
}

func (o *older) rpc(body string) string { return o.http("POST", body) }

func (o *older) call(id int, tool, arguments string) string {
	return o.rpc(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{"progressToken":"tok"}}}`, id, tool, arguments))
}

func (o *older) get(header ...string) string { return o.http("GET", "", header...) }

var eventID = regexp.MustCompile(`(?m)id: (mcp_\S+)$`)

// heard notes what the program is sent.
func (o *older) heard(lines []string) string {
	text := strings.Join(lines, "\n")
	o.all += text + "\n"
	if all := eventID.FindAllStringSubmatch(text, -1); all != nil {
		o.last = all[len(all)-1][1]
	}
	return text
}

func (o *older) pass(lines ...string) string { return o.heard(o.do(lines...)) }

// questionIn returns the id of the question in a text.
func questionIn(t *testing.T, text, method string) string {
	t.Helper()
	m := regexp.MustCompile(`"id":"(mcp_[^"]+)","method":"` + method + `"`).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("%s is not asked: %s", method, text)
	}
	return m[1]
}

func has(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s is missing in\n%s", part, text)
		}
	}
}

// losses are ways in which the memory of an object is lost, and one in which it is not.
var losses = []string{"tick 1ms", "evict", "crash"}

// lateAsker asks in a branch of its own, after a sleep: no request is under way that has brought it.
var lateAsker = agent.NewTool("late", "", func(c *agent.Context, _ struct{}) (string, error) {
	branch := flow.Go(c, "later", func() (string, error) {
		if err := flow.Sleep(c, time.Minute); err != nil {
			return "", err
		}
		a, err := agent.Ask[string](c, agent.Question{Title: "Which color?"})
		return a.Value, err
	})
	color, err := branch.Wait()
	return "it is " + color, err
})

// TestQuestionsWithoutARequestContext asks a program of 2025 from a branch of code, after a sleep, when the
// memory is lost that knew of the request, and once more before each thing that follows.
func TestQuestionsWithoutARequestContext(t *testing.T) {
	for _, loss := range losses {
		t.Run(loss, func(t *testing.T) {
			o := initialized(t, agent.Agent{Tools: []agent.Tool{lateAsker}, Expose: &agent.Expose{Tools: []string{"late"}}}, `{"elicitation":{}}`)
			o.call(7, "late", `{}`)
			o.pass("tick 2s")
			if o.last == "" {
				t.Fatal("the stream has no place to come back to:", o.all)
			}
			o.pass(loss, "tick 1m", loss)
			back := o.get("last-event-id", o.last)
			id := questionIn(t, o.all, "elicitation/create")
			o.pass(loss)
			has(t, o.rpc(`{"jsonrpc":"2.0","id":"`+id+`","result":{"action":"accept","content":{"value":"red"}}}`), " 202 ")
			o.pass(loss)
			if loss != "tick 1ms" {
				back = o.get("last-event-id", o.last)
			}
			has(t, o.all, `"id":7,"result":{"content":[{"type":"text","text":"it is red"}]}`)
			has(t, o.rpc(`{"jsonrpc":"2.0","id":"`+id+`","result":{"action":"accept","content":{"value":"red"}}}`), " 400 ", "no such question is open")
			_ = back
		})
	}
}

// TestQuestionsWaitForAnotherToken checks that no question goes to a stream whose token has ended, to that of its call or
// that of the session, and that a program which comes back with another token is asked it.
func TestQuestionsWaitForAnotherToken(t *testing.T) {
	for _, ofSession := range []bool{false, true} {
		for _, good := range []bool{false, true} {
			o := initializedBy(t, agent.Agent{Tools: []agent.Tool{lateAsker}, Expose: &agent.Expose{Tools: []string{"late"}}}, `{"elicitation":{}}`, `{"sub":"p","scopes":[]}`)
			token := func(seconds int64) {
				o.claims = fmt.Sprintf(`{"sub":"p","scopes":[],"exp":%d}`, o.w.Now()/1000+seconds)
			}
			if token(61); !good {
				token(59)
			}
			o.call(7, "late", `{}`)
			stream := fmt.Sprint("http", o.requests)
			o.pass("tick 2s")
			if ofSession { // the stream of the call breaks off, so that the session's own is left
				o.pass("leave " + stream)
				o.get()
				stream = fmt.Sprint("http", o.requests)
			}
			asked := o.pass("tick 1m")
			if strings.Contains(asked, "elicitation/create") != good {
				t.Errorf("of the session %v, good %v: %s", ofSession, good, asked)
			}
			if good {
				continue
			}
			has(t, asked, "end "+stream)
			token(100)
			o.get("last-event-id", o.last)
			id := questionIn(t, o.all, "elicitation/create")
			has(t, o.rpc(`{"jsonrpc":"2.0","id":"`+id+`","result":{"action":"accept","content":{"value":"red"}}}`), " 202 ", "it is red")
		}
	}
}

// TestOlderProgramsAreAskedEverything checks each kind of question, and each kind of answer.
func TestOlderProgramsAreAskedEverything(t *testing.T) {
	tool := agent.NewTool("client", "", func(c *agent.Context, in word) (string, error) {
		data, err := agent.AskClient(c, "q", in.Word, map[string]any{
			"message": "m", "requestedSchema": json.RawMessage(`{"type":"object","properties":{}}`), "messages": []any{}, "maxTokens": 1,
		})
		return string(data), err
	})
	for _, tt := range []struct{ method, response, want string }{
		{agent.Elicit, `"result":{"action":"decline"}`, `decline`},
		{agent.Sample, `"result":{"role":"assistant","content":{"type":"text","text":"hello"},"model":"m"}`, `hello`},
		{agent.ListRoots, `"result":{"roots":[{"uri":"file:///a"}]}`, `file:///a`},
		{agent.Sample, `"error":{"code":-1,"message":"no"}`, "the client has refused the question: no"},
		{agent.ListRoots, `"result":{"roots":5}`, "does not fit the question"},
	} {
		for _, loss := range losses {
			o := initialized(t, agent.Agent{Tools: []agent.Tool{tool}, Expose: &agent.Expose{Tools: []string{"client"}}}, `{"elicitation":{},"sampling":{},"roots":{}}`)
			o.call(1, "client", fmt.Sprintf(`{"word":%q}`, tt.method))
			id := questionIn(t, o.all, tt.method)
			o.pass(loss)
			o.rpc(`{"jsonrpc":"2.0","id":"` + id + `",` + tt.response + `}`)
			if loss != "tick 1ms" {
				o.get("last-event-id", o.last)
			}
			has(t, o.all, `"id":1,"result":`, tt.want)
		}
	}
	o := initialized(t, agent.Agent{Tools: []agent.Tool{tool}, Expose: &agent.Expose{Tools: []string{"client"}}}, `{}`)
	has(t, o.call(1, "client", fmt.Sprintf(`{"word":%q}`, agent.Sample)), `"isError":true`, "cannot be asked")
}

// TestCallsOfSessionsGoOn checks that a call goes on whose program leaves, and that its end is kept.
func TestCallsOfSessionsGoOn(t *testing.T) {
	for _, loss := range []string{"leave http3", "evict", "crash"} {
		o := initialized(t, agent.Agent{Tools: []agent.Tool{worker}, Expose: &agent.Expose{Tools: []string{"work"}}}, `{}`)
		has(t, o.call(3, "work", `{}`), "begin http3", "retry: ", `"progress":0.5`)
		o.pass(loss, "tick 2m")
		for range 2 { // a program that loses its stream again is given the end again
			has(t, o.get("last-event-id", o.last[:strings.Index(o.last, ".")]+".0"), `"id":3,"result":{"content":[{"type":"text","text":"done"}]}`, "end http")
		}
		o.pass("tick 5m")
		has(t, o.get("last-event-id", o.last), " 400 ", "nothing is kept")
	}
}

// TestCallsOfSessionsAreCancelled checks a notification, and a session that ends.
func TestCallsOfSessionsAreCancelled(t *testing.T) {
	for _, loss := range losses {
		for _, end := range []string{"cancel", "delete"} {
			o := initialized(t, agent.Agent{Tools: []agent.Tool{napTool}, Expose: &agent.Expose{Tools: []string{"nap"}}}, `{}`)
			o.call(3, "nap", `{"word":"hi"}`)
			o.pass("tick 2s", loss)
			if end == "cancel" {
				has(t, o.rpc(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`), " 202 ")
				has(t, o.get("last-event-id", o.last), "nothing is kept")
				has(t, o.http("DELETE", ""), " 200 ")
			} else {
				has(t, o.http("DELETE", ""), " 200 ")
			}
			has(t, o.rpc(`{"jsonrpc":"2.0","id":4,"method":"ping"}`), " 404 ", "initialize again")
			o.do("tick 2m")
			if at, ok := o.w.Due(); ok {
				t.Errorf("%s, %s: something is due at %d", loss, end, at)
			}
		}
	}
}

// TestSessionsAreTheirPersons checks who may use a session, how many there are, and when one ends.
func TestSessionsAreTheirPersons(t *testing.T) {
	o := initialized(t, agent.Agent{Tools: []agent.Tool{echoTool}, Expose: &agent.Expose{Tools: []string{"echo"}}}, `{}`)
	ping := `{"jsonrpc":"2.0","id":4,"method":"ping"}`
	o.claims = `{"sub":"eve","scopes":[]}`
	has(t, o.rpc(ping), " 404 ")
	has(t, o.http("DELETE", ""), " 404 ")
	has(t, o.get(), " 404 ", "initialize again")
	o.claims = ""
	has(t, o.rpc(ping), " 200 ", `"result":{}`)
	o.pass("tick 23h")
	has(t, o.rpc(ping), " 200 ")
	o.pass("tick 23h", "evict")
	has(t, o.rpc(ping), " 200 ")
	o.pass("tick 25h")
	has(t, o.rpc(ping), " 404 ")
	first := ""
	for i := range 65 {
		o.session = ""
		m := sessionID.FindStringSubmatch(o.rpc(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}`))
		if o.session = m[1]; i == 0 {
			first = m[1]
			o.pass("tick 1s")
		}
	}
	has(t, o.rpc(ping), " 200 ")
	o.session = first
	has(t, o.rpc(ping), " 404 ")
}

// TestSessionsAreTold checks log lines, watched resources and tools that change.
func TestSessionsAreTold(t *testing.T) {
	logs := agent.NewTool("logs", "", func(c *agent.Context, _ struct{}) (string, error) {
		if err := agent.LogToClient(c, "debug", "fine"); err != nil {
			return "", err
		}
		return "", agent.LogToClient(c, "error", "coarse")
	})
	a := agent.Agent{
		Tools:  []agent.Tool{logs, echoTool},
		Expose: &agent.Expose{Tools: []string{"logs", "echo"}, Resources: true, Withhold: func(c *agent.Conversation, tool string) bool { return tool == "echo" && c.State() != nil }},
	}
	o := initialized(t, a, `{}`)
	if text := o.call(1, "logs", `{}`); strings.Contains(text, "notifications/message") {
		t.Errorf("a line is sent that nobody wants: %s", text)
	}
	has(t, o.rpc(`{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"warning"}}`), `"result":{}`)
	text := o.call(3, "logs", `{}`)
	has(t, text, `"method":"notifications/message","params":{"level":"error","data":"coarse"}`)
	if strings.Contains(text, "fine") {
		t.Errorf("a line of a lower level is sent: %s", text)
	}
	has(t, o.rpc(`{"jsonrpc":"2.0","id":4,"method":"resources/subscribe","params":{"uri":"agent://state"}}`), `"result":{}`)
	has(t, o.get(), "begin http")
	changed := o.pass("connect A", `frame A {"type":"cf_agent_state","state":{"n":1}}`)
	has(t, changed, `"method":"notifications/resources/updated","params":{"uri":"agent://state"}`, "notifications/tools/list_changed")
	has(t, o.call(5, "echo", `{"word":"a"}`), "unknown tool")
	o.rpc(`{"jsonrpc":"2.0","id":6,"method":"resources/unsubscribe","params":{"uri":"agent://state"}}`)
	if changed := o.pass(`frame A {"type":"cf_agent_state","state":{"n":2}}`); strings.Contains(changed, "notifications/") {
		t.Errorf("told of what nobody watches: %s", changed)
	}
	o.pass("evict")
	if text := o.get(); strings.Contains(text, "list_changed") {
		t.Errorf("told twice of a change: %s", text)
	}
}
