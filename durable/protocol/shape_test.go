package protocol_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/internal/heap"
)

// filled returns a frame, or a body, of almost the largest size, whose middle repeats one element.
func filled(before, element, after string) string {
	n := (protocol.Limits.Frame - len(before) - len(after)) / (len(element) + 1)
	return before + strings.TrimSuffix(strings.Repeat(element+",", n), ",") + after
}

// TestLargeFramesAreNotDecodedWhole shows that reading a frame takes a small multiple of its size,
// whatever its shape, because the instance's memory is shared and never shrinks.
func TestLargeFramesAreNotDecodedWhole(t *testing.T) {
	const question = `{"id":"u","role":"user","parts":[]}`
	quoted := strings.ReplaceAll(question, `"`, `\"`)
	for name, text := range map[string]string{
		"numbers as arguments":      filled(`{"type":"rpc","id":"i","method":"m","args":[`, `1`, `]}`),
		"lists within an argument":  filled(`{"type":"rpc","id":"i","method":"m","args":[[`, `[]`, `]]}`),
		"fields of a state":         filled(`{"type":"cf_agent_state","state":{`, `"a":1`, `}}`),
		"fields of a frame":         filled(`{"type":"cf_agent_chat_clear",`, `"a":1`, `}`),
		"output of a tool":          filled(`{"type":"cf_agent_tool_result","toolCallId":"c","output":[`, `1`, `]}`),
		"messages that are none":    filled(`{"type":"cf_agent_chat_messages","messages":[`, `1`, `]}`),
		"messages":                  filled(`{"type":"cf_agent_chat_messages","messages":[`, question, `]}`),
		"parts":                     filled(`{"type":"cf_agent_chat_messages","messages":[{"id":"u","role":"user","parts":[`, `{"type":"x"}`, `]}]}`),
		"lists in a message":        filled(`{"type":"cf_agent_chat_messages","messages":[{"id":"u","role":"assistant","parts":[`, `[]`, `]}]}`),
		"messages of a request":     filled(`{"type":"cf_agent_use_chat_request","id":"R","init":{"method":"POST","body":"{\"messages\":[`, quoted, `]}"}}`),
		"tools of a browser":        filled(`{"type":"cf_agent_use_chat_request","id":"R","init":{"method":"POST","body":"{\"messages\":[`+quoted+`],\"clientTools\":[`, `{}`, `]}"}}`),
		"unknown field of a body":   filled(`{"type":"cf_agent_use_chat_request","id":"R","init":{"method":"POST","body":"{\"messages\":[`+quoted+`],\"x\":[`, `{}`, `]}"}}`),
		"lists within lists":        `{"type":"cf_agent_state","state":` + strings.Repeat("[", 2<<20-100) + strings.Repeat("]", 2<<20-100) + `}`,
		"lists within lists quoted": `{"type":"cf_agent_use_chat_request","id":"R","init":{"method":"POST","body":"` + strings.Repeat("[", 2<<20-100) + strings.Repeat("]", 2<<20-100) + `"}}`,
	} {
		passedOver := name == "unknown field of a body" || name == "lists in a message"
		t.Run(name, func(t *testing.T) {
			if len(text) > protocol.Limits.Frame {
				t.Fatalf("a frame of %d bytes", len(text))
			}
			var err error
			took := heap.Allocated(func() {
				var frame protocol.Frame
				if frame, err = protocol.ParseFrame(text); err != nil {
					return
				}
				switch f := frame.(type) {
				case protocol.ChatRequest:
					_, err = protocol.ParseChatBody(f.Body)
				case protocol.PushMessages:
					if f.List[0].Role == protocol.RoleUser {
						_, err = f.Message(0)
					}
				}
			})
			t.Logf("%.1f MiB, %v", float64(took)/(1<<20), err)
			if most := uint64(2 * protocol.Limits.Frame); took > most {
				t.Errorf("a frame of %d bytes took %d to read, at most %d", len(text), took, most)
			}
			if taken := err == nil; taken != passedOver {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestFramesAreRefusedByTheirShape shows that the error names the frame's type and its request or
// call.
func TestFramesAreRefusedByTheirShape(t *testing.T) {
	for _, test := range []struct{ name, text, id, reason string }{
		{"a call of many elements", filled(`{"args":[[`, `1`, `]],"id":"i","method":"m","type":"rpc"}`), "i", "elements, at most 200000"},
		{"a call nested deep", `{"args":[` + strings.Repeat("[", 1_000) + strings.Repeat("]", 1_000) + `],"id":"i","method":"m","type":"rpc"}`, "i", "nested too deep"},
		{"a state of many elements", filled(`{"type":"cf_agent_state","state":[`, `1`, `]}`), "", "elements, at most 200000"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := protocol.ParseFrame(test.text)
			var bad *protocol.FrameError
			if !errors.As(err, &bad) {
				t.Fatalf("got %v, want a FrameError", err)
			}
			if bad.ID != test.id || !strings.Contains(bad.Error(), test.reason) {
				t.Errorf("got %v with the id %q, want %q with %q", err, bad.ID, test.reason, test.id)
			}
			if test.id != "" && !bad.IsCall() {
				t.Errorf("it is told as a frame of the type %q", bad.Type)
			}
		})
	}
}
