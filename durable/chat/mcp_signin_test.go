package chat_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/chat/chattest"
	"github.com/tributary-agents/tributary/durable/durabletest"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/mcp/oauth"
)

// web is a request that is none of the protocol.
type web struct{ Fetch, Method, URL, Header, Body string }

var otherFetch = regexp.MustCompile(`(?s)^\s*fetch (\S+) (GET|POST) (\S+)((?: [a-z-]*="(?:[^"\\]|\\.)*"(?:\+secret:\S+)?)*) ?(.*)$`)

func (w *remoteWorld) answerWeb(q web) {
	w.asked = append(w.asked, q.Method+" "+q.URL)
	status, body := w.web(q)
	if status == 0 { // no answer
		return
	}
	w.Fetched("", q.Fetch, durable.FetchResponded{Fetch: q.Fetch, Status: status, Header: map[string]string{"content-type": "application/json"}})
	half := len(body) / 2
	w.Fetched("", q.Fetch, durable.FetchChunk{Fetch: q.Fetch, Data: []byte(body[:half])})
	if w.loseAll {
		w.loseNow()
		return
	}
	w.Fetched("", q.Fetch, durable.FetchChunk{Fetch: q.Fetch, Data: []byte(body[half:])})
	w.Fetched("", q.Fetch, durable.FetchEnded{Fetch: q.Fetch})
}

// loseNow loses all memory, once.
func (w *remoteWorld) loseNow() {
	w.loseAll = false
	w.Evict("")
	act(w.t, w.World, "get /agents/x/room/get-messages")
}

const (
	loginServer   = "https://login.test/tenant"
	docsChallenge = `challenge:Bearer resource_metadata="https://docs.test/where.json", scope="read"`
)

// login is an authorization server, and the server docs that trusts it.
type login struct {
	w *remoteWorld
	// resource and document are the documents about the server and the authorization server.
	resource, document map[string]any
	// missing are addresses without a document.
	missing []string
	// good are the tokens that the server accepts, with their scopes. made counts them.
	good map[string]string
	made int
	// codes are those that were not made a token, with the challenge and the scopes that they belong to.
	codes map[string][2]string
	// refreshes are the refresh tokens that are good.
	refreshes []string
	// registered counts the registrations, and clients are the ids that are known.
	registered int
	clients    []string
	// refusal is what the token endpoint answers, if it is set.
	refusal string
	// seen are the requests that have reached the authorization server.
	seen []web
	// needs are the scopes that a tool needs, and calls what was called.
	needs map[string]string
	calls []string
}

func newLogin(t *testing.T, a agent.Agent) *login {
	l := &login{
		resource: map[string]any{"resource": "https://docs.test/mcp", "authorization_servers": []string{loginServer}},
		document: map[string]any{
			"issuer": loginServer, "authorization_endpoint": loginServer + "/authorize", "token_endpoint": loginServer + "/token",
			"registration_endpoint": loginServer + "/register", "code_challenge_methods_supported": []string{"S256"},
		},
		good: map[string]string{}, codes: map[string][2]string{}, needs: map[string]string{},
	}
	l.w = newRemote(t, a, l.serve)
	l.w.web = l.web
	return l
}

var bearer = regexp.MustCompile(`authorization="Bearer ([^"]+)"`)

// serve is the server docs.
func (l *login) serve(q rpc) (int, string) {
	scopes, known := "", false
	if m := bearer.FindStringSubmatch(q.Header); m != nil {
		scopes, known = l.good[m[1]]
	}
	need := l.needs[q.Params.Name]
	switch {
	case !known:
		return 401, docsChallenge
	case need != "" && !slices.Contains(strings.Fields(scopes), need):
		return 403, `challenge:Bearer error="insufficient_scope", scope="` + need + `", resource_metadata="https://docs.test/where.json"`
	}
	return docs(func(q rpc) (int, string) {
		l.calls = append(l.calls, q.Params.Name)
		return 200, said("done")
	})(q)
}

