package tck

import (
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/wasm/host"
)

// TestLargestFramesFit sends the largest frames that are parsed, in the forms that cost the most
// memory, and a frame beyond every limit. None may trap an instance within the isolate's 128 MB.
func TestLargestFramesFit(t *testing.T) {
	_, module := shipped(t)
	list := func(before, after string, size int) string {
		return before + strings.Repeat("1,", (size-len(before)-len(after))/2-1) + "1" + after
	}
	size := protocol.Limits.Frame
	question := `\"messages\":[{\"id\":\"u\",\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"text\":\"` +
		strings.Repeat("x", protocol.Limits.Message-200) + `\"}]}]`
	frames := map[string]string{
		"arguments":  list(`{"type":"rpc","id":"x","method":"usage","args":[`, `]}`, size),
		"messages":   list(`{"type":"cf_agent_chat_messages","messages":[`, `]}`, size),
		"parts":      list(`{"type":"cf_agent_chat_messages","messages":[{"id":"u","role":"user","parts":[`, `]}]}`, size),
		"beyond":     list(`{"type":"rpc","id":"x","method":"usage","args":[`, `]}`, 15<<20),
		"a question": `{"type":"cf_agent_use_chat_request","id":"R","init":{"method":"POST","body":"{` + question + `}"}}`,
	}
	for name, text := range frames {
		t.Run(name, func(t *testing.T) {
			e := host.NewEngine(module, host.EngineOptions{Seed: 1})
			defer func() {
				if err := e.Close(); err != nil {
					t.Error(err)
				}
			}()
			opened := durable.Opened{Class: agents.Assistant.Name, Name: "room"}
			for _, event := range []durable.Event{
				durable.SocketOpened{Conn: "a", URL: "/agents/assistant/room"},
				durable.SocketMessage{Conn: "a", Text: text},
			} {
				commands, err := e.Step("room", 1, opened, event)
				if err != nil || len(commands) == 0 {
					t.Fatalf("%T: %d commands, %v", event, len(commands), err)
				}
			}
		})
	}
}
