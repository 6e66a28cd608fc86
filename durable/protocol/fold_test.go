package protocol_test

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/protocol"
)

// TestFold compares the fold with vectors. e2e/client/fold.test.ts compares the published client's
// own builder with the same vectors.
func TestFold(t *testing.T) {
	data, err := os.ReadFile("testdata/fold.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		Name    string
		Chunks  []json.RawMessage
		Message any
	}
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		t.Run(v.Name, func(t *testing.T) {
			f := protocol.NewFold()
			for _, body := range v.Chunks {
				f.Apply(decodeChunk(t, body))
			}
			var got any
			if err := json.Unmarshal(f.Message().Encode(), &got); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, v.Message) {
				t.Errorf("got %v, want %v", got, v.Message)
			}
		})
	}
}

func TestContinueKeepsWhatWasThere(t *testing.T) {
	m := protocol.Message{
		ID: "A1", Role: protocol.RoleAssistant, Metadata: json.RawMessage(`{"a":1}`),
		Parts: []json.RawMessage{json.RawMessage(`{"type":"data-x","data":{"kept":true}}`)},
	}
	f := protocol.Continue(m)
	for _, c := range []protocol.Chunk{
		{Type: protocol.ChunkStart, MessageID: "other", MessageMetadata: json.RawMessage(`{"b":2}`)},
		{Type: protocol.ChunkTextStart, ID: "p1"},
		{Type: protocol.ChunkTextDelta, ID: "p1", Delta: "more"},
	} {
		f.Apply(c)
	}
	got := string(f.Message().Encode())
	want := `{"id":"A1","role":"assistant","metadata":{"a":1,"b":2},"parts":[{"type":"data-x","data":{"kept":true}},{"type":"text","text":"more","state":"done"}]}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestFileOfACall checks that the file of a call of another message is ignored, and that a file counts
// as nothing that was said, also in a message that goes on.
func TestFileOfACall(t *testing.T) {
	f := protocol.NewFold()
	f.Apply(protocol.Chunk{Type: protocol.ChunkStart, MessageID: "A1"})
	f.Apply(protocol.Chunk{Type: protocol.ChunkToolInput, ToolCallID: "c1", ToolName: "draw", Input: json.RawMessage(`{}`)})
	said := f.Said()
	url := "data:image/png;base64," + strings.Repeat("AAAA", 1000)
	file := protocol.Chunk{Type: protocol.ChunkFile, URL: url, MediaType: "image/png"}
	for _, call := range []string{"c1", "c2"} {
		f.Apply(protocol.Chunk{Type: protocol.ChunkToolOutput, ToolCallID: call, Output: json.RawMessage(`[]`)})
		f.Apply(file)
	}
	if f.Said() != said || f.Count(protocol.PartFile) != 1 || f.Bytes() < len(url) || f.Bytes() > 2*len(url) {
		t.Errorf("%d bytes, of which %d were said, want %d; %d files, want 1", f.Bytes(), f.Said(), said, f.Count(protocol.PartFile))
	}
	m := f.Message()
	if want := `{"type":"file","mediaType":"image/png","url":"` + url + `"}`; len(m.Parts) != 2 || string(m.Parts[1]) != want {
		t.Errorf("got %s", m.Encode())
	}
	again := protocol.Continue(m)
	if again.Count(protocol.PartFile) != 1 || again.Bytes()-again.Said() < len(url) || string(again.Message().Encode()) != string(m.Encode()) {
		t.Errorf("a message that goes on: %d bytes, of which %d were said, %s", again.Bytes(), again.Said(), again.Message().Encode())
	}
}

// TestChunkRoundTrip covers both ways of encoding.
func TestChunkRoundTrip(t *testing.T) {
	for _, c := range []protocol.Chunk{
		{Type: protocol.ChunkTextDelta, ID: "p1", Delta: "a\"b\\c\n\t\r\x01</script>é\u2028"},
		{Type: protocol.ChunkReasoningDelta, ID: "p\"2", Delta: ""},
		{Type: protocol.ChunkFinish, FinishReason: "stop", MessageMetadata: json.RawMessage(`{"n":1}`)},
		{Type: protocol.ChunkStart, MessageID: "A1"},
		{Type: protocol.ChunkFile, URL: "data:image/png;base64,AAAA", MediaType: "image/png"},
	} {
		if got := decodeChunk(t, c.Encode()); !reflect.DeepEqual(got, c) {
			t.Errorf("got %+v, want %+v", got, c)
		}
	}
}

func TestQuotedReplacesWhatIsNotUTF8(t *testing.T) {
	got := string(protocol.AppendQuoted(nil, "a\xffb\xc3"))
	if want := `"a\ufffdb\ufffd"`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func FuzzFold(f *testing.F) {
	f.Add([]byte(`{"type":"start","messageId":"A"}`), []byte(`{"type":"text-delta","delta":"x"}`))
	f.Add([]byte(`{"type":"message-metadata","messageMetadata":[1]}`), []byte(`{"type":"finish","messageMetadata":{"a":null}}`))
	f.Add([]byte(`{"type":"file","url":"data:,","mediaType":"a/b"}`), []byte(`{"type":"file"}`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		fold := protocol.NewFold()
		for _, body := range [][]byte{a, b} {
			if c, err := protocol.DecodeChunk(body); err == nil {
				fold.Apply(c)
			}
		}
		if m := fold.Message(); !json.Valid(m.Encode()) {
			t.Errorf("not JSON: %s", m.Encode())
		}
	})
}

func FuzzQuoted(f *testing.F) {
	f.Add("plain")
	f.Add("\x00\"\\\u2028\xff")
	f.Fuzz(func(t *testing.T, s string) {
		var got string
		if err := json.Unmarshal(protocol.AppendQuoted(nil, s), &got); err != nil {
			t.Fatal(err)
		}
		b, _ := json.Marshal(s)
		var want string
		if err := json.Unmarshal(b, &want); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}

func decodeChunk(t *testing.T, body []byte) protocol.Chunk {
	t.Helper()
	c, err := protocol.DecodeChunk(body)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
