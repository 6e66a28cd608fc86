package worker

import (
	"encoding/base64"
	"encoding/json"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable/mcp/oauth"
)

// TestSignIn checks which requests of people who sign in come to which object without a token, and what of
// their cookies.
func TestSignIn(t *testing.T) {
	closed := Settings{Secret: testSecret, Bindings: []string{"Assistant"}}
	open := Settings{Development: true, Bindings: closed.Bindings}
	state := func(object string) string {
		return "link.secret." + base64.RawURLEncoding.EncodeToString([]byte(object))
	}
	nobody := `{"sub":"","scopes":[],"exp":0}`
	const cookies = "other=1; tributary-link-link=nonce; tributary-link-else=x"
	for _, tt := range []struct {
		title, path, cookie string
		settings            Settings
		status              int
		name, link, claims  string
	}{
		{"the link", "/agents/assistant/a%20b/mcp/authorize?server=docs&ticket=t", cookies, closed, 204, "a%20b", "", nobody},
		{"in development", "/agents/assistant/x/mcp/authorize?server=docs", "", open, 204, "x", "", ""},
		{"the way back", callbackPath + "?code=c&state=" + state("assistant/a%20b"), cookies, closed, 204, "a%20b", "nonce", nobody},
		{"the way back by the object's path", "/agents/assistant/x/mcp/callback?state=link.s", cookies, closed, 204, "x", "nonce", nobody},
		{"without a cookie", callbackPath + "?state=" + state("assistant/x"), "", closed, 204, "x", "", nobody},
		{"without a state", "/agents/assistant/x/mcp/callback", "tributary-link-=x", closed, 204, "x", "", nobody},
		{"a long cookie", callbackPath + "?state=" + state("assistant/x"), "tributary-link-link=" + strings.Repeat("x", 129), closed, 204, "x", "", nobody},
		{"a state that names nothing", callbackPath + "?state=link.secret", "", closed, 404, "", "", ""},
		{"a state that is no base64", callbackPath + "?state=link.secret.%2F", "", closed, 404, "", "", ""},
		{"a state of an unknown agent", callbackPath + "?state=" + state("nobody/x"), "", closed, 400, "", "", ""},
		{"a state that leads elsewhere", callbackPath + "?state=" + state("assistant/x/get-messages?"), "", closed, 400, "", "", ""},
		{"another path of the object", "/agents/assistant/x/mcp", "", closed, 401, "", "", ""},
		{"a path below", "/agents/assistant/x/mcp/authorize/y", "", closed, 401, "", "", ""},
		{"a path with an empty segment", "/agents/assistant/x//mcp/authorize", "", closed, 401, "", "", ""},
		{"a path in front", "/agents/assistant/x/sub/mcp/authorize", "", closed, 401, "", "", ""},
	} {
		t.Run(tt.title, func(t *testing.T) {
			r := httptest.NewRequest("GET", "http://localhost"+tt.path, nil)
			r.Host = "localhost"
			r.Header.Set("Cookie", tt.cookie)
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set(HeaderLink, "forged")
			w := httptest.NewRecorder()
			Handler(tt.settings, at(time.Unix(1, 0)), Options{}).ServeHTTP(w, r)
			got := []any{w.Code, w.Header().Get(HeaderName), w.Header().Get(HeaderLink), w.Header().Get(HeaderClaims)}
			if want := []any{tt.status, tt.name, tt.link, tt.claims}; !reflect.DeepEqual(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// TestSignInOfUpgrade checks that a socket needs a token on these paths too.
func TestSignInOfUpgrade(t *testing.T) {
	r := httptest.NewRequest("GET", "/agents/assistant/x/mcp/authorize", nil)
	r.Header.Set("Upgrade", "websocket")
	w := httptest.NewRecorder()
	Handler(Settings{Secret: testSecret, Bindings: []string{"Assistant"}}, at(time.Unix(1, 0)), Options{}).ServeHTTP(w, r)
	if got := w.Header().Get(HeaderClose); !strings.HasPrefix(got, "4401 ") {
		t.Errorf("the socket is closed with %q", got)
	}
}

// TestClientDocument checks that the document is the one that package oauth would write.
func TestClientDocument(t *testing.T) {
	w := httptest.NewRecorder()
	r := httptest.NewRequest("GET", "https://agents.example/.well-known/tributary-client", nil)
	Handler(Settings{}, at(time.Unix(1, 0)), Options{}).ServeHTTP(w, r)
	origin := "https://agents.example"
	document := oauth.About{ID: origin + clientPath, Name: "Tributary", Homepage: origin, Redirect: origin + callbackPath}.Document()
	var got, want any
	if json.Unmarshal(w.Body.Bytes(), &got) != nil || json.Unmarshal(document, &want) != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %s, want %s", w.Body, document)
	}
}
