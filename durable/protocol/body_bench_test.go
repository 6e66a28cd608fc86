package protocol_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/protocol"
)

// BenchmarkChatRequest measures a client's whole list of 1.5 MB.
func BenchmarkChatRequest(b *testing.B) {
	var list []string
	for i := range 5000 {
		list = append(list, fmt.Sprintf(`{"id":"message-%04d","role":"assistant","parts":[{"type":"step-start"},{"type":"text","text":"%s","state":"done"}]}`, i, strings.Repeat("word ", 40)))
	}
	list = append(list, `{"id":"u","role":"user","parts":[{"type":"text","text":"and now?"}]}`)
	body := `{"messages":[` + strings.Join(list, ",") + `],"trigger":"submit-message"}`
	quoted, err := json.Marshal(body)
	if err != nil {
		b.Fatal(err)
	}
	frame := `{"id":"R1","init":{"method":"POST","body":` + string(quoted) + `},"type":"cf_agent_use_chat_request"}`
	b.SetBytes(int64(len(frame)))
	b.ReportAllocs()
	for b.Loop() {
		f, err := protocol.ParseFrame(frame)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := protocol.ParseChatBody(f.(protocol.ChatRequest).Body); err != nil {
			b.Fatal(err)
		}
	}
}
