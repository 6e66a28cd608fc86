package chat_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/flow"
)

// claimsOf are claims as the front door tells them, of a subject of this object.
func claimsOf(subject string) string {
	return fmt.Sprintf(`{"sub":%q,"scopes":[],"exp":9000000000,"sig":"SIGNATURE"}`, subject)
}

// nobody are the claims of a browser without a token, which a link has let through.
const nobody = `{"sub":"","scopes":[],"exp":0,"sig":"SIGNATURE"}`

// enter has a subject connect.
func (w *remoteWorld) enter(conn, subject string) {
	w.t.Helper()
	w.Tell(durable.SocketOpened{Conn: durable.ConnID(conn), URL: "/agents/own/room?_pk=" + conn, Claims: claimsOf(subject)})
	w.serve()
}

// send has a subject send a frame.
func (w *remoteWorld) send(conn, subject, frame string) {
	w.t.Helper()
	w.Tell(durable.SocketMessage{Conn: durable.ConnID(conn), Text: frame, Claims: claimsOf(subject)})
	w.do()
	w.serve()
}

// shownTo returns the link that a connection was told last, or "".
func (w *remoteWorld) shownTo(conn string) (link string) {
	for _, line := range w.lines {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] != "send" || !strings.Contains(words[2], "cf_agent_mcp_servers") || !slices.Contains(strings.Split(words[1], ","), conn) {
			continue
		}
		link = ""
		if m := shownLink.FindStringSubmatch(line); m != nil {
			_ = json.Unmarshal([]byte(`"`+m[1]+`"`), &link)
		}
	}
	return link
}

// visit has a browser send a request with claims to a link. accept is the header of that name, or "".
func (w *remoteWorld) visit(link, method, claims, accept string) answer {
	w.t.Helper()
	header := map[string]string{}
	if accept != "" {
		header["accept"] = accept
	}
	return w.ask(durable.RequestReceived{Method: method, URL: link, Header: header, Claims: claims})
}

const addDocs = `{"type":"rpc","id":"1","method":"addMcpServer","args":[{"name":"mine","url":"https://docs.test/mcp"}]}`

func newShared(t *testing.T) *login {
	return newLogin(t, agent.Agent{MCP: &agent.MCP{Editable: true}})
}

// TestLinkBelongsToAsker checks that the link of a subject is told to that subject alone, and that nobody else
// with a token presses it.
func TestLinkBelongsToAsker(t *testing.T) {
	l := newShared(t)
	w := l.w
	w.enter("a", "ada")
	w.enter("m", "mallory")
	w.enter("n", "")
	w.send("m", "mallory", addDocs)
	w.do("tick 1s")
	link := w.shownTo("m")
	if w.state() != "authenticating" || !strings.HasSuffix(link, "&sig=SIGNATURE") {
		t.Fatalf("state %s, link %q", w.state(), link)
	}
	for _, conn := range []string{"a", "n"} {
		if got := w.shownTo(conn); got != "" {
			t.Errorf("%s is told %s", conn, got)
		}
	}
	w.enter("b", "ada")
	w.enter("late", "mallory")
	if w.shownTo("b") != "" || w.shownTo("late") != link {
		t.Errorf("who connects is told %q and %q", w.shownTo("b"), w.shownTo("late"))
	}
	for _, method := range []string{"GET", "POST"} {
		if a := w.visit(link, method, claimsOf("ada"), ""); a.status != 403 || a.location+a.cookie != "" || !strings.Contains(a.page, "Somebody else has asked") {
			t.Errorf("%s by another subject: %+v", method, a)
		}
	}
	for _, who := range []string{nobody, claimsOf("ada")} {
		for _, accept := range []string{"application/json", "text/html, application/json;q=0.1"} {
			for _, method := range []string{"GET", "POST"} {
				if a := w.visit(link, method, who, accept); a.status != 403 || a.location+a.cookie != "" {
					t.Errorf("%s by a script with the claims %s: %+v", method, who, a)
				}
			}
		}
	}
	if a := w.visit(link, "POST", claimsOf("mallory"), ""); a.status != 303 || a.cookie == "" {
		t.Errorf("by its own: %+v", a)
	}
	if a := w.visit(link, "POST", nobody, ""); a.status != 303 {
		t.Errorf("by a browser without a token: %+v", a)
	}

	// Another person who has the server asked gets another link, and the first one ends.
	w.send("a", "ada", `{"type":"rpc","id":"2","method":"mcpServers","args":[]}`)
	if strings.Contains(w.lines[len(w.lines)-1], "authUrl") {
		t.Errorf("the method tells the link: %s", w.lines[len(w.lines)-1])
	}
	id := w.idOf("mine")
	w.send("a", "ada", fmt.Sprintf(`{"type":"rpc","id":"3","method":"reconnectMcpServer","args":[%q]}`, id))
	w.do("tick 1s")
	fresh := w.shownTo("a")
	if fresh == "" || fresh == link || w.shownTo("m") != "" {
		t.Fatalf("ada is told %q, mallory %q", fresh, w.shownTo("m"))
	}
	if a := w.visit(link, "POST", claimsOf("mallory"), ""); a.status != 403 {
		t.Errorf("the first link: %+v", a)
	}
	if a := w.visit(fresh, "POST", claimsOf("ada"), ""); a.status != 303 {
		t.Errorf("the fresh link: %+v", a)
	}
}

