package chat_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/agent"
)

// TestWaysToBeKnown checks who the agent is for an authorization server.
func TestWaysToBeKnown(t *testing.T) {
	for name, c := range map[string]struct {
		set    []string
		server agent.MCPServer
		change func(l *login)
		id     string
		secret string
	}{
		"a document":           {change: func(l *login) { l.document["client_id_metadata_document_supported"] = true }, id: "https://agents.example/.well-known/tributary-client"},
		"a document elsewhere": {set: []string{"var MCP_CLIENT_METADATA_URL=https://about.test/me.json"}, change: func(l *login) { l.document["client_id_metadata_document_supported"] = true }, id: "https://about.test/me.json"},
		"a variable":           {set: []string{"var MCP_CLIENT_DOCS=by-hand"}, id: "by-hand"},
		"a variable and a secret": {
			set: []string{"var MCP_CLIENT_DOCS=by-hand", "secret MCP_CLIENT_DOCS_SECRET", "var MCP_CLIENT_DOCS_ISSUER=" + loginServer},
			id:  "by-hand", secret: `authorization="Basic by-hand:"+secret:MCP_CLIENT_DOCS_SECRET`,
		},
		"a secret in the form": {
			set: []string{"var MCP_CLIENT_DOCS=by-hand", "secret MCP_CLIENT_DOCS_SECRET", "var MCP_CLIENT_DOCS_ISSUER=" + loginServer},
			change: func(l *login) {
				l.document["token_endpoint_auth_methods_supported"] = []string{"private_key_jwt", "client_secret_post"}
			},
			id: "by-hand", secret: `="&client_secret="+secret:MCP_CLIENT_DOCS_SECRET`,
		},
		"an author": {
			server: agent.MCPServer{Client: agent.MCPRegistration{ID: "author's", Secret: "DOCS_SECRET", Issuer: loginServer}},
			id:     "author's", secret: `authorization="Basic author%27s:"+secret:DOCS_SECRET`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			c.server.Name, c.server.URL = "docs", "https://docs.test/mcp"
			l := newLogin(t, agent.Agent{MCP: &agent.MCP{Servers: []agent.MCPServer{c.server}}})
			if c.change != nil {
				c.change(l)
			}
			l.w.do(c.set...)
			l.w.do("connect a", "say a R1 u1: hello", "tick 1s")
			if a := l.signIn(); a.status != 200 {
				t.Fatalf("got %+v", a)
			}
			sent := l.seen[0]
			if l.registered > 0 || c.secret == "" && !strings.Contains(sent.Body, "client_id="+url.QueryEscape(c.id)) || !strings.Contains(sent.Header, c.secret) {
				t.Errorf("sent was %s %s", sent.Header, sent.Body)
			}
		})
	}
}

// TestRegisteredForSomethingElse checks that a registration with which the agent cannot authenticate ends in words.
func TestRegisteredForSomethingElse(t *testing.T) {
	l := newLogin(t, docsAgent())
	l.w.web = func(q web) (int, string) {
		if q.URL == loginServer+"/register" {
			return 201, `{"client_id":"c","client_secret":"SECRET-c","token_endpoint_auth_method":"client_secret_jwt"}`
		}
		return l.web(q)
	}
	l.w.do("connect a", "say a R1 u1: hello", "tick 1s")
	if a := l.w.press(l.w.link()); a.status != 502 || !strings.Contains(a.page, "to authenticate by client_secret_jwt") {
		t.Errorf("got %+v", a)
	}
}

// TestClientOfPerson checks that a person can give the client that was registered by hand.
func TestClientOfPerson(t *testing.T) {
	l := newLogin(t, agent.Agent{MCP: &agent.MCP{Editable: true}})
	delete(l.document, "registration_endpoint")
	l.w.do("connect a", `frame a {"type":"rpc","id":"1","method":"addMcpServer","args":[{"name":"mine","url":"https://docs.test/mcp","client":{"id":"by-hand","secret":"SECRET-of-hand"}}]}`, "tick 1s")
	if a := l.signIn(); a.status != 200 || !strings.Contains(l.seen[0].Header, "Basic ") {
		t.Errorf("got %+v, sent was %+v", a, l.seen)
	}
	l.w.do(`frame a {"type":"rpc","id":"2","method":"addMcpServer","args":[{"name":"bad","url":"https://docs.test/mcp","client":{"secret":"x"}}]}`)
	l.w.wants("both only with an id")
	l.good, l.refreshes = nil, nil
	l.resource["authorization_servers"] = []string{"https://login.test/other"}
	l.w.lines = nil
	l.w.web = func(q web) (int, string) {
		if q.URL == "https://login.test/.well-known/oauth-authorization-server/other" {
			return 200, strings.ReplaceAll(jsonOf(l.document), loginServer, "https://login.test/other")
		}
		return l.web(q)
	}
	l.w.do("jump 2h", "say a R2 u2: hello", "tick 1s")
	l.w.wants("another authorization server than the one that its client was registered at")
}

// TestIssuerChanges checks that nothing of one authorization server is shown to another one.
func TestIssuerChanges(t *testing.T) {
	l := newLogin(t, docsAgent())
	w := l.w
	w.do("connect a", "say a R1 u1: hello", "tick 1s")
	l.signIn()
	w.do("tick 1s")
	const other = "https://other.test/tenant"
	var told []string
	w.web = func(q web) (int, string) {
		if strings.HasPrefix(q.URL, "https://other.test/") {
			told = append(told, q.URL+q.Header+q.Body)
			q.URL = strings.ReplaceAll(q.URL, "https://other.test", "https://login.test")
		}
		status, body := l.web(q)
		return status, strings.ReplaceAll(body, loginServer, other)
	}
	l.good = map[string]string{}
	w.do("jump 2h", "say a R2 u2: hello", "tick 1s")
	if w.state() != "authenticating" {
		t.Fatalf("the state is %s", w.state())
	}
	a := w.press(w.link())
	if !strings.HasPrefix(a.location, other+"/authorize?client_id=client-2&") {
		t.Errorf("the person is sent to %q", a.location)
	}
	if text := strings.Join(told, "\n"); strings.Contains(text, "TOKEN-") || strings.Contains(text, "client-1") {
		t.Errorf("the other server was told %s", text)
	}
}
