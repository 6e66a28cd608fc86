package chat_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// TestSignIn signs in to a server, and calls a tool.
func TestSignIn(t *testing.T) {
	l := newLogin(t, docsAgent())
	w := l.w
	w.do("connect a", "say a R1 u1: hello", "tick 1s")
	w.wants(`The tools of the server \"docs\" are not available now.`, `"done":true,"outcome":"completed"`)
	if w.state() != "authenticating" || !strings.HasPrefix(w.link(), "/agents/own/room/mcp/authorize?server=docs&ticket=") {
		t.Fatalf("state %s, link %q", w.state(), w.link())
	}
	first := w.press(w.link())
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
	if a := l.w.press(l.w.link()); !strings.HasPrefix(a.location, "https://docs.test/authorize?client_id=c&") {
		t.Errorf("got %+v; asked %q", a, l.w.asked)
	}
}

// TestForgedCallbacks checks that a callback needs state and cookie, each once, within ten minutes, and that
// one without them changes nothing.
func TestForgedCallbacks(t *testing.T) {
	l := newLogin(t, docsAgent())
	w := l.w
	w.do("connect a", "say a R1 u1: hello", "tick 1s")
	good := w.link()
	if a := w.press("/agents/own/room/mcp/authorize?server=docs&ticket=wrong"); a.status != 403 || a.location != "" {
		t.Errorf("without the ticket: %+v", a)
	}
	callback, cookie := l.approve(w.press(good))
	other, _ := l.approve(w.press(good))
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
	if a := w.press(good); a.status != 403 {
		t.Errorf("a link that is over: %+v", a)
	}
}

// TestLateCallback checks that a link is good for ten minutes, and that it can be pressed again.
func TestLateCallback(t *testing.T) {
	l := newLogin(t, docsAgent())
	w := l.w
	w.do("connect a", "say a R1 u1: hello", "tick 1s")
	callback, cookie := l.approve(w.press(w.link()))
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
	callback, cookie := l.approve(w.press(w.link()))
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
			callback, cookie := l.approve(l.w.press(l.w.link()))
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
				if a := w.press(w.link()); a.status == 303 {
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
