package worker

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable/mcp/oauth"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// addressOf is an object of the tests.
func addressOf(name string) Address {
	return Address{Agent: "assistant", Binding: "Assistant", Name: name}
}

// stateOf returns a state with what the front door looks for.
func stateOf(name, signature string) string {
	return protocol.SignInState{Link: "link", Secret: "secret", Agent: "assistant", Name: name, Signature: signature}.String()
}

// TestSignIn checks which requests of people who sign in come to which object, and what of their cookies.
func TestSignIn(t *testing.T) {
	closed := Settings{Secret: testSecret, Bindings: []string{"Assistant"}}
	open := Settings{Development: true, Bindings: closed.Bindings}
	shut, weak := Settings{Bindings: closed.Bindings}, Settings{Secret: "short", Bindings: closed.Bindings}
	rotated := Settings{Secret: testSecret + "x", Bindings: closed.Bindings}
	sig := signatureOf(testSecret, addressOf("x"))
	other := signatureOf(testSecret, addressOf("y"))
	nobody := `{"sub":"","scopes":[],"exp":0,"sig":"` + sig + `"}`
	alice := fmt.Sprintf(`{"sub":"alice","scopes":[],"exp":%d,"sig":"%s"}`, inAnHour.ExpiresAt.Unix(), sig)
	token := func(name string) string {
		return "&token=" + mint(t, Claims{RegisteredClaims: inAnHour, Agent: "assistant", Name: name})
	}
	const cookies = "other=1; tributary-link-link=nonce; tributary-link-else=x"
	const link = "/agents/assistant/x/mcp/authorize?server=docs&ticket=t"
	back := func(name, signature string) string {
		return protocol.CallbackPath + "?code=c&state=" + stateOf(name, signature)
	}
	for _, tt := range []struct {
		title, path, cookie string
		settings            Settings
		status              int
		name, link, claims  string
	}{
		{"the link", link + "&sig=" + sig, cookies, closed, 204, "x", "", nobody},
		{"the link with a token", link + token("x"), cookies, closed, 204, "x", "", alice},
		{"the link with both", link + "&sig=" + sig + token("x"), cookies, closed, 204, "x", "", alice},
		{"in development", link, "", open, 204, "x", "", ""},
		{"the way back", back("x", sig), cookies, closed, 204, "x", "nonce", nobody},
		{"the way back in development", back("x", ""), cookies, open, 204, "x", "nonce", ""},
		{"without a cookie", back("x", sig), "", closed, 204, "x", "", nobody},
		{"a long cookie", back("x", sig), "tributary-link-link=" + strings.Repeat("x", 129), closed, 204, "x", "", nobody},

		{"without a signature", link, "", closed, 403, "", "", ""},
		{"an empty signature", link + "&sig=", "", closed, 403, "", "", ""},
		{"the signature of another object", link + "&sig=" + other, "", closed, 403, "", "", ""},
		{"a signature that is longer", link + "&sig=" + sig + "A", "", closed, 403, "", "", ""},
		{"a signature that is shorter", link + "&sig=" + sig[:21], "", closed, 403, "", "", ""},
		{"a signature of another secret", link + "&sig=" + sig, "", rotated, 403, "", "", ""},
		{"a second signature", link + "&sig=no&sig=" + sig, "", closed, 403, "", "", ""},
		{"a token for another object", link + token("y"), "", closed, 403, "", "", ""},
		{"a token for another object beside a signature", link + "&sig=" + sig + token("y"), "", closed, 403, "", "", ""},
		{"a bad token beside a signature", link + "&sig=" + sig + "&token=x", "", closed, 401, "", "", ""},
		{"another writing of the name", strings.Replace(link, "/x/", "/%78/", 1) + "&sig=" + sig, "", closed, 403, "", "", ""},
		{"a closed deployment", link + "&sig=" + sig, "", shut, 503, "", "", ""},
		{"a short secret", link + "&sig=" + signatureOf(weak.Secret, addressOf("x")), "", weak, 503, "", "", ""},
		{"the way back without a signature", back("x", ""), cookies, closed, 403, "", "", ""},
		{"the way back with another's", back("x", other), cookies, closed, 403, "", "", ""},
		{"the way back of another secret", back("x", sig), cookies, rotated, 403, "", "", ""},
		{"the way back to a closed deployment", back("x", sig), cookies, shut, 503, "", "", ""},
		{"the way back with the link's parameter", back("x", "") + "&sig=" + sig, cookies, closed, 403, "", "", ""},
		{"the way back by the object's path", "/agents/assistant/x/mcp/callback?state=" + stateOf("x", sig), cookies, closed, 401, "", "", ""},
		{"no state", protocol.CallbackPath, "", closed, 400, "", "", ""},
		{"a state that names nothing", protocol.CallbackPath + "?state=link.secret", "", closed, 400, "", "", ""},
		{"a state that is no base64", protocol.CallbackPath + "?state=link.secret.%2F.s", "", closed, 400, "", "", ""},
		{"a state of an unknown agent", protocol.CallbackPath + "?state=" + protocol.SignInState{Link: "l", Secret: "s", Agent: "nobody", Name: "x", Signature: sig}.String(), "", closed, 400, "", "", ""},
		{"a state with a path", back("x/get-messages?", sig), "", closed, 400, "", "", ""},
		{"a link with a control character", "/agents/assistant/%00/mcp/authorize?sig=" + signatureOf(testSecret, addressOf("%00")), "", closed, 400, "", "", ""},
		{"a link with a long name", "/agents/assistant/" + strings.Repeat("n", 257) + "/mcp/authorize", "", closed, 400, "", "", ""},
		{"another path of the object", "/agents/assistant/x/mcp?sig=" + sig, "", closed, 401, "", "", ""},
		{"a path below", "/agents/assistant/x/mcp/authorize/y?sig=" + sig, "", closed, 401, "", "", ""},
		{"a path with an empty segment", "/agents/assistant/x//mcp/authorize?sig=" + sig, "", closed, 404, "", "", ""},
		{"a path in front", "/agents/assistant/x/sub/mcp/authorize?sig=" + sig, "", closed, 401, "", "", ""},
		{"the messages", "/agents/assistant/x/get-messages?sig=" + sig, "", closed, 401, "", "", ""},
	} {
		t.Run(tt.title, func(t *testing.T) {
			r := httptest.NewRequest("GET", "http://localhost"+tt.path, nil)
			r.Host = "localhost"
			r.Header.Set("Cookie", tt.cookie)
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set(HeaderLink, "forged")
			w := httptest.NewRecorder()
			Handler(tt.settings, at(testNow), Options{}).ServeHTTP(w, r)
			got := []any{w.Code, w.Header().Get(HeaderName), w.Header().Get(HeaderLink), w.Header().Get(HeaderClaims)}
			if want := []any{tt.status, tt.name, tt.link, tt.claims}; !reflect.DeepEqual(got, want) {
				t.Errorf("got %q, want %q: %s", got, want, w.Body)
			}
		})
	}
}

