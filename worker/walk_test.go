package worker

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/protocol"
)

// TestNobodyReachesAnObject walks every path with every method and with all that is no good token, and checks that
// nothing is forwarded. What is not forwarded wakes no object and stores nothing.
func TestNobodyReachesAnObject(t *testing.T) {
	bindings := []string{"Assistant"}
	doors := map[string]Settings{
		"a secret": {Secret: testSecret, Bindings: bindings}, "no secret": {Bindings: bindings}, "a short secret": {Secret: "short", Bindings: bindings},
		"CORS for all": {Secret: testSecret, Bindings: bindings, CORS: "*", MCP: "assistant/public"},
		"CORS for one": {Secret: testSecret, Bindings: bindings, CORS: "https://app.example", AuthorizationServers: []string{"https://login.example"}},
	}
	// The signatures and the token are for another object, or of another secret.
	sig, foreign := signatureOf(testSecret, addressOf("other")), signatureOf(testSecret+"x", addressOf("x"))
	token := mint(t, Claims{RegisteredClaims: inAnHour, Agent: "assistant", Name: "other"})
	var paths []string
	for _, name := range []string{"x", "a%20b", "%78", "..", "%2e%2e", "%2F", "__proto__", "constructor", "*", "public", "mcp", "x|y", "ü", "%00", "%zz", strings.Repeat("n", 256), strings.Repeat("n", 257)} {
		object := "/agents/assistant/" + name
		for _, rest := range []string{
			"", "/", "/get-messages", "/approvals/c", "/runs/r/signals/s", "/sub/researcher/r/get-messages", "/mcp", "/mcp/", "/mcp/authorize", "/mcp/authorize/",
			"/mcp/callback", "/mcp//authorize", "//mcp/authorize", "/mcp/authorize%2F", "/mcp/AUTHORIZE", "/x/mcp/authorize", "/.well-known/tributary-client",
		} {
			paths = append(paths, object+rest, "/"+object+rest)
		}
		for _, signature := range []string{"", sig, foreign, "x"} {
			paths = append(paths, protocol.CallbackPath+"?code=c&state="+stateOf(name, signature))
		}
	}
	paths = append(
		paths, "/", "/health", "/tributary.json", "/mcp", "/mcp/authorize", "/elsewhere", "/agents", "/agents/", "/agents/assistant", clientPath,
		resourcePath+"/mcp", resourcePath+"/agents/assistant/x/mcp", protocol.CallbackPath, protocol.CallbackPath+"/", protocol.CallbackPath+"?state=a.b", "/agents/mcp/authorize",
	)
	with := map[string]func(h http.Header, query []string) []string{
		"nothing":              func(_ http.Header, q []string) []string { return q },
		"a cookie":             func(h http.Header, q []string) []string { h.Set("Cookie", "tributary-link-link=nonce"); return q },
		"a signature":          func(_ http.Header, q []string) []string { return append(q, "sig="+sig) },
		"a foreign signature":  func(_ http.Header, q []string) []string { return append(q, "sig="+foreign) },
		"a token in the query": func(_ http.Header, q []string) []string { return append(q, "token="+token) },
		"a token in the header": func(h http.Header, q []string) []string {
			h.Set("Authorization", "Bearer "+token)
			return append(q, "sig="+sig)
		},
		"a page of its own": func(h http.Header, q []string) []string { h.Set("Origin", "https://localhost"); return q },
		"an upgrade":        func(h http.Header, q []string) []string { h.Set("Upgrade", "websocket"); return append(q, "sig="+sig) },
		"headers of the answers": func(h http.Header, q []string) []string {
			h.Set(HeaderBinding, "Assistant")
			h.Set(HeaderClaims, "{}")
			h.Set(HeaderLink, "x")
			return q
		},
	}
	asked := 0
	for title, settings := range doors {
		door := Handler(settings, at(testNow), Options{})
		for _, path := range paths {
			for what, add := range with {
				for _, method := range []string{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"} {
					header := http.Header{}
					place, query, _ := strings.Cut(path, "?")
					target := "https://localhost" + place
					if q := strings.Join(add(header, strings.FieldsFunc(query, func(r rune) bool { return r == '&' })), "&"); q != "" {
						target += "?" + q
					}
					r, err := http.NewRequest(method, target, http.NoBody)
					if err != nil { // frontdoor.ts answers what cannot be parsed
						continue
					}
					r.Header = header
					w := httptest.NewRecorder()
					door.ServeHTTP(w, r)
					asked++
					if to := w.Header().Get(HeaderBinding) + w.Header().Get(HeaderName); to != "" {
						t.Errorf("%s: %s %s with %s reaches %s", title, method, path, what, to)
					}
				}
			}
		}
	}
	if asked < 100_000 {
		t.Errorf("only %d requests were made", asked)
	}
}
