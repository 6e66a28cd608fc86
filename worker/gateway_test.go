package worker

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

func at(now time.Time) func() time.Time { return func() time.Time { return now } }

// want is the part of an answer that a row of a table asserts; empty header values must be absent.
type want struct {
	status  int
	body    string
	headers map[string]string
}

func check(t *testing.T, got *http.Response, body string, want want) {
	t.Helper()
	if got.StatusCode != want.status || !strings.Contains(body, want.body) || want.body == "" && body != "" {
		t.Errorf("got %d %q, want %d %q", got.StatusCode, body, want.status, want.body)
	}
	for key, value := range want.headers {
		if got.Header.Get(key) != value {
			t.Errorf("%s is %q, want %q", key, got.Header.Get(key), value)
		}
	}
}

func TestGateway(t *testing.T) {
	open := Settings{Development: true, Bindings: []string{"Assistant"}}
	anyone := Settings{Development: true, Bindings: open.Bindings, CORS: "*"}
	one := Settings{Secret: testSecret, Bindings: open.Bindings, CORS: "https://app.example"}
	shut := Settings{Bindings: open.Bindings}
	good := mint(t, Claims{RegisteredClaims: inAnHour, Agent: "assistant", Name: "a%20b"})
	distant := jwt.RegisteredClaims{ExpiresAt: jwt.NewNumericDate(time.Unix(1<<53, 0))}
	lasting := mint(t, Claims{RegisteredClaims: distant, AnyAgent: true, AnyName: true})
	forwarded := map[string]string{HeaderBinding: "Assistant", HeaderName: "a%20b", HeaderUntil: "", HeaderClaims: "", HeaderClose: ""}
	noCORS := map[string]string{"Access-Control-Allow-Origin": "", HeaderBinding: ""}
	star := map[string]string{
		"Access-Control-Allow-Origin":      "*",
		"Access-Control-Allow-Methods":     "GET, POST, DELETE, HEAD, OPTIONS",
		"Access-Control-Allow-Headers":     "*",
		"Access-Control-Max-Age":           "86400",
		"Access-Control-Allow-Credentials": "",
	}
	origin := map[string]string{
		"Access-Control-Allow-Origin":      "https://app.example",
		"Access-Control-Allow-Headers":     "x-a, x-b",
		"Access-Control-Allow-Credentials": "true",
		"Vary":                             "Origin, Access-Control-Request-Headers",
		HeaderBinding:                      "",
	}
	closed := func(text string) map[string]string {
		return map[string]string{HeaderClose: text, HeaderBinding: "", "Access-Control-Allow-Origin": ""}
	}

	for _, tt := range []struct {
		title, method, path string
		settings            Settings
		upgrade             bool
		want                want
	}{
		{"forward", "GET", "/agents/assistant/a%20b?x=1", open, false, want{204, "", forwarded}},
		{"forward a body", "POST", "/agents/assistant/a%20b/x", open, false, want{204, "", forwarded}},
		{"forward an upgrade", "GET", "/agents/assistant/a%20b", anyone, true, want{204, "", forwarded}},
		{"forward with CORS", "GET", "/agents/assistant/x/get-messages", anyone, false, want{204, "", star}},
		{"forward without CORS", "GET", "/agents/assistant/x", open, false, want{204, "", map[string]string{"Access-Control-Allow-Origin": ""}}},
		{"OPTIONS without CORS is the object's", "OPTIONS", "/agents/assistant/a%20b", open, false, want{204, "", forwarded}},
		{"preflight", "OPTIONS", "/agents/assistant/x", anyone, false, want{200, "", star}},
		{"preflight of one origin, no token", "OPTIONS", "/agents/assistant/x", one, false, want{200, "", origin}},
		{"preflight of nobody", "OPTIONS", "/agents/nobody/x", anyone, false, want{400, "Invalid request", star}},
		{"health", "GET", "/health", shut, false, want{200, `"ok":true`, map[string]string{"Content-Type": "application/json"}}},
		{"health by POST", "POST", "/health", shut, false, want{405, "Method not allowed", map[string]string{"Allow": "GET, HEAD"}}},

		{"unknown path", "GET", "/x", anyone, false, want{404, "Not found", noCORS}},
		{"unknown path, upgrade", "GET", "/x", open, true, want{204, "", closed("4404 Not found")}},
		{"unknown agent", "GET", "/agents/nobody/x", open, false, want{400, "Invalid request", noCORS}},
		{"unknown agent, upgrade", "GET", "/agents/nobody/x", open, true, want{400, "Invalid request", closed("")}},
		{
			"long name, upgrade", "GET", "/agents/assistant/" + strings.Repeat("n", 257), open, true,
			want{204, "", closed("4400 Invalid request: the name is longer than 256 bytes")},
		},
		{"NUL", "GET", "/agents/assistant/%00", open, false, want{400, "control character", noCORS}},
		{"no secret", "GET", "/agents/assistant/x", shut, false, want{503, SecretVar + " is not set", noCORS}},
		{
			"no secret, upgrade", "GET", "/agents/assistant/x", shut, true,
			want{204, "", closed("1011 Closed: the secret TRIBUTARY_TOKEN_SECRET is not set")},
		},
		{"no token", "GET", "/agents/assistant/x", one, false, want{401, "Unauthorized: a token is required", origin}},
		{
			"no token, upgrade", "GET", "/agents/assistant/x", one, true,
			want{204, "", closed("4401 Unauthorized: a token is required")},
		},
		{"another page", "GET", "/agents/assistant/x?foreign", anyone, false, want{403, HostsVar, nil}},
		{"another page, upgrade", "GET", "/agents/assistant/x?foreign", anyone, true, want{204, "", closed("4403 " + ErrForeignOrigin.Text)}},
		{"token", "GET", "/agents/assistant/a%20b?token=" + good, one, true, want{204, "", map[string]string{
			HeaderBinding: "Assistant", HeaderUntil: fmt.Sprint(inAnHour.ExpiresAt.UnixMilli()),
			HeaderClaims: fmt.Sprintf(`{"sub":"alice","scopes":[],"exp":%d,"sig":"%s"}`, inAnHour.ExpiresAt.Unix(), signatureOf(testSecret, Address{Agent: "assistant", Name: "a%20b"})),
		}}},
		{"token without a year that JavaScript knows", "GET", "/agents/assistant/a%20b?token=" + lasting, one, true, want{204, "", map[string]string{
			HeaderBinding: "Assistant", HeaderUntil: "8640000000000000",
		}}},
		{"no token, unknown agent", "GET", "/agents/nobody/x", one, false, want{400, "Invalid request", origin}},
	} {
		t.Run(tt.title, func(t *testing.T) {
			r := httptest.NewRequest(tt.method, "https://localhost"+tt.path, nil)
			r.Header["Access-Control-Request-Headers"] = []string{"x-a", "x-b"}
			if tt.upgrade {
				r.Header.Set("Upgrade", "WebSocket")
			}
			if strings.HasSuffix(tt.path, "?foreign") {
				r.Header.Set("Origin", "https://evil.example")
			}
			handler := Handler(tt.settings, at(testNow), Options{})
			plain := httptest.NewRecorder()
			handler.ServeHTTP(plain, r)
			check(t, plain.Result(), plain.Body.String(), tt.want)

			sealed := httptest.NewRecorder()
			Seal(handler).ServeHTTP(sealed, r)
			body, err := url.PathUnescape(sealed.Header().Get(HeaderBody))
			if err != nil || body != plain.Body.String() || sealed.Body.Len() != 0 || sealed.Code != http.StatusNoContent {
				t.Errorf("sealed: %d %q %q, %v", sealed.Code, sealed.Body, body, err)
			}
		})
	}
}

