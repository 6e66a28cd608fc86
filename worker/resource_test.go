package worker_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/worker"
)

// TestOtherProgramsFindTheirWay checks the short address of one object, and what a program without a token
// is told.
func TestOtherProgramsFindTheirWay(t *testing.T) {
	closed := worker.Settings{Secret: worker.Secret(strings.Repeat("s", 32)), Bindings: []string{"Assistant"}, MCP: "assistant/public", AuthorizationServers: []string{"https://login.example"}}
	open := closed
	open.Development = true
	without := closed
	without.MCP, without.AuthorizationServers = "", nil
	challenge := `Bearer resource_metadata="https://own.example/.well-known/oauth-protected-resource`
	for _, tt := range []struct {
		title, method, path string
		settings            worker.Settings
		status              int
		header, want        string
	}{
		{"the short address", "POST", "/mcp", open, 204, worker.HeaderName, "public"},
		{"its stream", "GET", "/mcp", open, 204, worker.HeaderBinding, "Assistant"},
		{"the end of its session", "DELETE", "/mcp", open, 204, worker.HeaderName, "public"},
		{"another object", "DELETE", "/agents/assistant/x/mcp", open, 204, worker.HeaderName, "x"},
		{"without a token", "POST", "/mcp", closed, 401, "Www-Authenticate", challenge + `/mcp"`},
		{"without a token for another object", "POST", "/agents/assistant/x/mcp", closed, 401, "Www-Authenticate", challenge + `/agents/assistant/x/mcp"`},
		{"what is no address for programs", "GET", "/agents/assistant/x", closed, 401, "Www-Authenticate", "Bearer"},
		{"without authorization servers", "POST", "/agents/assistant/x/mcp", without, 401, "Www-Authenticate", "Bearer"},
		{"without a short address", "POST", "/mcp", without, 404, "", ""},
		{"a document that there is not", "GET", "/.well-known/oauth-protected-resource/mcp", without, 404, "", ""},
		{"the document is read only", "POST", "/.well-known/oauth-protected-resource/mcp", closed, 405, "", ""},
	} {
		t.Run(tt.title, func(t *testing.T) {
			got := asked(tt.settings, tt.method, tt.path)
			if got.Code != tt.status || tt.header != "" && got.Header().Get(tt.header) != tt.want {
				t.Errorf("got %d and %q, want %d and %q", got.Code, got.Header(), tt.status, tt.want)
			}
		})
	}
	got := asked(closed, "GET", "/.well-known/oauth-protected-resource/mcp").Body.String()
	for _, part := range []string{`"resource":"https://own.example/mcp"`, `"authorization_servers":["https://login.example"]`} {
		if !strings.Contains(got, part) {
			t.Errorf("got %s, want %s in it", got, part)
		}
	}
}

func asked(s worker.Settings, method, path string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, http.NoBody)
	if r.Host = "own.example"; s.Development {
		r.Host = "localhost"
	}
	w := httptest.NewRecorder()
	worker.Handler(s, time.Now, worker.Options{}).ServeHTTP(w, r)
	return w
}
