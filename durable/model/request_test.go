package model

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/tributary-agents/tributary/durable"
)

// requests are what every provider is asked, by the name of the golden file.
var requests = map[string]Request{
	"request": {
		System: "Be brief.",
		Messages: []Message{
			said(User, Text{Text: "Compare <a> & "}, Text{Text: "b"}),
			said(Assistant, ToolCall{ID: "c1", Name: "research", Input: json.RawMessage(`{"query":"a"}`)}, ToolCall{ID: "c2", Name: "now"}),
			said(ToolRole, ToolResult{ID: "c1", Name: "research", Output: json.RawMessage(`{"ok":true}`)}, ToolResult{ID: "c2", Name: "now", Output: json.RawMessage(`"noon"`)}),
			said(Assistant),
			said(Assistant, Text{Text: "Wait."}, ToolCall{ID: "c3", Name: "now", Input: json.RawMessage(`{}`)}),
			said(ToolRole, ToolResult{ID: "c3", Name: "now", Output: nil}),
			said(User),
		},
		Tools: []Tool{
			{Name: "research", Description: "Looks things up.", Schema: json.RawMessage(`{"type":"object"}`)},
			{Name: "now"},
		},
	},
	"pictures": {Messages: []Message{
		said(User, Text{Text: "What is this?"}, Image{Media: "image/png", Data: "iVBORw0KGgo="}),
		said(Assistant, Text{Text: "A dot."}),
		said(User, Image{Media: "image/jpeg", Data: "/9j/"}),
	}},
	"strict_output": {
		Messages: []Message{said(User, Text{Text: "Where is Rome?"})},
		Output:   json.RawMessage(`{"type":"object","properties":{"country":{"type":"string"}},"required":["country"],"additionalProperties":false}`),
	},
	"optional_output": {
		Messages: []Message{said(User, Text{Text: "Where is Rome?"})},
		Output:   json.RawMessage(`{"type":"object","properties":{"country":{"type":"string"}},"additionalProperties":false}`),
	},
	"open_output": {
		Messages: []Message{said(User, Text{Text: "Where is Rome?"})},
		Output:   json.RawMessage(`{"type":"object","properties":{"names":{"type":"object","additionalProperties":{"type":"string"}}},"additionalProperties":false}`),
	},
	"goes_on": {
		Messages: []Message{said(Assistant, Text{Text: "Hello."}), said(User, Text{Text: "Tell me more."})},
		Said:     "There ", Used: []string{"c1"},
	},
	"model_spoke_last": {Messages: []Message{said(User, Text{Text: "Hi."}), said(Assistant, Text{Text: "Hello."})}},
	"thoughts": {Messages: []Message{
		said(User, Text{Text: "Before."}),
		said(Assistant, signed("long ago", "old", "m0"), Text{Text: "Yes."}),
		said(User, Text{Text: "Now."}),
		said(Assistant, signed("broke off", "s0", "m1"), signed("first", "s1", "m2"), Reasoning{Provider: json.RawMessage(`{"anthropic":{"redactedData":"xyz","message":"m2"}}`)},
			Text{Text: "I look."}, ToolCall{ID: "functions.now:0", Name: "now"}),
		said(ToolRole, ToolResult{ID: "functions.now:0", Name: "now", Output: json.RawMessage(`"noon"`)}),
	}},
	"thoughts_of_another": {Messages: []Message{
		said(User, Text{Text: "Now."}),
		said(Assistant, Reasoning{Text: "unsigned"}, ToolCall{ID: "c1", Name: "now"}),
		said(ToolRole, ToolResult{ID: "c1", Name: "now", Output: json.RawMessage(`"noon"`)}),
	}},
}

// signed is a thought as Anthropic has given it.
func signed(text, signature, message string) Reasoning {
	return Reasoning{Text: text, Provider: thought{Signature: signature, Message: message}.encode()}
}

func TestRequests(t *testing.T) {
	for provider, model := range providers {
		for name, request := range requests {
			t.Run(provider+"/"+name, func(t *testing.T) {
				w := &world{}
				w.begin(t, model, request)
				if len(w.commands) != 1 {
					t.Fatalf("commands: %v", w.commands)
				}
				golden(t, filepath.Join("testdata", provider, name+".json"), shown(t, w.commands[0].(durable.Fetch)))
			})
		}
	}
}

// shown is a request as it can be read: what it asks for and where, and its body.
func shown(t *testing.T, f durable.Fetch) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(map[string]any{"method": f.Method, "url": f.URL, "header": f.Header, "body": json.RawMessage(f.Body)}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
