//go:build !wasip1

package chat_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
)

// TestRoutes checks the status of every path that an object has, and of its neighbours: a doubled slash, one at the end, and
// a segment more or less are another path. A method that a path does not take is answered with those that it takes.
func TestRoutes(t *testing.T) {
	const object = "/agents/test/room"
	for _, test := range []struct {
		method, path string
		status       int
		allow        string
	}{
		{"GET", object + "/get-messages", 200, ""},
		{"HEAD", object + "/get-messages?token=t", 200, ""},
		{"GET", object + "/some/path/get-messages", 200, ""},
		{"DELETE", object + "/get-messages", 405, "GET, HEAD"},
		{"POST", object + "/some/path/get-messages", 405, "GET, HEAD"},
		{"GET", object + "/get-messages/", 404, ""},
		{"GET", object + "//get-messages", 404, ""},
		{"GET", "/" + object + "/get-messages", 404, ""},
		{"GET", "/agents//test/room/get-messages", 404, ""},
		{"GET", object + "/GET-MESSAGES", 404, ""},
		{"GET", object + "/xget-messages", 404, ""},
		{"GET", "/chat/get-messages", 200, ""}, // the page has a base path of its own
		{"GET", "/get-messages", 200, ""},
		{"GET", object, 404, ""},
		{"GET", object + "/", 404, ""},
		{"GET", "/", 404, ""},
		{"GET", "", 404, ""},

		{"POST", object + "/approvals/none", 404, ""},
		{"PUT", object + "/approvals/none", 405, "POST"},
		{"GET", object + "/approvals/none", 405, "POST"},
		{"POST", object + "/approvals/none/", 404, ""},
		{"POST", object + "/approvals//none", 404, ""},
		{"POST", object + "/approvals", 404, ""},
		{"POST", object + "/approvals/none/more", 404, ""},
		{"POST", object + "/approvals/%", 404, ""},

		{"POST", object + "/runs/none/signals/go", 404, ""},
		{"GET", object + "/runs/none/signals/go", 405, "POST"},
		{"PATCH", object + "/runs/none/signals/go", 405, "POST"},
		{"GET", "/agents//test/room/runs/none/signals/go", 404, ""},
		{"GET", object + "/runs/none/signals/go/", 404, ""},
		{"GET", object + "/runs/none//signals/go", 404, ""},
		{"GET", object + "/runs/none/signals", 404, ""},

		{"GET", object + "/sub/test/none/get-messages", 404, ""},
		{"POST", object + "/sub/test/none/get-messages", 405, "GET, HEAD"},
		{"POST", object + "/sub/test/none//get-messages", 404, ""},

		{"GET", object + "/mcp", 404, ""}, // the agent is no server, and uses none
		{"GET", object + "/mcp/authorize", 404, ""},
		{"GET", "/agents/mcp/callback", 404, ""},
	} {
		t.Run(test.method+" "+test.path, func(t *testing.T) {
			p := exposed(t, agent.Agent{})
			p.w.Tell(durable.RequestReceived{Request: "r", Method: test.method, URL: test.path, Body: []byte(`{"approved":true}`)})
			got := strings.Join(p.w.Take(), "\n")
			want := fmt.Sprint("respond r ", test.status, " ")
			if allows := strings.Contains(got, "allow"); !strings.Contains(got, want) || allows != (test.allow != "") || !strings.Contains(got, test.allow) {
				t.Errorf("got %.300s, want %s%s", got, want, test.allow)
			}
		})
	}
}