// TestLinkIsPressedFromOwnPage checks that no page of another site presses a link, whatever it has: a token and
// a signature may be those of the one who has made that page.
func TestLinkIsPressedFromOwnPage(t *testing.T) {
	closed := Settings{Secret: testSecret, Bindings: []string{"Assistant"}}
	cors := Settings{Secret: testSecret, Bindings: closed.Bindings, CORS: "https://app.example"}
	star := Settings{Secret: testSecret, Bindings: closed.Bindings, CORS: "*"}
	open := Settings{Development: true, Bindings: closed.Bindings}
	sig := "sig=" + signatureOf(testSecret, addressOf("x"))
	token := "token=" + mint(t, Claims{RegisteredClaims: inAnHour, Agent: "assistant", Name: "x"})
	for _, tt := range []struct {
		title, method, query, origin, site string
		settings                           Settings
		status                             int
	}{
		{"the button", "POST", sig, "https://localhost", "same-origin", closed, 204},
		{"the page of the agent", "POST", token, "https://localhost", "same-origin", closed, 204},
		{"a program", "POST", token, "", "", closed, 204},
		{"the page of the setting", "POST", token, "https://app.example", "cross-site", cors, 204},
		{"opened from a page of another site", "GET", sig, "", "cross-site", closed, 204},
		{"in development", "POST", "", "http://localhost", "same-origin", open, 204},

		{"a form of another site", "POST", sig, "https://evil.example", "cross-site", closed, 403},
		{"a form of another site with a token", "POST", token, "https://evil.example", "cross-site", closed, 403},
		{"a form of a sandbox", "POST", sig, "null", "cross-site", closed, 403},
		{"a form of a neighbour", "POST", sig, "https://other.localhost", "same-site", closed, 403},
		{"a form without an origin", "POST", sig, "", "cross-site", closed, 403},
		{"a form of a neighbour without an origin", "POST", token, "", "same-site", closed, 403},
		{"another page than that of the setting", "POST", token, "https://evil.example", "", cors, 403},
		{"any page", "POST", token, "https://evil.example", "", star, 403},
		{"an origin that is a star", "POST", token, "*", "", star, 403},
		{"in development, of another site", "POST", "", "https://evil.example", "cross-site", open, 403},
		{"in development, without an origin", "POST", "", "", "cross-site", open, 403},
	} {
		t.Run(tt.title, func(t *testing.T) {
			r := httptest.NewRequest(tt.method, "https://localhost/agents/assistant/x/mcp/authorize?"+tt.query, nil)
			for name, value := range map[string]string{"Origin": tt.origin, "Sec-Fetch-Site": tt.site} {
				if value != "" {
					r.Header.Set(name, value)
				}
			}
			w := httptest.NewRecorder()
			Handler(tt.settings, at(testNow), Options{}).ServeHTTP(w, r)
			if w.Code != tt.status || (w.Header().Get(HeaderBinding) != "") != (tt.status == 204) {
				t.Errorf("got %d %s, want %d", w.Code, w.Body, tt.status)
			}
		})
	}
}

