package chat_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/internal/draw"
)

// family is a root with servers, a helper that uses them, and a helper of that helper.
func family(option agent.MCP) []agent.Agent {
	option.Servers = []agent.MCPServer{{Name: "docs", URL: "https://docs.test/mcp", Header: []durable.Header{{Name: "Authorization", Value: "Bearer hidden"}}}}
	deep := agent.Agent{Name: "Deep", Helper: true, Model: obedient{}, MCP: agent.ParentMCP}
	clerk := agent.Agent{Name: "Clerk", Helper: true, Model: obedient{}, MCP: agent.ParentMCP, Tools: []agent.Tool{delegate("delegate", deep)}}
	return []agent.Agent{{Name: "Boss", Model: obedient{}, MCP: &option, Tools: []agent.Tool{delegate("delegate", clerk)}}, clerk, deep}
}

const (
	clerkSearches = `say a R1 u1: delegate {"say":"docs_search {}"}`
	clerkWrites   = `say a R1 u1: delegate {"say":"docs_write {}"}`
	deepWrites    = `say a R1 u1: delegate {"say":"delegate {\"say\":\"docs_write {}\"}"}`
)

// calls returns how often a tool of the server was called.
func (w *remoteWorld) calls() int { return strings.Count(fmt.Sprint(w.asked), "tools/call") }

// TestHelperUsesServersOfRoot has helpers at two depths call a tool of the root's server.
func TestHelperUsesServersOfRoot(t *testing.T) {
	for _, action := range []string{clerkSearches, clerkWrites, deepWrites} {
		w := newRemoteOf(t, docs(func(rpc) (int, string) { return 200, said("found it") }), family(agent.MCP{})...)
		w.do("connect a", action, "tick 30s")
		w.wants("found it", `"done":true,"outcome":"completed"`)
		if w.calls() != 1 || fmt.Sprint(w.asked[:2]) != "[server/discover tools/list]" {
			t.Errorf("%s: asked %q", action, w.asked)
		}
	}
}

// TestServersOfRootSurviveLoss throws memory away at every moment: of everything, of the root, or of the helpers. A
// call that only reads may be made again, and any other one may not.
func TestServersOfRootSurviveLoss(t *testing.T) {
	for action, most := range map[string]int{clerkSearches: 2, deepWrites: 1} {
		for _, loss := range []string{"crash", "all", "root", "helpers"} {
			for at := range draw.Moments(t) {
				w := newRemoteOf(t, docs(func(rpc) (int, string) { return 200, said("found it") }), family(agent.MCP{})...)
				w.do("connect a")
				act(t, w.World, "hold")
				w.do(action)
				lost := w.deliverAll(t, at, loss)
				if !lost {
					if at < 15 {
						t.Errorf("%s %s: only %d moments", action, loss, at)
					}
					break
				}
				text := w.text()
				if w.calls() > most || !strings.Contains(text, "found it") && !strings.Contains(text, "may or may not have happened") {
					t.Fatalf("%s, %s at %d: %d calls, %s", action, loss, at, w.calls(), text)
				}
			}
		}
	}
}

// deliverAll delivers everything that is on its way, and loses memory once, behind that many deliveries. It says
// whether there were so many.
func (w *remoteWorld) deliverAll(t *testing.T, at int, loss string) (lost bool) {
	for n := 0; ; n++ {
		if n > 4_000 {
			t.Fatal("it does not come to an end")
		}
		if n == at {
			lost = true
			w.lines = append(w.lines, "LOST")
			w.loseMemory(loss)
			if w.onLoss != nil {
				w.onLoss()
			}
		}
		if w.serve() {
			continue
		}
		if lanes := w.Lanes(); len(lanes) > 0 {
			w.Deliver(lanes[0])
		} else if due, ok := w.Due(); ok && due < w.Now()+3_600_000 {
			w.Tick()
		} else {
			return lost
		}
	}
}