// idOf returns the id of a server, by the last frame.
func (w *remoteWorld) idOf(name string) (id string) {
	for _, line := range w.lines {
		at := strings.Index(line, `{"type":"cf_agent_mcp_servers"`)
		if at < 0 {
			continue
		}
		var f struct {
			MCP struct {
				Servers map[string]struct{ Name string }
			}
		}
		if json.Unmarshal([]byte(line[at:]), &f) != nil {
			w.t.Fatalf("no frame: %s", line)
		}
		for key, s := range f.MCP.Servers {
			if s.Name == name {
				id = key
			}
		}
	}
	return id
}

// TestLinkBehindLoss checks that a socket that was open before the memory was lost is told the link of its
// subject, and no other one.
func TestLinkBehindLoss(t *testing.T) {
	l := newShared(t)
	w := l.w
	w.enter("a", "ada")
	w.enter("a2", "ada")
	w.enter("m", "mallory")
	w.do("evict")
	w.send("a", "ada", addDocs)
	w.do("tick 1s")
	link := w.shownTo("a")
	if !strings.HasSuffix(link, "&sig=SIGNATURE") || w.shownTo("m") != "" {
		t.Fatalf("ada is told %q, mallory %q", link, w.shownTo("m"))
	}
	w.send("m", "mallory", `{"type":"cf_agent_stream_resume_request"}`)
	w.send("a2", "ada", `{"type":"cf_agent_stream_resume_request"}`)
	if w.shownTo("a2") != link || w.shownTo("m") != "" {
		t.Errorf("the other tab is told %q, mallory %q", w.shownTo("a2"), w.shownTo("m"))
	}
}

// TestAskerIsNotWhoHappensToWork checks that a server that one person has added is not asked for in the name of
// another one whose turn is at work, also behind a loss of the memory.
func TestAskerIsNotWhoHappensToWork(t *testing.T) {
	nap := agent.NewTool("nap", "sleeps", func(c *agent.Context, _ struct{}) (string, error) { return "", flow.Sleep(c, time.Hour) })
	l := newLogin(t, agent.Agent{MCP: &agent.MCP{Editable: true}, Tools: []agent.Tool{nap}})
	w := l.w
	served := w.server
	w.server = func(rpc) (int, string) { return 0, "" } // it does not answer
	w.enter("a", "ada")
	w.enter("m", "mallory")
	w.send("a", "ada", `{"type":"cf_agent_use_chat_request","id":"R1","init":{"method":"POST","body":"{\"messages\":[{\"id\":\"u1\",\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"text\":\"call nap {}\"}]}]}"}}`)
	w.send("m", "mallory", addDocs)
	w.do("evict")
	w.server = served
	w.do("tick 61s", "tick 1s")
	if w.state() != "authenticating" || w.shownTo("a") != "" {
		t.Errorf("state %s, ada is told %q", w.state(), w.shownTo("a"))
	}
	w.send("a", "ada", `{"type":"cf_agent_stream_resume_request"}`)
	w.send("m", "mallory", `{"type":"cf_agent_stream_resume_request"}`)
	if w.shownTo("a") != "" || w.shownTo("m") == "" {
		t.Errorf("ada is told %q, mallory %q", w.shownTo("a"), w.shownTo("m"))
	}
}

