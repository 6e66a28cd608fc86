package protocol_test

import (
	"testing"

	"github.com/tributary-agents/tributary/durable/protocol"
)

func TestKebab(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"ChatAgent", "chat-agent"},
		{"chat-agent", "chat-agent"},
		{"MY_AGENT", "my-agent"},
		{"AIAssistant", "a-i-assistant"},
		{"my_agentX", "my-agent-x"},
		{"Foo_", "foo"},
		{"Assistant", "assistant"},
		{"ASSISTANT", "assistant"},
		{"A", "a"},
		{"FOO_", "foo-"},
		{"my_X", "my--x"},
		{"_Foo", "--foo"},
		{"Agent2Go", "agent2-go"},
		{"AGENT_2", "agent-2"},
		{"2", "2"},
		{"_", ""},
		{"", ""},
	} {
		if got := protocol.Kebab(tt.name); got != tt.want {
			t.Errorf("Kebab(%q) = %q, want %q", tt.name, got, tt.want)
		}
	}
}