func (w *remoteWorld) loseMemory(loss string) {
	switch loss {
	case "crash":
		act(w.t, w.World, "crash")
	case "root":
		w.Evict("")
	default:
		for _, slot := range w.Slots() {
			if slot != "" || loss == "all" {
				w.Evict(slot)
			}
		}
	}
	if loss != "helpers" {
		act(w.t, w.World, "connect c")
	}
}

// TestApprovalOfRootReachesPerson checks that a call of a helper is approved as the root's agent wants it.
func TestApprovalOfRootReachesPerson(t *testing.T) {
	for _, verdict := range []string{"approve", "deny"} {
		w := newRemoteOf(t, docs(func(rpc) (int, string) { return 200, said("found it") }), family(agent.MCP{Approve: agent.ApproveWrites})...)
		w.do("connect a", clerkWrites, "tick 30s")
		w.wants("write at the server docs")
		if w.calls() != 0 {
			t.Fatal("a call was made without approval")
		}
		w.do("evict", "connect b", verdict+" b "+regexp.MustCompile(`ask_[A-Za-z0-9_-]{16}`).FindString(w.text()), "tick 30s")
		if want := map[string]int{"approve": 1, "deny": 0}[verdict]; w.calls() != want {
			t.Errorf("%s: %d calls, want %d", verdict, w.calls(), want)
		}
		w.wants(map[string]string{"approve": "found it", "deny": "a person has denied this call"}[verdict])
	}
}

// TestQuestionOfServerReachesPerson checks questions of modern and of legacy servers to helpers.
func TestQuestionOfServerReachesPerson(t *testing.T) {
	for _, modern := range []bool{true, false} {
		answer := ""
		server := docs(func(q rpc) (int, string) {
			if q.Params.InputResponses != nil {
				answer = string(q.Params.InputResponses)
				return 200, said("found it")
			}
			return 200, `{"resultType":"input_required","requestState":"s","inputRequests":{"row":{"method":"elicitation/create","params":{"message":"which row?","requestedSchema":{"type":"object","properties":{"row":{"type":"integer"}}}}}}}`
		})
		if !modern {
			server = legacy(func(q rpc) (int, string) {
				if q.Method == "" {
					answer = q.Body
					return 202, "plain:"
				}
				return 200, "events:" + whichRow + "OPEN"
			})
		}
		w := newRemoteOf(t, server, family(agent.MCP{})...)
		w.do("connect a", clerkWrites, "tick 30s", "tick 5s")
		w.wants("The server docs asks", "which row?")
		w.do("result a "+regexp.MustCompile(`ask_[A-Za-z0-9_-]{16}`).FindString(w.text())+` {"row":7}`, "tick 10s")
		if !modern {
			w.more(w.open[0], strings.ReplaceAll(oldWords, "old words", "found it"))
			w.do("tick 10s")
		}
		w.wants("found it")
		if !strings.Contains(answer, `{"action":"accept","content":{"row":7}}`) {
			t.Errorf("modern %v: the server got %s", modern, answer)
		}
	}
}

// TestLateAnswerOfPersonIsTold has the root lose a stream while a person is asked, and then has the person answer: the
// helper is told once that the stream is lost, and the root has nothing left to tell.
func TestLateAnswerOfPersonIsTold(t *testing.T) {
	w := newRemoteOf(t, legacy(func(rpc) (int, string) { return 200, "events:" + whichRow + "OPEN" }), family(agent.MCP{})...)
	w.do("connect a", clerkWrites, "tick 30s", "tick 5s")
	w.Evict("")
	w.do("connect b", "result b "+regexp.MustCompile(`ask_[A-Za-z0-9_-]{16}`).FindString(w.text())+` {"row":7}`, "tick 10s", "tick 10m")
	w.wants("may or may not have happened")
	db, err := w.engine.Storage("room")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := db.SQL(`SELECT n, reply FROM mcp_below WHERE reply <> '' AND again <= ?`, []any{w.Now()})
	if err != nil || len(rows) > 0 {
		t.Errorf("the root still has to tell %v, %v", rows, err)
	}
}