func jsonOf(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// web is the authorization server, and the document about the server docs.
func (l *login) web(q web) (int, string) {
	if slices.Contains(l.missing, q.URL) {
		return 404, "<html>"
	}
	switch q.URL {
	case "https://docs.test/where.json", "https://docs.test/.well-known/oauth-protected-resource/mcp", "https://docs.test/.well-known/oauth-protected-resource":
		return 200, jsonOf(l.resource)
	case "https://login.test/.well-known/oauth-authorization-server/tenant", "https://login.test/.well-known/openid-configuration/tenant", loginServer + "/.well-known/openid-configuration":
		return 200, jsonOf(l.document)
	}
	l.seen = append(l.seen, q)
	switch q.URL {
	case loginServer + "/register":
		l.registered++
		l.clients = append(l.clients, fmt.Sprint("client-", l.registered))
		return 201, fmt.Sprintf(`{"client_id":"client-%d","client_secret":"SECRET-client-%d"}`, l.registered, l.registered)
	case loginServer + "/token":
		return l.token(q)
	}
	return 404, "<html>"
}

func (l *login) token(q web) (int, string) {
	form, _ := url.ParseQuery(q.Body)
	if l.refusal != "" {
		return 400, `{"error":"` + l.refusal + `","error_description":"no good: ` + form.Get("refresh_token") + form.Get("code") + `"}`
	}
	scopes := ""
	switch form.Get("grant_type") {
	case "authorization_code":
		code, ok := l.codes[form.Get("code")]
		delete(l.codes, form.Get("code"))
		if !ok || oauth.S256(form.Get("code_verifier")) != code[0] || form.Get("resource") == "" {
			return 400, `{"error":"invalid_grant"}`
		}
		scopes = code[1]
	case "refresh_token":
		if i := slices.Index(l.refreshes, form.Get("refresh_token")); i < 0 {
			return 400, `{"error":"invalid_grant"}`
		} else {
			l.refreshes = slices.Delete(l.refreshes, i, i+1)
		}
		scopes = "read"
	}
	l.made++
	access, refresh := fmt.Sprintf("TOKEN-access-%d", l.made), fmt.Sprintf("TOKEN-refresh-%d", l.made)
	l.good, l.refreshes = map[string]string{access: scopes}, append(l.refreshes, refresh)
	return 200, fmt.Sprintf(`{"access_token":%q,"refresh_token":%q,"token_type":"Bearer","expires_in":3600,"scope":%q}`, access, refresh, scopes)
}

// answer is what a browser is told.
type answer struct {
	status                 int
	location, cookie, page string
}

var response = regexp.MustCompile(`(?s)respond http-\d+ (\d+) (.*)`)

var header = regexp.MustCompile(`([a-z-]+)=("(?:[^"\\]|\\.)*")`)

// get has a browser ask for a page.
func (w *remoteWorld) get(target, cookie string) answer {
	w.t.Helper()
	w.posts++
	e := durable.RequestReceived{Request: fmt.Sprint("http-", w.posts), Method: "GET", URL: target, Header: map[string]string{"host": "agents.example"}}
	if cookie != "" {
		e.Header["tributary-link"] = cookie
	}
	before := len(w.lines)
	w.Tell(e)
	w.do()
	w.serve()
	for _, line := range w.lines[before:] {
		if m := response.FindStringSubmatch(line); m != nil && strings.Contains(line, e.Request+" ") {
			a := answer{page: m[2]}
			fmt.Sscan(m[1], &a.status)
			for _, h := range header.FindAllStringSubmatch(m[2], -1) {
				var value string
				_ = json.Unmarshal([]byte(h[2]), &value)
				switch h[1] {
				case "location":
					a.location = value
				case "set-cookie":
					a.cookie = value
				}
			}
			return a
		}
	}
	return answer{}
}

var shownLink = regexp.MustCompile(`"auth_url":"([^"]+)"`)

// link is the link that browsers are shown now, or "".
func (w *remoteWorld) link() (link string) {
	for _, line := range w.lines {
		if strings.Contains(line, "cf_agent_mcp_servers") {
			link = ""
			if m := shownLink.FindStringSubmatch(line); m != nil {
				_ = json.Unmarshal([]byte(`"`+m[1]+`"`), &link)
			}
		}
	}
	return link
}

// approve is a person at the authorization server. It returns the callback, and the value of the cookie.
func (l *login) approve(a answer) (callback, cookie string) {
	l.w.t.Helper()
	u, err := url.Parse(a.location)
	if err != nil || a.status != 302 || !strings.HasPrefix(a.location, loginServer+"/authorize?") {
		l.w.t.Fatalf("the person is sent to %q with %d: %s", a.location, a.status, a.page)
	}
	q := u.Query()
	code := fmt.Sprint("CODE-", len(l.codes)+l.made)
	l.codes[code] = [2]string{q.Get("code_challenge"), q.Get("scope")}
	back, _ := url.Parse(q.Get("redirect_uri"))
	target := back.RequestURI() + "?"
	_, value, _ := strings.Cut(a.cookie, "=")
	value, _, _ = strings.Cut(value, ";")
	return target + url.Values{"code": {code}, "state": {q.Get("state")}}.Encode(), value
}

// signIn has a person sign in.
func (l *login) signIn() answer {
	l.w.t.Helper()
	callback, cookie := l.approve(l.w.get(l.w.link(), ""))
	return l.w.get(callback, cookie)
}

func (w *remoteWorld) state() string {
	states := w.states()
	if len(states) == 0 {
		return ""
	}
	return states[len(states)-1]
}

// TestSignIn signs in to a server, and calls a tool.
func TestSignIn(t *testing.T) {
	l := newLogin(t, docsAgent())
	w := l.w
	w.do("connect a", "say a R1 u1: hello", "tick 1s")
	w.wants(`The tools of the server \"docs\" are not available now.`, `"done":true,"outcome":"completed"`)
	if w.state() != "authenticating" || !strings.HasPrefix(w.link(), "/agents/own/room/mcp/authorize?server=docs&ticket=") {
		t.Fatalf("state %s, link %q", w.state(), w.link())
	}
	first := w.get(w.link(), "")
	u, _ := url.Parse(first.location)
	q := u.Query()
	for name, want := range map[string]string{
		"response_type": "code", "client_id": "client-1", "redirect_uri": "https://agents.example/agents/mcp/callback",
		"scope": "read", "resource": "https://docs.test/mcp", "code_challenge_method": "S256",
	} {
		if q.Get(name) != want {
			t.Errorf("%s is %q, want %q", name, q.Get(name), want)
		}
	}
	if !regexp.MustCompile(`^tributary-link-[\w-]{16}=[\w-]{43}; Path=/agents/mcp/callback; Max-Age=600; HttpOnly; SameSite=Lax; Secure$`).MatchString(first.cookie) {
		t.Errorf("the cookie is %q", first.cookie)
	}
	callback, cookie := l.approve(first)
	if a := w.get(callback, cookie); a.status != 200 || !strings.Contains(a.page, "You have signed in to docs") {
		t.Errorf("the page is %+v", a)
	}
	w.do("tick 1s")
	if got, want := fmt.Sprint(w.states()), "[not-connected connecting authenticating connecting ready]"; got != want || w.link() != "" {
		t.Errorf("states %s, want %s; link %q", got, want, w.link())
	}
	w.do(`say a R2 u2: call docs_search {}`, "tick 5s")
	w.wants(`it is \"done\"`)
}

// TestForgedCallbacks checks that a callback needs state and cookie, each once, within ten minutes, and that
// one without them changes nothing.
func TestForgedCallbacks(t *testing.T) {
	l := newLogin(t, docsAgent())
	w := l.w
	w.do("connect a", "say a R1 u1: hello", "tick 1s")
	good := w.link()
	if a := w.get("/agents/own/room/mcp/authorize?server=docs&ticket=wrong", ""); a.status != 403 || a.location != "" {
		t.Errorf("without the ticket: %+v", a)
	}
	callback, cookie := l.approve(w.get(good, ""))
	other, _ := l.approve(w.get(good, ""))
	refused := func(what, target, cookie string) {
		t.Helper()
		seen := len(l.seen)
		if a := w.get(target, cookie); a.status/100 != 4 || len(l.seen) != seen || w.state() != "authenticating" {
			t.Errorf("%s: %+v, state %s", what, a, w.state())
		}
	}
	refused("no cookie", callback, "")
	refused("a foreign cookie", callback, "x"+cookie[1:])
	refused("the cookie of another link", other, cookie)
	refused("a foreign state", regexp.MustCompile(`state=.`).ReplaceAllString(callback, "state=x"), cookie)
	refused("no state", "/agents/own/room/mcp/callback?code=x", cookie)
	refused("no query", "/agents/own/room/mcp/callback", cookie)
	w.do("evict", "connect b")
	if a := w.get(callback, cookie); a.status != 200 {
		t.Fatalf("the flow was harmed: %+v", a)
	}
	w.do("tick 1s")
	if w.state() != "ready" {
		t.Fatalf("the state is %s", w.state())
	}
	if a := w.get(callback, cookie); a.status != 403 || w.state() != "ready" {
		t.Errorf("twice: %+v", a)
	}
	if a := w.get(good, ""); a.status != 403 {
		t.Errorf("a link that is over: %+v", a)
	}
}

// TestLateCallback checks that a link is good for ten minutes, and that it can be pressed again.
func TestLateCallback(t *testing.T) {
	l := newLogin(t, docsAgent())
	w := l.w
	w.do("connect a", "say a R1 u1: hello", "tick 1s")
	callback, cookie := l.approve(w.get(w.link(), ""))
	w.do("jump 10m")
	if a := w.get(callback, cookie); a.status != 403 || w.state() != "authenticating" {
		t.Errorf("late: %+v, state %s", a, w.state())
	}
	if a := l.signIn(); a.status != 200 {
		t.Errorf("pressed again: %+v", a)
	}
}

// TestRefusalsOfSignIn checks what becomes of documents and answers that must not be used.
func TestRefusalsOfSignIn(t *testing.T) {
	for name, c := range map[string]struct {
		change func(l *login)
		words  string
	}{
		"another resource":        {func(l *login) { l.resource["resource"] = "https://evil.test/mcp" }, "another resource"},
		"no authorization server": {func(l *login) { l.resource["authorization_servers"] = []string{} }, "names no authorization server"},
		"another issuer":          {func(l *login) { l.document["issuer"] = loginServer + "/" }, "another issuer"},
		"no PKCE":                 {func(l *login) { delete(l.document, "code_challenge_methods_supported") }, "PKCE"},
		"a private address":       {func(l *login) { l.document["token_endpoint"] = "https://10.0.0.1/token" }, "endpoint"},
		"no way to be known":      {func(l *login) { delete(l.document, "registration_endpoint") }, "MCP_CLIENT_{NAME}"},
		"no way to authenticate": {func(l *login) {
			l.document["token_endpoint_auth_methods_supported"] = []string{"private_key_jwt"}
		}, "wants the client to authenticate by private_key_jwt, and only"},
		"a header in its way": {func(l *login) {
			l.w.do(`frame a {"type":"rpc","id":"1","method":"addMcpServer","args":[{"name":"mine","url":"https://docs.test/mcp","headers":{"Authorization":"Bearer old"}}]}`)
		}, "does not accept the header Authorization"},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLogin(t, docsAgent())
			l.w.do("connect a")
			c.change(l)
			l.w.do("say a R1 u1: hello", "tick 1s")
			l.w.wants(c.words)
			if l.w.link() != "" && name != "a header in its way" || len(l.seen) > 0 {
				t.Errorf("the link is %q, and the authorization server has seen %v", l.w.link(), l.seen)
			}
		})
	}
}