// TestMethodsOfSignIn checks that each address takes its methods only, and that a preflight reaches no object.
func TestMethodsOfSignIn(t *testing.T) {
	settings := Settings{Secret: testSecret, Bindings: []string{"Assistant"}}
	cors := settings
	cors.CORS = "https://app.example"
	sig := signatureOf(testSecret, addressOf("x"))
	link, back := "/agents/assistant/x/mcp/authorize?sig="+sig, protocol.CallbackPath+"?state="+stateOf("x", sig)
	ask := func(s Settings, method, path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		Handler(s, at(testNow), Options{}).ServeHTTP(w, httptest.NewRequest(method, "https://localhost"+path, nil))
		return w
	}
	for path, allow := range map[string]string{link: "GET, POST", back: "GET", clientPath: "GET, HEAD"} {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "get"} {
			allowed := slices.Contains(strings.Split(allow, ", "), method)
			w := ask(settings, method, path)
			if allowed && w.Code >= 300 || !allowed && (w.Code != 405 || w.Header().Get("Allow") != allow || w.Header().Get(HeaderBinding) != "") {
				t.Errorf("%s %s: %d, allow %q", method, path, w.Code, w.Header().Get("Allow"))
			}
		}
	}
	if w := ask(cors, "OPTIONS", link); w.Code != 200 || w.Header().Get("Access-Control-Allow-Origin") == "" || w.Header().Get(HeaderBinding) != "" {
		t.Errorf("a preflight: %d %v", w.Code, w.Header())
	}
	if w := ask(cors, "OPTIONS", back); w.Code != 405 {
		t.Errorf("a preflight of the way back: %d", w.Code)
	}
}

// TestSignature checks that a signature is of one address, and is no signature of a token.
func TestSignature(t *testing.T) {
	seen := map[string]Address{}
	for _, to := range []Address{
		{Agent: "assistant", Name: "x"},
		{Agent: "assistant", Name: "y"},
		{Agent: "shop", Name: "x"},
		{Agent: "assistan", Name: "tx"},
		{Agent: "assistant", Name: ""},
		{Agent: "assistant", Name: "x%20"},
		{Agent: "assistant", Name: "X"},
	} {
		sig := signatureOf(testSecret, to)
		if before, twice := seen[sig]; twice || len(sig) != 22 {
			t.Errorf("%v and %v have the signature %s", before, to, sig)
		}
		seen[sig] = to
		if !isSigned(testSecret, to, sig) || isSigned(testSecret+"x", to, sig) {
			t.Errorf("%s is read wrong", sig)
		}
	}
	for _, secret := range []Secret{"", "short", testSecret[:31]} {
		if sig := signatureOf(secret, addressOf("x")); sig != "" || isSigned(secret, addressOf("x"), "") {
			t.Errorf("a secret of %d bytes signs %q", len(secret), sig)
		}
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
	document := oauth.About{ID: origin + clientPath, Name: "Tributary", Homepage: origin, Redirect: origin + protocol.CallbackPath}.Document()
	var got, want any
	if json.Unmarshal(w.Body.Bytes(), &got) != nil || json.Unmarshal(document, &want) != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %s, want %s", w.Body, document)
	}
}
