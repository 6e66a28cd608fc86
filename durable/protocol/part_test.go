package protocol_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/protocol"
)

// TestPart shows how parts of any shape are read. If a part has two fields of the same name, the
// first one is its type, as in the validation of messages. No part is text to one reader and
// something else to another.
func TestPart(t *testing.T) {
	long := strings.Repeat("long ", 100)
	for _, test := range []struct{ part, kind, text string }{
		{`{"type":"text","text":"one\ntwo é\ud83d\ude00"}`, "text", "one\ntwo é😀"},
		{`{"text":"behind","state":"done","type":"text"}`, "text", "behind"},
		{`{"type":"text"}`, "text", ""},
		{`{"type":"text","text":null}`, "text", ""},
		{`{"type":"text","text":5}`, "text", ""},
		{`{"type":"reasoning","text":"so"}`, "reasoning", ""},
		{`{"type":"file","url":"data:,"}`, "file", ""},
		{`{"type":"text","text":"a","type":"file"}`, "text", ""},
		{`{"type":5,"text":"a"}`, "", ""},
		{`{"type":null}`, "", ""},
		{`{"text":"` + long + `","type":"text"}`, "text", long},
		{`{"type":"` + long + `"}`, long, ""},
		{`{}`, "", ""},
		{`[]`, "", ""},
		{``, "", ""},
		{`{"type":"text","text":"a"`, "text", ""},
	} {
		raw := json.RawMessage(test.part)
		if kind, text := protocol.PartType(raw), protocol.TextOf(raw); kind != test.kind || text != test.text {
			t.Errorf("%s: got %q %q, want %q %q", test.part, kind, text, test.kind, test.text)
		}
	}
}
