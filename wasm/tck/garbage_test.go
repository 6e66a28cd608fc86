package tck

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agents"
	"github.com/tributary-agents/tributary/wasm/host"
)

// TestGarbageOfLargeFrames sends large frames to five objects. The garbage of each frame is
// collected before the next one, so the memory that a neighbour shares with them does not become
// too large.
func TestGarbageOfLargeFrames(t *testing.T) {
	_, module := shipped(t)
	e := host.NewEngine(module, host.EngineOptions{Seed: 1})
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	step := func(object string, event durable.Event) {
		t.Helper()
		if _, err := e.Step(object, 1, durable.Opened{Class: agents.Assistant.Name, Name: object}, event); err != nil {
			t.Fatalf("%s: %v", object, err)
		}
	}
	join := func(object, conn string) {
		t.Helper()
		step(object, durable.SocketOpened{Conn: durable.ConnID(conn), URL: "/agents/assistant/" + object + "?_pk=" + conn})
	}
	request := func(id, messages string) string {
		return fmt.Sprintf(`{"type":"cf_agent_use_chat_request","id":%q,"init":{"method":"POST","body":"{\"messages\":[%s]}"}}`, id, messages)
	}
	join("neighbour", "n")
	many := func(what string, n int) string { return strings.Repeat(what+",", n-1) + what }
	words := func(what string, n int) string {
		return `{\"id\":\"` + what + `\",\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"text\":\"` + strings.Repeat(what, n) + `\"}]}`
	}
	frames := []string{
		`{"type":"rpc","id":"x","method":"runs","args":[` + many("[]", 1_000_000) + `]}`,
		request("r1", words("<", 1_100_000)),
		request("r2", words("b", 1_100_000)),
		request("r3", many(words("odd", 1), 9_999)),
		request("r4", many("0", 1_500_000)),
		`{"type":"cf_agent_chat_messages","messages":[` + many("{}", 1_000_000) + `]}`,
		`{"type":"cf_agent_tool_result","toolCallId":"` + strings.Repeat("<", 1<<20) + `","toolName":"t","output":"` + strings.Repeat("<", 1<<20) + `"}`,
		`{"type":"cf_agent_stream_resume_ack","id":"` + strings.Repeat("x", 4<<20) + `"}`,
		`{"type":"` + strings.Repeat("x", 4<<20) + `"}`,
		strings.Repeat("[", 4<<20),
		strings.Repeat("x", 5_100_000),
	}
	for n := range 88 {
		object, conn := fmt.Sprint("hostile", n%5), fmt.Sprint("c", n)
		join(object, conn)
		step(object, durable.SocketMessage{Conn: durable.ConnID(conn), Text: frames[n%len(frames)]})
		if !e.Awake("neighbour") {
			t.Fatalf("frame %d has made the neighbour's memory too large", n)
		}
	}
}
