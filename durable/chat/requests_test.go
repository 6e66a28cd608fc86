package chat_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/limit"
)

// TestRequestsOverHTTPHaveABudget checks that one person cannot have a conversation send its messages without end, on
// any path. Another person is answered, and the next second is a new one.
func TestRequestsOverHTTPHaveABudget(t *testing.T) {
	for _, tt := range []struct {
		path string
		body int
		// most is how many requests are not refused.
		most int
	}{
		{"get-messages", 0, limit.SocketDown/200_000 + 1},
		{"elsewhere", 0, limit.PersonRequests},
		{"approvals/x", 60_000, limit.SocketUp / 60_000},
		{"runs/x/signals/y", 60_000, limit.SocketUp / 60_000},
	} {
		t.Run(tt.path, func(t *testing.T) {
			w := world(t, "connect a", "say a R1 u1: "+strings.Repeat("x", 200_000), "run")
			transcriptOf(t, w)
			ask := func(by string) string {
				method := "GET"
				if tt.body > 0 {
					method = "POST"
				}
				w.Tell(durable.RequestReceived{
					Request: "q", Method: method, URL: "/agents/subject/room/" + tt.path, Body: []byte(strings.Repeat("1", tt.body)),
					Claims: fmt.Sprintf(`{"sub":%q,"scopes":[],"exp":0}`, by),
				})
				return transcriptOf(t, w)
			}
			answered := 0
			for range limit.PersonRequests + 200 {
				if !strings.Contains(ask("mallory"), "429") {
					answered++
				}
			}
			if answered > tt.most || answered < tt.most/2 {
				t.Errorf("%d requests were answered, want about %d", answered, tt.most)
			}
			if strings.Contains(ask("alice"), "429") {
				t.Error("another person was refused")
			}
			if act(t, w, "tick 2s"); strings.Contains(ask("mallory"), "429") {
				t.Error("the next second is not a new one")
			}
		})
	}
}