// TestRefusedCode checks what a person is told who was refused, and that the link can be pressed again.
func TestRefusedCode(t *testing.T) {
	l := newLogin(t, docsAgent())
	w := l.w
	w.do("connect a", "say a R1 u1: hello", "tick 1s")
	callback, cookie := l.approve(w.get(w.link(), ""))
	denied := regexp.MustCompile(`code=[^&]*`).ReplaceAllString(callback, "error=access_denied&error_description=<b>no</b>")
	if a := w.get(denied, cookie); a.status != 403 || !strings.Contains(a.page, "access_denied: &lt;b&gt;no") || w.state() != "authenticating" {
		t.Errorf("denied: %+v", a)
	}
	l.refusal = "invalid_grant"
	if a := l.signIn(); a.status != 502 || !strings.Contains(a.page, "invalid_grant: no good: …") || w.state() != "authenticating" {
		t.Errorf("refused: %+v", a)
	}
	l.refusal = "invalid_client"
	if a := l.signIn(); a.status != 502 || w.state() != "authenticating" {
		t.Errorf("an unknown client: %+v", a)
	}
	l.refusal = ""
	registered := l.registered
	if a := l.signIn(); a.status != 200 || l.registered != registered+1 {
		t.Errorf("registered anew: %+v, %d registrations", a, l.registered)
	}
}

