package protocol_test

import (
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/protocol"
)

// TestPushedMessageIsStoredLikeThis shows that Stored, which decodes nothing, equals the stored
// form of the decoded message.
func TestPushedMessageIsStoredLikeThis(t *testing.T) {
	for _, text := range []string{
		`{"id":"u1","role":"user","parts":[]}`,
		`{"parts":[{"type":"text","text":"a \"<b>\" \u0007 \n"}],"id":"u1","role":"user"}`,
		`{"role":"user","id":"ü<\"1","metadata":{"at":1.50},"parts":[{"type":"x","y":[1,{"z":null}]}],"more":1}`,
		`{"id":"u1","role":"user","metadata":null,"parts":[{"type":"text"}]}`,
	} {
		frame, err := protocol.ParseFrame(`{"type":"cf_agent_chat_messages","messages":[{"id":"a","role":"assistant"},` + text + `]}`)
		if err != nil {
			t.Fatal(err)
		}
		push := frame.(protocol.PushMessages)
		m, err := push.Message(1)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := push.Stored(1), string(m.Encode()); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// TestPushedMessageIsDecodedLate shows that a message is decoded on demand, and that its errors are
// reported then.
func TestPushedMessageIsDecodedLate(t *testing.T) {
	frame, err := protocol.ParseFrame(`{"type":"cf_agent_chat_messages","messages":[{"id":"u1","role":"user"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := frame.(protocol.PushMessages).Message(0); err == nil || !strings.Contains(err.Error(), "message 0: invalid message: parts: not a list") {
		t.Errorf("got %v", err)
	}
}
