package worker

import (
	"net/http"
	"strings"
)

// allowOrigin sets the CORS headers that the setting asks for, and reports whether there are any.
// Every answer over HTTP needs them, including errors: in the published client a get-messages
// throws if CORS hides the answer, and does not throw on a 401.
func (s Settings) allowOrigin(h http.Header, r *http.Request) bool {
	if s.CORS == "" {
		return false
	}
	h.Set("Access-Control-Allow-Origin", s.CORS)
	h.Set("Access-Control-Allow-Methods", "GET, POST, DELETE, HEAD, OPTIONS")
	h.Set("Access-Control-Allow-Headers", "*")
	h.Set("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate")
	h.Set("Access-Control-Max-Age", "86400")
	if s.CORS != "*" {
		// With credentials a star is an ordinary name, so the requested names are allowed one by
		// one.
		h.Set("Access-Control-Allow-Credentials", "true")
		h.Set("Vary", "Origin, Access-Control-Request-Headers")
		h.Set("Access-Control-Allow-Headers", askedHeaders(r))
	}
	return true
}

func askedHeaders(r *http.Request) string {
	if asked := r.Header.Values("Access-Control-Request-Headers"); len(asked) > 0 {
		return strings.Join(asked, ", ")
	}
	return "Authorization, Content-Type"
}
