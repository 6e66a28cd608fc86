package protocol_test

import (
	"testing"

	"github.com/tributary-agents/tributary/durable/protocol"
)

func TestKebab(t *testing.T) {
	for in, want := range map[string]string{
		"ChatAgent": "chat-agent", "chat-agent": "chat-agent", "MY_AGENT": "my-agent", "AIAssistant": "a-i-assistant",
		"my_agentX": "my-agent-x", "Foo_": "foo", "": "", "a_B": "a--b", "Agent2Go": "agent2-go",
	} {
		if got := protocol.Kebab(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
