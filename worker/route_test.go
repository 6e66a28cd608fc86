package worker

import (
	"errors"
	"net/url"
	"strings"
	"testing"
)

func TestRoute(t *testing.T) {
	table := NewTable([]string{"Assistant", "AIAssistant", "MY_AGENT", "My_Agent", "_"})
	long := strings.Repeat("n", MaxName)
	for _, tt := range []struct {
		path, binding, name string
		err                 error
	}{
		{path: "/agents/assistant/default", binding: "Assistant", name: "default"},
		{path: "/agents/assistant/default/get-messages", binding: "Assistant", name: "default"},
		{path: "/agents/assistant/u1/sub/chat-room/a%2Fb", binding: "Assistant", name: "u1"},
		{path: "/agents/assistant/sub", binding: "Assistant", name: "sub"},
		{path: "/agents/a-i-assistant/x", binding: "AIAssistant", name: "x"},
		{path: "/agents/my-agent/x", binding: "MY_AGENT", name: "x"},
		{path: "/agents/assistant/a%20b", binding: "Assistant", name: "a%20b"},
		{path: "/agents/assistant/a%2Fb", binding: "Assistant", name: "a%2Fb"},
		{path: "/agents/assistant/%61", binding: "Assistant", name: "%61"},
		{path: "/agents/assistant/a|b^c", binding: "Assistant", name: "a|b^c"},
		{path: "/agents/assistant/caf%C3%A9", binding: "Assistant", name: "caf%C3%A9"},
		{path: "/agents/assistant/%FF", binding: "Assistant", name: "%FF"},
		{path: "/agents/assistant/a+b;c=d", binding: "Assistant", name: "a+b;c=d"},
		{path: "/agents/assistant/" + long, binding: "Assistant", name: long},

		{path: "/", err: ErrNotFound},
		{path: "/agents", err: ErrNotFound},
		{path: "/agents/assistant", err: ErrNotFound},
		{path: "/agents/assistant/", err: ErrNotFound},
		{path: "//agents/assistant/x", err: ErrNotFound},
		{path: "/agents//assistant/x", err: ErrNotFound},
		{path: "/agents/assistant//x", err: ErrNotFound},
		{path: "/agents/assistant/x/", err: ErrNotFound},
		{path: "/agents/assistant/x//get-messages", err: ErrNotFound},
		{path: "/agents/assistant/x/get-messages/", err: ErrNotFound},
		{path: "/Agents/assistant/x", err: ErrNotFound},
		{path: "/x/agents/assistant/y", err: ErrNotFound},
		{path: "/%61gents/assistant/x", err: ErrNotFound},
		{path: "/agents/nobody/x", err: ErrUnknownAgent},
		{path: "/agents/Assistant/x", err: ErrUnknownAgent},
		{path: "/agents/%61ssistant/x", err: ErrUnknownAgent},
		{path: "/agents/__proto__/x", err: ErrUnknownAgent},
		{path: "/agents/assistant/" + long + "n", err: ErrLongName},
		{path: "/agents/assistant/a%00b", err: ErrControlName},
		{path: "/agents/assistant/a%0Ab", err: ErrControlName},
		{path: "/agents/assistant/%7f", err: ErrControlName},
		{path: "/agents/assistant/%C2%85", err: ErrControlName},
	} {
		u, err := url.Parse("https://host" + tt.path + "?_pk=1")
		if err != nil {
			t.Fatal(err)
		}
		got, err := table.Route(u)
		if !errors.Is(err, tt.err) || got.Binding != tt.binding || got.Name != tt.name {
			t.Errorf("Route(%q) = %+v, %v, want %q, %q, %v", tt.path, got, err, tt.binding, tt.name, tt.err)
		}
	}
}

func FuzzRoute(f *testing.F) {
	for _, seed := range []string{"/agents/assistant/x", "/agents/assistant/%", "//agents/assistant/%2F/sub", "agents", "/agents/assistant/\x00"} {
		f.Add(seed)
	}
	table := NewTable([]string{"Assistant"})
	f.Fuzz(func(t *testing.T, path string) {
		u, err := url.Parse("https://host" + path)
		if err != nil {
			return
		}
		address, err := table.Route(u)
		if err != nil {
			return
		}
		if !strings.Contains(path, address.Name) || address.Binding != "Assistant" || len(address.Name) > MaxName {
			t.Errorf("Route(%q) = %+v", path, address)
		}
	})
}
