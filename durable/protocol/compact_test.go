package protocol_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/protocol"
)

func tool(id string, output any) json.RawMessage {
	return part(protocol.Part{
		Type: "tool-search", ToolCallID: id, ToolName: "search", State: protocol.OutputAvailable, Input: json.RawMessage(`{"q":"x"}`), Output: part(output),
	})
}

func part(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

func said(kind string, n int) json.RawMessage {
	return part(protocol.Part{Type: kind, Text: strings.Repeat("a", n), State: "done"})
}

func answer(parts ...json.RawMessage) protocol.Message {
	return protocol.Message{ID: "a1", Role: protocol.RoleAssistant, Metadata: json.RawMessage(`{"createdAt":1}`), Parts: parts}
}

// noteOf reads the note on compaction in a message's metadata.
func noteOf(t *testing.T, m protocol.Message) protocol.Compacted {
	t.Helper()
	var metadata struct {
		CreatedAt int
		Compacted protocol.Compacted
	}
	if err := json.Unmarshal(m.Metadata, &metadata); err != nil || metadata.CreatedAt != 1 {
		t.Fatalf("metadata %s: %v", m.Metadata, err)
	}
	return metadata.Compacted
}

func compact(t *testing.T, m protocol.Message, limit int) protocol.Message {
	t.Helper()
	m = protocol.Compact(m, limit)
	if n := len(m.Encode()); n > limit {
		t.Fatalf("%d bytes, at most %d", n, limit)
	}
	if _, err := protocol.ReadMessage(string(m.Encode())); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestCompactLeavesWhatFits(t *testing.T) {
	m := answer(said("text", 1000))
	if got := protocol.Compact(m, 2000); string(got.Encode()) != string(m.Encode()) {
		t.Errorf("got %s", got.Encode())
	}
}

// TestCompactTakesTheSignaturesOfThoughtsThatItShortens checks that all reasoning of a message
// loses its signatures: a provider refuses text that it has not signed, and reasoning that is
// incomplete.
func TestCompactTakesTheSignaturesOfThoughtsThatItShortens(t *testing.T) {
	thought := func(n int) json.RawMessage {
		return part(protocol.Part{Type: protocol.PartReasoning, Text: strings.Repeat("a", n), State: "done", Provider: json.RawMessage(`{"anthropic":{"signature":"s"}}`)})
	}
	signed := func(m protocol.Message) int { return strings.Count(string(m.Encode()), "signature") }
	if n := signed(compact(t, answer(thought(100), thought(3000), tool("c1", strings.Repeat("b", 9000))), 5000)); n != 2 {
		t.Errorf("%d of 2 thoughts are signed where an output was shortened", n)
	}
	if m := compact(t, answer(thought(100), thought(9000), tool("c1", "b")), 5000); signed(m) != 0 {
		t.Errorf("shortened thoughts are still signed: %s", m.Encode())
	}
	var many []json.RawMessage
	for range 100 {
		many = append(many, thought(100))
	}
	if m := compact(t, answer(many...), 5000); signed(m) != 0 || noteOf(t, m).LeftOut == 0 {
		t.Errorf("thoughts of which some were left out are still signed: %s", m.Encode())
	}
}

// TestCompactShortensTheLongestOutputFirst shows also that it shortens no more than necessary.
// TestCompactKeepsDataOfPlainThoughtsAndCalls checks that thoughts without a signature, and calls, keep
// what their provider wants back when they are shortened.
func TestCompactKeepsDataOfPlainThoughtsAndCalls(t *testing.T) {
	plain, call := `{"openai":{"from":"h","field":"reasoning_content","plain":true}}`, `{"openai":{"from":"h","call":{"extra_content":{}}}}`
	long := part(protocol.Part{
		Type: "tool-search", ToolCallID: "c1", ToolName: "search", State: protocol.OutputAvailable, Input: json.RawMessage(`{}`),
		Output: part(strings.Repeat("b", 3_000)), Caller: json.RawMessage(call),
	})
	thought := part(protocol.Part{Type: protocol.PartReasoning, Text: strings.Repeat("a", 6_000), State: "done", Provider: json.RawMessage(plain)})
	m := protocol.Compact(answer(thought, long), 3_000)
	if notes := noteOf(t, m).Fields; len(notes) != 2 {
		t.Fatalf("got %v", notes)
	}
	first, _ := protocol.ReadPart(m.Parts[0])
	second, _ := protocol.ReadPart(m.Parts[1])
	if string(first.Provider) != plain || string(second.CallProvider()) != call || second.MadeByCode() {
		t.Errorf("got %s and %s", first.Provider, second.Caller)
	}
}

func TestCompactShortensTheLongestOutputFirst(t *testing.T) {
	hit := map[string]any{"title": "otters", "score": 0.5, "text": strings.Repeat("wet ", 1000)}
	long, short := []any{hit, hit, hit, hit, hit}, []any{hit}
	m := compact(t, answer(said("reasoning", 3000), tool("c1", short), tool("c2", long), said("text", 3000)), 15_000)
	note := noteOf(t, m)
	want := protocol.CompactedField{Part: 2, ToolCallID: "c2", Field: "output", From: len(part(long))}
	if len(note.Fields) != 1 || note.Fields[0] != want || note.From < 25_000 {
		t.Errorf("got %+v", note)
	}
	p, err := protocol.ReadPart(m.Parts[2])
	if err != nil || p.State != protocol.OutputAvailable || string(p.Input) != `{"q":"x"}` {
		t.Fatalf("got %+v, %v", p, err)
	}
	var hits []struct {
		Title, Text string
		Score       float64
	}
	if err := json.Unmarshal(p.Output, &hits); err != nil || len(hits) != 5 || hits[4].Title != "otters" || hits[4].Score != 0.5 {
		t.Errorf("the output has lost its shape: %s, %v", p.Output, err)
	}
	if !strings.Contains(hits[0].Text, "wet wet") || !strings.Contains(hits[0].Text, "cut off here, 4000 bytes in all") {
		t.Errorf("got %.200s", hits[0].Text)
	}
}

// TestCompactShortensTextAndReasoning shortens text and reasoning if the outputs are not enough.
func TestCompactShortensTextAndReasoning(t *testing.T) {
	m := compact(t, answer(said("text", 40_000), said("reasoning", 30_000), tool("c1", strings.Repeat("x", 10_000))), 20_000)
	var order []string
	for _, f := range noteOf(t, m).Fields {
		order = append(order, fmt.Sprintf("%s %d", f.Field, f.From))
	}
	if got := strings.Join(order, ", "); got != "output 10002, reasoning 30000, text 40000" {
		t.Errorf("got %s", got)
	}
	if p, _ := protocol.ReadPart(m.Parts[0]); len(p.Text) < 10_000 {
		t.Errorf("%d bytes of text are left, though there was room for more", len(p.Text))
	}
}

// TestCompactAgainKeepsItsNotes shows that a second compaction keeps the notes of the first.
func TestCompactAgainKeepsItsNotes(t *testing.T) {
	m := compact(t, answer(tool("c1", strings.Repeat("x", 10_000))), 5_000)
	m.Parts = append(m.Parts, tool("c2", strings.Repeat("y", 20_000)))
	again := noteOf(t, compact(t, m, 5_000))
	if len(again.Fields) != 2 || again.Fields[0].From != 10_002 || again.Fields[1].From != 20_002 {
		t.Errorf("got %+v", again)
	}
}

func picture(n int) json.RawMessage {
	return part(protocol.Part{Type: protocol.PartFile, MediaType: "image/png", URL: "data:image/png;base64," + strings.Repeat("A", n)})
}

// TestCompactLeavesOutFilesFirst checks that files go before anything is shortened, the largest first,
// and no more of them than necessary.
func TestCompactLeavesOutFilesFirst(t *testing.T) {
	m := compact(t, answer(picture(2_500), said("text", 4_000), picture(9_000), tool("c1", strings.Repeat("x", 3_000)), picture(3_000)), 14_000)
	note := noteOf(t, m)
	want := protocol.CompactedField{Part: 2, Field: "url", From: 9_022}
	if len(note.Fields) != 1 || note.Fields[0] != want || note.LeftOut != 0 {
		t.Errorf("got %+v", note)
	}
	if got, want := string(m.Parts[2]), `{"type":"file","mediaType":"image/png","url":"data:,"}`; got != want || len(m.Parts) != 5 {
		t.Errorf("got %s, want %s", got, want)
	}
	m.Parts = append(m.Parts, said("text", 9_000))
	var order []string
	for _, f := range noteOf(t, compact(t, m, 14_000)).Fields {
		order = append(order, fmt.Sprint(f.Field, " ", f.Part))
	}
	if got := strings.Join(order, ", "); got != "url 2, url 4, url 0, output 3, text 5" {
		t.Errorf("behind more text: %s", got)
	}
}

// TestCompactOfManyParts removes the oldest parts, except a call that waits for a result.
func TestCompactOfManyParts(t *testing.T) {
	parts := []json.RawMessage{part(protocol.Part{Type: "tool-ask", ToolCallID: "c1", State: protocol.ApprovalRequested, Input: json.RawMessage(`{}`)})}
	for range 1000 {
		parts = append(parts, said("text", 20))
	}
	m := compact(t, answer(parts...), 10_000)
	if note := noteOf(t, m); note.LeftOut < 800 || note.LeftOut > 950 {
		t.Errorf("%d parts are left out", note.LeftOut)
	}
	if p, _ := protocol.ReadPart(m.Parts[1]); p.ToolCallID != "c1" {
		t.Errorf("got %s", m.Parts[1])
	}
}

// TestCompactKeepsInputsObjects shows that inputs stay objects, because providers accept nothing
// else.
func TestCompactKeepsInputsObjects(t *testing.T) {
	p := protocol.Part{Type: "tool-write", ToolCallID: "c1", State: protocol.OutputAvailable, Output: json.RawMessage(`1`)}
	for _, input := range []string{`{"text":"` + strings.Repeat("x", 50_000) + `"}`, `{"a":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`} {
		p.Input = json.RawMessage(input)
		m := compact(t, answer(part(p)), 4_000)
		if got, err := protocol.ReadPart(m.Parts[0]); err != nil || got.Input[0] != '{' {
			t.Errorf("got %s, %v", got.Input, err)
		}
	}
}

func FuzzCompact(f *testing.F) {
	f.Add(`{"a":[1,2,{"b":null}],"c":"text"}`, 100)
	f.Add(`[[[[[[[[1e400]]]]]]]]`, 10)
	f.Add(`"\ud800 <>&\u2028"`, 1)
	f.Fuzz(func(t *testing.T, output string, most int) {
		if !json.Valid([]byte(output)) || most < 0 {
			return
		}
		limit := 1000 + most%100_000
		m := answer(picture(most%3_000), part(protocol.Part{Type: "tool-x", ToolCallID: "c", State: protocol.OutputAvailable, Output: json.RawMessage(output)}))
		compact(t, m, limit)
	})
}
