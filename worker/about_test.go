package worker

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/internal/about"
	"github.com/tributary-agents/tributary/internal/version"
)

func TestHealth(t *testing.T) {
	w := httptest.NewRecorder()
	Handler(Settings{}, at(testNow), Options{}).ServeHTTP(w, httptest.NewRequest("GET", "https://host/health", nil))
	var got struct {
		OK      bool
		Version string
	}
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || !got.OK || got.Version != version.Version {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestIntroduce asks what a page asks first, of a deployment that has two of the three roots.
func TestIntroduce(t *testing.T) {
	const (
		built = `{"version":"1.2.3","dev":"http://built","roots":[` +
			`{"agent":"my-agent","class":"MyAgent","title":"Mine","description":"Helps.","suggestions":["Hi, there"],"methods":["runs"]},` +
			`{"agent":"gone","class":"Gone","title":"Gone"},{"class":"Other"}]}`
		other = `{"agent":"other","class":"Other","title":"Other","description":"","suggestions":[],"methods":[]}`
		said  = `{"version":"1.2.3","roots":[{"agent":"my-agent","class":"MyAgent","title":"Mine","description":"Helps.",` +
			`"suggestions":["Hi, there"],"methods":["runs"]},` + other + `],"features":[]`
		bare = `{"version":"` + version.Version + `","roots":[` +
			`{"agent":"my-agent","class":"MyAgent","title":"MyAgent","description":"","suggestions":[],"methods":[]},` + other + `],"features":[]}`
		none   = `{"version":"` + version.Version + `","roots":[],"features":[]}`
		events = `,"dev":"http://127.0.0.1:1"}`
	)
	bindings := []string{"MyAgent", "Other", "MY_AGENT"} // the last one has no path of its own
	const watcher = "http://127.0.0.1:1"
	deployed := Settings{Bindings: bindings, About: built, Dev: watcher}
	watched := Settings{Bindings: bindings, About: built, Dev: watcher, Development: true}
	shared := Settings{Bindings: bindings, About: built, CORS: "*"}
	answered := map[string]string{
		"Content-Type": "application/json", "Cache-Control": "no-store", "Access-Control-Allow-Origin": "", HeaderBinding: "",
	}
	star := map[string]string{"Access-Control-Allow-Origin": "*"}

	for _, tt := range []struct {
		title, method, url, origin string
		settings                   Settings
		want                       want
	}{
		{"a build", "GET", "https://host", "", deployed, want{200, said + "}", answered}},
		{"a build by HEAD", "HEAD", "https://host", `"version":"1.2.3"`, deployed, want{200, said + "}", answered}},
		{"a build with CORS", "GET", "https://host", "https://page.example", shared, want{200, said + "}", star}},
		{"a preflight", "OPTIONS", "https://host", "https://page.example", shared, want{200, "", star}},
		{"no build", "GET", "https://host", "", Settings{Bindings: bindings}, want{200, bare, answered}},
		{"no build and no agents", "GET", "https://host", "", Settings{}, want{200, none, answered}},
		{"no agents", "GET", "https://host", "", Settings{About: built}, want{200, `"roots":[]`, answered}},
		{"in development", "GET", "http://localhost:8787", "http://localhost:8787", watched, want{200, said + events, answered}},
		{"in development, to another page", "GET", "http://localhost:8787", "http://evil.example", watched, want{200, said + "}", answered}},
		{"in development, by another name", "GET", "http://evil.example", "", watched, want{200, said + "}", answered}},
		{"a broken build", "GET", "https://host", "", Settings{About: "{"}, want{500, "cannot be read", nil}},
		{"a build that is too long", "GET", "https://host", "", Settings{About: `{"version":"` + strings.Repeat("1", about.MaxSize) + `"}`}, want{500, "cannot be read", nil}},
		{"by POST", "POST", "https://host", "", deployed, want{405, "Method not allowed", map[string]string{"Allow": "GET, HEAD"}}},
		{"by OPTIONS without CORS", "OPTIONS", "https://host", "", deployed, want{405, "Method not allowed", nil}},
	} {
		t.Run(tt.title, func(t *testing.T) {
			r := httptest.NewRequest(tt.method, tt.url+"/tributary.json", nil)
			if tt.origin != "" {
				r.Header.Set("Origin", tt.origin)
			}
			w := httptest.NewRecorder()
			Handler(tt.settings, at(testNow), Options{}).ServeHTTP(w, r)
			check(t, w.Result(), w.Body.String(), tt.want)
			if tt.method == http.MethodGet && tt.want.status == http.StatusOK && strings.TrimSpace(w.Body.String()) != tt.want.body &&
				strings.HasPrefix(tt.want.body, "{") {
				t.Errorf("got %s, want %s", w.Body, tt.want.body)
			}
		})
	}
}