// TestQuestionThatNobodyAnswers checks that the root does not keep a stream open for a question of a helper that has been
// stopped, or has gone with the conversation.
func TestQuestionThatNobodyAnswers(t *testing.T) {
	for end, after := range map[string][]string{"cancel a R1": {"tick 5s"}, "clear a": {"tick 7m"}, "evict": {"tick 7m"}} {
		w := newRemoteOf(t, legacy(func(rpc) (int, string) { return 200, "events:" + whichRow + "OPEN" }), family(agent.MCP{})...)
		w.do("connect a", clerkWrites, "tick 30s", "tick 5s", end)
		w.do(after...)
		if held := fmt.Sprint(w.Holding()); strings.Contains(held, "the fetch mcp//below/") {
			t.Errorf("%s: the world holds %s", end, held)
		}
	}
}

// TestStopReachesRequestsOfHelpers checks that a request of a helper ends at the root when the turn is stopped.
func TestStopReachesRequestsOfHelpers(t *testing.T) {
	w := newRemoteOf(t, docs(func(rpc) (int, string) { return 0, "" }), family(agent.MCP{})...)
	w.do("connect a", deepWrites, "tick 30s", "cancel a R1", "tick 1m")
	if w.calls() != 1 || !strings.Contains(w.text(), "cancel "+w.open[0].Fetch) {
		t.Errorf("%d calls; the request goes on", w.calls())
	}
	w.Fetched("", w.open[0].Fetch, durable.FetchEnded{Fetch: w.open[0].Fetch})
}

// TestTokensStayAtRoot checks that no helper has a header of a server, in a row or a message.
func TestTokensStayAtRoot(t *testing.T) {
	w := newRemoteOf(t, docs(func(rpc) (int, string) { return 200, said("found it") }), family(agent.MCP{})...)
	w.do("connect a", deepWrites, "tick 30s")
	w.wants("Bearer hidden") // in requests
	for _, line := range w.lines {
		if strings.Contains(line, "hidden") && !strings.HasPrefix(strings.TrimSpace(line), "fetch ") {
			t.Errorf("a header is in %s", line)
		}
	}
}

// TestClassLinksHelpers checks that an instance of the module which has only registered its classes can serve the
// helpers at their root: it may never open a helper itself.
func TestClassLinksHelpers(t *testing.T) {
	before := author.Linked.RootServices
	defer func() { author.Linked.RootServices = before }()
	author.Linked.RootServices = nil
	for _, a := range family(agent.MCP{})[1:] {
		chattest.Class(a)
	}
	if author.Linked.RootServices == nil {
		t.Error("no ledger of servers is linked")
	}
}

// requests is how many requests each helper has made to its root.
func (w *remoteWorld) requests() (list []int64) {
	for _, slot := range w.Slots() {
		db, err := w.engine.Storage(w.Object(slot))
		if err != nil {
			w.t.Fatal(err)
		}
		rows, err := db.SQL(`SELECT seq FROM sqlite_sequence WHERE name = 'mcp_up'`, nil)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, row := range rows {
			list = append(list, row.Int(0))
		}
	}
	return list
}