// TestIssuerOfCallback checks that the issuer of a callback is compared.
func TestIssuerOfCallback(t *testing.T) {
	for name, c := range map[string]struct {
		names bool
		iss   string
		ok    bool
	}{
		"right": {true, loginServer, true}, "missing": {true, "", false}, "wrong": {false, "https://evil.test", false},
		"with a slash": {true, loginServer + "/", false}, "not promised": {false, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLogin(t, docsAgent())
			l.document["authorization_response_iss_parameter_supported"] = c.names
			l.w.do("connect a", "say a R1 u1: hello", "tick 1s")
			callback, cookie := l.approve(l.w.get(l.w.link(), ""))
			if c.iss != "" {
				callback += "&iss=" + url.QueryEscape(c.iss)
			}
			if a := l.w.get(callback, cookie); (a.status == 200) != c.ok {
				t.Errorf("got %+v", a)
			}
			if l.made > 0 != c.ok {
				t.Errorf("%d tokens were made", l.made)
			}
		})
	}
}

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
			set: []string{"var MCP_CLIENT_DOCS=by-hand", "secret MCP_CLIENT_DOCS_SECRET"},
			id:  "by-hand", secret: `authorization="Basic by-hand:"+secret:MCP_CLIENT_DOCS_SECRET`,
		},
		"a secret in the form": {
			set: []string{"var MCP_CLIENT_DOCS=by-hand", "secret MCP_CLIENT_DOCS_SECRET"},
			change: func(l *login) {
				l.document["token_endpoint_auth_methods_supported"] = []string{"private_key_jwt", "client_secret_post"}
			},
			id: "by-hand", secret: `="&client_secret="+secret:MCP_CLIENT_DOCS_SECRET`,
		},
		"an author": {
			server: agent.MCPServer{Client: agent.MCPRegistration{ID: "author's", Secret: "DOCS_SECRET"}},
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
	if a := l.w.get(l.w.link(), ""); a.status != 502 || !strings.Contains(a.page, "to authenticate by client_secret_jwt") {
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
	a := w.get(w.link(), "")
	if !strings.HasPrefix(a.location, other+"/authorize?client_id=client-2&") {
		t.Errorf("the person is sent to %q", a.location)
	}
	if text := strings.Join(told, "\n"); strings.Contains(text, "TOKEN-") || strings.Contains(text, "client-1") {
		t.Errorf("the other server was told %s", text)
	}
}

// TestRefresh checks that a token is renewed behind a refusal and before its end, each time by one request, and
// what becomes of a refresh token that is not good.
func TestRefresh(t *testing.T) {
	a := docsAgent()
	a.Tools = []agent.Tool{agent.NewTool("twice", "", func(c *agent.Context, _ struct{}) (string, error) {
		first := flow.Go(c, "search", func() (agent.MCPResult, error) { return c.MCP("docs").Call("search", struct{}{}) })
		second := flow.Go(c, "write", func() (agent.MCPResult, error) { return c.MCP("docs").Call("write", struct{}{}) })
		x, err := first.Wait()
		if err != nil {
			return "", err
		}
		y, err := second.Wait()
		return x.Text + y.Text, err
	})}
	for _, early := range []bool{false, true} {
		l := newLogin(t, a)
		w := l.w
		w.do("connect a", "say a R1 u1: hello", "tick 1s")
		l.signIn()
		w.do("tick 2m", "say a R2 u2: hello", "tick 1s")
		if early {
			w.do("jump 59m50s")
		} else {
			l.good = map[string]string{}
		}
		seen := len(l.seen)
		l.calls = nil
		w.do("say a R3 u3: call twice {}", "tick 5s")
		w.wants(`it is \"donedone\"`)
		if refreshes := len(l.seen) - seen; refreshes != 1 || len(l.calls) != 2 {
			t.Errorf("early %v: %d refreshes, %v calls", early, refreshes, l.calls)
		}
		l.good, l.refreshes = map[string]string{}, nil
		w.do("tick 2m", "say a R4 u4: call docs_search {}", "tick 5s")
		if w.state() != "authenticating" || w.link() == "" {
			t.Errorf("the state is %s", w.state())
		}
		w.lines = nil
		w.do("evict", "connect b", "jump 20h")
		l.signIn()
		w.do("tick 5s")
		w.wants(`it is \"done\"`)
	}
}

// TestStepUp checks that a call goes on behind a person's signing in with more scopes, a day later and in another
// life, that the turn does not wait, and that nobody is asked without end.
func TestStepUp(t *testing.T) {
	l := newLogin(t, docsAgent())
	w := l.w
	l.needs["write"] = "write"
	w.do("connect a", "say a R1 u1: hello", "tick 1s")
	l.signIn()
	w.do("tick 1s", `say a R2 u2: call docs_write {}`, "tick 5s")
	w.wants(`"id":"R2","body":"","done":true,"outcome":"completed"`)
	if w.state() != "authenticating" || len(l.calls) > 0 {
		t.Fatalf("the state is %s", w.state())
	}
	w.do(`say a R3 u3: call docs_search {}`, "tick 5s")
	if fmt.Sprint(l.calls) != "[search]" {
		t.Errorf("a call that needs no more scopes waits: %v", l.calls)
	}
	w.do("evict", "jump 24h", "connect b")
	w.lines = slices.Clip(w.lines)
	a := w.get(w.link(), "")
	if !strings.Contains(a.location, "scope=read+write") {
		t.Errorf("the person is sent to %s", a.location)
	}
	w.get(l.approve(a))
	w.do("tick 5s")
	if fmt.Sprint(l.calls) != "[search write]" {
		t.Errorf("the calls are %v, the state is %s", l.calls, w.state())
	}
	l.needs["book"] = "never"
	l.good["TOKEN-access-9"] = ""
	w.do(`say b R4 u4: call docs_book {}`, "tick 5s")
	pressed := 0
	for ; w.state() == "authenticating" && pressed < 9; pressed++ {
		callback, cookie := l.approve(w.get(w.link(), ""))
		for code, c := range l.codes {
			l.codes[code] = [2]string{c[0], "read write"}
		}
		w.get(callback, cookie)
		w.do("tick 5s")
	}
	w.wants("it still refuses, behind 3 times of signing in")
	if pressed != 3 {
		t.Errorf("pressed %d times", pressed)
	}
}

// TestServerThatNeverLetsIn checks that nobody signs in without end.
func TestServerThatNeverLetsIn(t *testing.T) {
	l := newLogin(t, docsAgent())
	w := l.w
	w.server = func(q rpc) (int, string) { return 401, docsChallenge }
	w.do("connect a", "say a R1 u1: hello", "tick 1s")
	pressed := 0
	for ; w.state() == "authenticating" && pressed < 9; pressed++ {
		l.signIn()
		w.do("tick 1s")
	}
	if w.wants("a person has signed in three times"); pressed != 3 || w.state() != "failed" {
		t.Errorf("pressed %d times, the state is %s", pressed, w.state())
	}
}

// TestLossesOfSignIn loses the memory in the middle of every answer.
func TestLossesOfSignIn(t *testing.T) {
	for n := range 8 {
		l := newLogin(t, docsAgent())
		w := l.w
		answers := 0
		w.web = func(q web) (int, string) {
			w.loseAll = answers == n
			answers++
			return l.web(q)
		}
		w.do("connect a", "say a R1 u1: hello", "tick 5s")
		for range 4 {
			w.do("tick 61s", "get /agents/x/room/get-messages")
			if w.state() == "authenticating" {
				if a := w.get(w.link(), ""); a.status == 302 {
					callback, cookie := l.approve(a)
					w.get(callback, cookie)
				}
			}
		}
		w.do("tick 61s", "say a R2 u2: call docs_search {}", "tick 5s")
		if w.state() != "ready" || fmt.Sprint(l.calls) != "[search]" {
			t.Errorf("lost in answer %d: state %s, calls %v, asked %q", n, w.state(), l.calls, w.asked)
		}
	}
}

// TestTokensStayInTheirRows searches all that leaves the object, and all rows, for tokens and secrets.
func TestTokensStayInTheirRows(t *testing.T) {
	a := docsAgent()
	a.Name, a.Model = "Own", chattest.Calling{}
	engine := durabletest.NewNative(1, chattest.Class(a))
	defer engine.Close()
	l := newLogin(t, a)
	l.w.World = durabletest.NewWorld(engine, "Own", "room")
	w := l.w
	l.needs["write"] = "write"
	w.do("var TRIBUTARY_ENV=development", "connect a", "say a R1 u1: hello", "tick 1s")
	l.signIn()
	w.do("tick 2m", `say a R2 u2: call docs_write {}`, "tick 5s", "evict", "connect b")
	l.signIn()
	w.do("tick 2m")
	l.good = map[string]string{}
	w.do(`say a R3 u3: call docs_search {}`, "tick 5s")
	l.good = map[string]string{}
	l.refusal = "invalid_grant"
	w.do("tick 2m", `say a R4 u4: call docs_search {}`, "tick 5s")
	w.do(`frame a {"type":"rpc","id":"1","method":"inspect","args":[]}`, `frame a {"type":"rpc","id":"2","method":"mcpServers","args":[]}`)
	w.wants("mcp_server", `"done":true,"outcome":"completed"`)
	secret := regexp.MustCompile(`TOKEN-|SECRET-|CODE-`)
	for _, line := range w.lines {
		if !strings.HasPrefix(strings.TrimSpace(line), "fetch ") && secret.MatchString(line) {
			t.Errorf("a secret leaves the object: %.600s", line)
		}
	}
	db, err := engine.Storage("room")
	if err != nil {
		t.Fatal(err)
	}
	rows := func(statement string) []durable.Row {
		list, err := db.SQL(statement, nil)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	found := 0
	for _, table := range rows(`SELECT name FROM sqlite_schema WHERE type = 'table'`) {
		name := table.Text(0)
		for _, row := range rows(`SELECT * FROM "` + name + `"`) {
			if text := fmt.Sprint(row); secret.MatchString(text) {
				found++
				if name != "mcp_secret" {
					t.Errorf("the table %s has a secret: %.300s", name, text)
				}
			}
		}
	}
	if found == 0 {
		t.Error("no row has a secret")
	}
}

// TestRemovingForgetsTokens checks that nothing is left of a server that was removed.
func TestRemovingForgetsTokens(t *testing.T) {
	l := newLogin(t, agent.Agent{MCP: &agent.MCP{Editable: true}})
	w := l.w
	w.do("connect a", `frame a {"type":"rpc","id":"1","method":"addMcpServer","args":[{"name":"mine","url":"https://docs.test/mcp"}]}`, "tick 1s")
	l.signIn()
	w.do("tick 1s")
	id := regexp.MustCompile(`"result":\{"id":"([^"]+)"`).FindStringSubmatch(w.text())
	w.do(`frame a {"type":"rpc","id":"2","method":"removeMcpServer","args":["`+id[1]+`"]}`,
		`frame a {"type":"rpc","id":"3","method":"addMcpServer","args":[{"name":"mine","url":"https://docs.test/mcp"}]}`, "tick 1s")
	if w.state() != "authenticating" || !strings.Contains(w.get(w.link(), "").location, "client-2") {
		t.Errorf("the state is %s", w.state())
	}
}

// TestServerOf2025 checks that a server without documents is its own authorization server.
func TestServerOf2025(t *testing.T) {
	l := newLogin(t, docsAgent())
	l.w.server = func(q rpc) (int, string) { return 401, "challenge:Bearer" }
	l.w.web = func(q web) (int, string) {
		if q.URL == "https://docs.test/register" {
			return 201, `{"client_id":"c"}`
		}
		return 404, ""
	}
	l.w.do("connect a", "say a R1 u1: hello", "tick 1s")
	if a := l.w.get(l.w.link(), ""); !strings.HasPrefix(a.location, "https://docs.test/authorize?client_id=c&") {
		t.Errorf("got %+v; asked %q", a, l.w.asked)
	}
}