func TestRehearse(t *testing.T) {
	for _, tt := range []struct {
		title    string
		settings Settings
		want     http.Header
	}{
		{"in development", Settings{Development: true, Bindings: []string{"MyAgent"}}, http.Header{HeaderBinding: {"MyAgent"}, HeaderName: {"x"}}},
		{
			"with a secret",
			Settings{Secret: testSecret, Bindings: []string{"MyAgent"}},
			http.Header{HeaderClose: {"4401 Unauthorized: the token is not valid"}},
		},
		{"without agents", Settings{}, nil},
	} {
		t.Run(tt.title, func(t *testing.T) {
			var got http.Header
			door := Handler(tt.settings, at(time.Unix(0, 0)), Options{})
			Rehearse(tt.settings, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				door.ServeHTTP(w, r)
				got = w.Header()
			}))
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestGatewayAnswersSubprotocol(t *testing.T) {
	r := httptest.NewRequest("GET", "https://host/x", nil)
	r.Header.Set("Upgrade", "websocket")
	r.Header.Set("Sec-WebSocket-Protocol", "chat.v2, chat.v1")
	w := httptest.NewRecorder()
	Handler(Settings{}, at(testNow), Options{}).ServeHTTP(w, r)
	if got := w.Header().Get("Sec-WebSocket-Protocol"); got != "chat.v2" {
		t.Errorf("got %q", got)
	}
}