// TestLinkExplains checks the page that a link leads to: it says what it is about, with every text as text, and
// nothing has happened.
func TestLinkExplains(t *testing.T) {
	l := newShared(t)
	w := l.w
	const evil = `<img src=x onerror=alert(1)>"'&`
	w.enter("m", evil)
	w.send("m", evil, fmt.Sprintf(`{"type":"rpc","id":"1","method":"addMcpServer","args":[{"name":%q,"url":"https://docs.test/mcp?key=SECRET-query"}]}`, evil))
	w.do("tick 1s")
	link := w.shownTo("m")
	registered := l.registered
	a := w.visit(link, "GET", nobody, "text/html")
	if a.status != 200 || a.location+a.cookie != "" || l.registered != registered {
		t.Fatalf("got %+v, %d registrations", a, l.registered)
	}
	for _, want := range []string{
		"<dt>Agent</dt><dd>own</dd>", "<dt>Conversation</dt><dd>room</dd>", "<dt>Asked for by</dt><dd>&lt;img", "https://docs.test/mcp</dd>",
		"<dt>You sign in at</dt><dd>https://login.test</dd>", "<dt>Which access</dt><dd>read</dd>", `<form method="post" action="?server=`, "&amp;ticket=",
		"frame-ancestors 'none'", `referrer-policy="same-origin"`, "<button>Go on to https://login.test</button>",
	} {
		if !strings.Contains(a.page, want) {
			t.Errorf("the page lacks %s: %s", want, a.page)
		}
	}
	for _, bad := range []string{"<img", "SECRET-query", "<script"} {
		if strings.Contains(a.page, bad) {
			t.Errorf("the page has %s: %s", bad, a.page)
		}
	}
	if again := w.visit(link, "GET", nobody, ""); again.page != a.page {
		t.Errorf("a second time: %s", again.page)
	}
}

// TestLinkForScript checks what the page of the agent is told, which presses a link for a person.
func TestLinkForScript(t *testing.T) {
	l := newShared(t)
	w := l.w
	w.enter("a", "ada")
	w.send("a", "ada", addDocs)
	w.do("tick 1s")
	a := w.visit(w.shownTo("a"), "POST", claimsOf("ada"), "application/json")
	if a.status != 200 || a.location != "" || a.cookie == "" || !strings.Contains(a.page, `{"location":"`+loginServer+`/authorize?`) {
		t.Fatalf("got %+v", a)
	}
	wrong := strings.Replace(w.shownTo("a"), "ticket=", "ticket=x", 1)
	if a := w.visit(wrong, "POST", claimsOf("ada"), "application/json"); a.status != 403 || a.cookie != "" || !strings.Contains(a.page, `{"error":"This link is not good any more.`) {
		t.Errorf("refused: %+v", a)
	}
	for _, method := range []string{"HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "post", ""} {
		if a := w.visit(w.shownTo("a"), method, claimsOf("ada"), ""); a.status != 405 || a.cookie+a.location != "" {
			t.Errorf("%s: %+v", method, a)
		}
	}
}

// TestStateNamesObject checks that the state has what the front door looks for, and that the last page says
// which agent and conversation it was about.
func TestStateNamesObject(t *testing.T) {
	l := newShared(t)
	w := l.w
	w.enter("a", "ada")
	w.send("a", "ada", addDocs)
	w.do("tick 1s")
	first := w.visit(w.shownTo("a"), "POST", claimsOf("ada"), "")
	if !strings.Contains(first.location, ".b3duL3Jvb20.SIGNATURE") {
		t.Errorf("the person is sent to %s", first.location)
	}
	callback, cookie := l.approve(first)
	last := w.ask(durable.RequestReceived{Method: "GET", URL: callback, Header: map[string]string{"tributary-link": cookie}, Claims: nobody})
	for _, want := range []string{"You have signed in to mine.", "<dt>Agent</dt><dd>own</dd>", "<dt>Conversation</dt><dd>room</dd>"} {
		if last.status != 200 || !strings.Contains(last.page, want) {
			t.Errorf("the last page lacks %s: %+v", want, last)
		}
	}
}
