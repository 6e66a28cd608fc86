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
	e := durable.RequestReceived{Method: "GET", URL: target, Header: map[string]string{}}
	if cookie != "" {
		e.Header["tributary-link"] = cookie
	}
	return w.ask(e)
}

// press has a person press the button of the page that a link leads to.
func (w *remoteWorld) press(link string) answer {
	w.t.Helper()
	return w.ask(durable.RequestReceived{Method: "POST", URL: link, Header: map[string]string{}})
}

// ask has a browser send a request.
func (w *remoteWorld) ask(e durable.RequestReceived) answer {
	w.t.Helper()
	w.posts++
	e.Request, e.Header["host"] = fmt.Sprint("http-", w.posts), "agents.example"
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
	if err != nil || a.status != 303 || !strings.HasPrefix(a.location, loginServer+"/authorize?") {
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
	callback, cookie := l.approve(l.w.press(l.w.link()))
	return l.w.get(callback, cookie)
}