// TestOutcomesOfHelpersReachRoot checks that the root's row has what only a helper can see of a call's failure, in words
// that name the server and the tool and have no header, until a call succeeds, and that nothing is told twice.
func TestOutcomesOfHelpersReachRoot(t *testing.T) {
	for name, c := range map[string]struct{ result, words string }{
		"another id":     {"events:" + sse(`{"jsonrpc":"2.0","id":"other","result":{}}`), "answers another request"},
		"no content":     {`{"resultType":"complete"}`, "the result has no content"},
		"not negotiated": {`{"resultType":"magic","content":[]}`, "of a type that was not agreed on"},
		"an error":       {`error:{"code":-32603,"message":"no entry for hidden"}`, "no entry for …"},
		"a failed task":  {`{"resultType":"task","status":"failed","taskId":"t1","createdAt":"","lastUpdatedAt":"","ttlMs":null,"error":{"code":-32000,"message":"no paper"}}`, "no paper"},
		"a bad result":   {`{"resultType":"complete","content":[],"structuredContent":{"n":"one"}}`, "its result does not fit its schema"},
		"a bad question": {`{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"mode":"url","message":"m","url":"http://169.254.169.254/"}}}}`, "it wants a person to visit a link"},
	} {
		for _, action := range []string{clerkSearches, strings.ReplaceAll(deepWrites, "write", "search")} {
			t.Run(name, func(t *testing.T) {
				result := c.result
				w := newRemoteOf(t, promising(docs(func(rpc) (int, string) { return 200, result })), family(agent.MCP{})...)
				say := func(n int) {
					w.lines = nil
					w.do(strings.Replace(action, "R1 u1", fmt.Sprintf("R%d u%d", n, n), 1), "tick 30s")
				}
				told := func() bool { // an offer, a call, and what has become of it
					list := w.requests()
					return list[len(list)-1] == 3
				}
				w.do("connect a")
				say(1)
				want := regexp.MustCompile(`"state":"ready","error":"the tool search of the server docs: [^"]*` + c.words)
				if shown := w.listServers(); !want.MatchString(shown) || strings.Contains(shown, "hidden") || !told() {
					t.Errorf("shown is %s", shown)
				}
				w.do("evict", "connect a")
				say(2)
				if shown := w.listServers(); !want.MatchString(shown) || told() != (name == "an error") { // what is hidden is told again
					t.Errorf("behind the second failure: told %v, %s", told(), shown)
				}
				result = `{"resultType":"complete","content":[],"structuredContent":{"n":1}}`
				say(3)
				if shown := w.listServers(); strings.Contains(shown, c.words) || !told() {
					t.Errorf("behind a call that succeeded: told %v, %s", told(), shown)
				}
				if say(4); told() {
					t.Error("a second call that succeeded was told")
				}
				w.wants(`{\"n\":1}`)
			})
		}
	}
}

// TestWhatIsNoFaultOfServerIsNotNoted checks that a server is not blamed for a person who says no, or for a call that
// was stopped, neither by the root's calls nor by those of helpers.
func TestWhatIsNoFaultOfServerIsNotNoted(t *testing.T) {
	const own = `say a R1 u1: call docs_write {}`
	asks := `{"resultType":"input_required","requestState":"s","inputRequests":{"a":{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"x"}}],"maxTokens":1}}}}`
	for name, c := range map[string]struct {
		option         agent.MCP
		action, result string
		words          string
	}{
		"an approval":                      {agent.MCP{Approve: agent.ApproveWrites}, clerkWrites, said("x"), "a person has denied this call"},
		"the model, asked by the root":     {agent.MCP{Sampling: true}, own, asks, "a person has denied its request to the model"},
		"a call of the root is stopped":    {agent.MCP{}, own, "", ""},
		"a call of a helper is stopped":    {agent.MCP{}, clerkWrites, "", ""},
		"a call of its helper is stopped":  {agent.MCP{}, deepWrites, "", ""},
		"what nobody may ask, by a helper": {agent.MCP{}, clerkWrites, asks, "it was not offered"},
	} {
		t.Run(name, func(t *testing.T) {
			agents := family(c.option)
			if c.action == own {
				agents[0].Model = chattest.Calling{}
			}
			w := newRemoteOf(t, docs(func(rpc) (int, string) { return 200, c.result }), agents...)
			w.do("connect a", c.action, "tick 30s")
			if id := regexp.MustCompile(`ask_[A-Za-z0-9_-]{16}`).FindString(w.text()); id != "" {
				w.do("deny a "+id, "tick 30s")
			} else if c.words == "" {
				w.do("cancel a R1", "tick 30s")
			}
			w.wants(c.words)
			blamed := strings.HasPrefix(name, "what nobody may ask") // this one is the server's fault
			if shown := w.listServers(); strings.Contains(shown, `"error"`) != blamed || !strings.Contains(shown, `"state":"ready"`) {
				t.Errorf("shown is %s", shown)
			}
		})
	}
}
