package tck

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
)

// asked delivers a request and returns the commands that answer it, one line each.
func asked(t *testing.T, e engine, event durable.Event) string {
	t.Helper()
	commands, err := e.Step("a", 1_700_000_000_000, durable.Opened{Class: "Probe", Name: "a", Conns: []durable.ConnID{"c"}}, event)
	if err != nil {
		t.Fatalf("%T: %v", event, err)
	}
	var lines []string
	for _, c := range commands {
		switch c := c.(type) {
		case durable.Respond:
			lines = append(lines, fmt.Sprintf("respond %d %s", c.Status, c.Body))
		case durable.Begin:
			lines = append(lines, fmt.Sprintf("begin %s %d %v", c.Request, c.Status, c.Header))
		case durable.Emit:
			lines = append(lines, fmt.Sprintf("emit %s %q", c.Stream, c.Data))
		case durable.EndStream:
			lines = append(lines, "end "+c.Stream)
		case durable.Send:
			lines = append(lines, "send "+c.Text)
		}
	}
	return strings.Join(lines, "\n")
}

func TestResponses(t *testing.T) {
	both(t, func(t *testing.T, e engine) {
		for _, test := range []struct {
			event durable.Event
			want  string
		}{
			{
				durable.RequestReceived{Request: "r", Method: "GET", URL: "/numbers/3/2/0"},
				"begin r 200 map[content-type:text/plain]\nemit r \"000000\\n\"\nemit r \"000001\\n\"",
			},
			{durable.RequestReceived{Request: "s", Method: "GET", URL: "/silent"}, "begin s 200 map[content-type:text/plain]"},
			{durable.StreamDrained{Stream: "r"}, "emit r \"000002\\n\"\nend r"},
			{durable.StreamCancelled{Stream: "s"}, "send left, emitted some: false"},
		} {
			if got := asked(t, e, test.event); got != test.want {
				t.Errorf("%+v: got %s, want %s", test.event, got, test.want)
			}
		}
		if got := tell(t, e, "a", "cost"); !strings.Contains(got, fmt.Sprintf(" %d down", 3*7+len("left, emitted some: false"))) {
			t.Errorf("a response that is streamed is not counted: %s", got)
		}
	})
}

func TestSenders(t *testing.T) {
	both(t, func(t *testing.T, e engine) {
		const claims = `{"sub":"Zo\u00eb","scopes":["pay"],"exp":1}`
		header := map[string]string{"origin": "https://a.example", "mcp-param-x": "ü"}
		sender := durable.RequestReceived{Request: "r", Method: "GET", URL: "/sender", Header: header, Claims: claims}
		if got, want := asked(t, e, sender), "respond 200 map[mcp-param-x:ü origin:https://a.example] "+claims; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		asked(t, e, durable.SocketOpened{Conn: "d", URL: "/", Header: header, Claims: claims})
		if got := asked(t, e, durable.SocketMessage{Conn: "d", Text: "claims", Claims: claims}); got != "send claims "+claims {
			t.Errorf("a message: got %s", got)
		}
		if got := asked(t, e, durable.SocketMessage{Conn: "d", Text: "claims"}); got != "send claims " {
			t.Errorf("a message without claims: got %s", got)
		}
		if got := tell(t, e, "a", "seen"); !strings.Contains(got, claims) || !strings.Contains(got, "origin:https://a.example") {
			t.Errorf("seen: got %s", got)
		}
	})
}
