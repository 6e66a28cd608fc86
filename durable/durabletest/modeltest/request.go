package modeltest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/model"
)

// requests are sent to every provider. The key is the name of the golden file.
var requests = map[string]model.Request{
	"request": {
		System: "Be brief.",
		Messages: []model.Message{
			Said(model.User, model.Text{Text: "Compare <a> & "}, model.Text{Text: "b"}),
			Said(model.Assistant, model.ToolCall{ID: "c1", Name: "research", Input: json.RawMessage(`{"query":"a"}`)}, model.ToolCall{ID: "c2", Name: "now"}),
			Said(model.ToolRole, model.ToolResult{ID: "c1", Name: "research", Output: json.RawMessage(`{"ok":true}`)}, model.ToolResult{ID: "c2", Name: "now", Output: json.RawMessage(`"noon"`)}),
			Said(model.Assistant),
			Said(model.Assistant, model.Text{Text: "Wait."}, model.ToolCall{ID: "c3", Name: "now", Input: json.RawMessage(`{}`)}),
			Said(model.ToolRole, model.ToolResult{ID: "c3", Name: "now", Output: nil}),
			Said(model.User),
		},
		Tools: []model.Tool{
			{Name: "research", Description: "Looks things up.", Schema: json.RawMessage(`{"type":"object"}`)},
			{Name: "now"},
		},
	},
	"pictures": {Messages: []model.Message{
		Said(model.User, model.Text{Text: "What is this?"}, model.Image{Media: "image/png", Data: "iVBORw0KGgo="}),
		Said(model.Assistant, model.Text{Text: "A dot."}),
		Said(model.User, model.Image{Media: "image/jpeg", Data: "/9j/"}),
	}},
	"strict_output": {
		Messages: []model.Message{Said(model.User, model.Text{Text: "Where is Rome?"})},
		Output:   json.RawMessage(`{"type":"object","properties":{"country":{"type":"string"}},"required":["country"],"additionalProperties":false}`),
	},
	"optional_output": {
		Messages: []model.Message{Said(model.User, model.Text{Text: "Where is Rome?"})},
		Output:   json.RawMessage(`{"type":"object","properties":{"country":{"type":"string"}},"additionalProperties":false}`),
	},
	"open_output": {
		Messages: []model.Message{Said(model.User, model.Text{Text: "Where is Rome?"})},
		Output:   json.RawMessage(`{"type":"object","properties":{"names":{"type":"object","additionalProperties":{"type":"string"}}},"additionalProperties":false}`),
	},
	"goes_on": {
		Messages: []model.Message{Said(model.Assistant, model.Text{Text: "Hello."}), Said(model.User, model.Text{Text: "Tell me more."})},
		Said:     "There ", Used: []string{"c1"},
	},
	"model_spoke_last": {Messages: []model.Message{Said(model.User, model.Text{Text: "Hi."}), Said(model.Assistant, model.Text{Text: "Hello."})}},
	"thoughts": {Messages: []model.Message{
		Said(model.User, model.Text{Text: "Before."}),
		Said(model.Assistant, signed("long ago", "old", "m0"), model.Text{Text: "Yes."}),
		Said(model.User, model.Text{Text: "Now."}),
		Said(model.Assistant, signed("broke off", "s0", "m1"), signed("first", "s1", "m2"), model.Reasoning{Provider: json.RawMessage(`{"anthropic":{"redactedData":"xyz","message":"m2"}}`)},
			model.Text{Text: "I look."}, model.ToolCall{ID: "functions.now:0", Name: "now"}),
		Said(model.ToolRole, model.ToolResult{ID: "functions.now:0", Name: "now", Output: json.RawMessage(`"noon"`)}),
	}},
	"thoughts_of_another": {Messages: []model.Message{
		Said(model.User, model.Text{Text: "Now."}),
		Said(model.Assistant, model.Reasoning{Text: "unsigned"}, model.ToolCall{ID: "c1", Name: "now"}),
		Said(model.ToolRole, model.ToolResult{ID: "c1", Name: "now", Output: json.RawMessage(`"noon"`)}),
	}},
}

// signed returns a thought in the form in which Anthropic gives it.
func signed(text, signature, message string) model.Reasoning {
	return model.Reasoning{Text: text, Provider: json.RawMessage(fmt.Sprintf(`{"anthropic":{"signature":%q,"message":%q}}`, signature, message))}
}

// RunRequests sends each request to each model, and compares its one fetch with
// testdata/<folder>/<request>.json. The key of models is the folder.
func RunRequests(t *testing.T, models map[string]model.Model) {
	for folder, m := range models {
		for name, request := range requests {
			t.Run(folder+"/"+name, func(t *testing.T) {
				w := &World{}
				w.Begin(t, m, request)
				if len(w.Commands) != 1 {
					t.Fatalf("commands: %v", w.Commands)
				}
				golden(t, filepath.Join("testdata", folder, name+".json"), shown(t, w.Commands[0].(durable.Fetch)))
			})
		}
	}
}

// shown formats a fetch for its golden file.
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

// golden compares a text with a golden file.
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
