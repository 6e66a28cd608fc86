package demo

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/model"
)

// TestFromPage checks that the answer of a reader of pages fits its schema, with and without a page.
func TestFromPage(t *testing.T) {
	request := model.Request{
		Tools: []model.Tool{{Name: pageTool, Schema: json.RawMessage(`{"properties":{"url":{"type":"string"}},"required":["url"]}`)}},
		Output: json.RawMessage(`{"type":"object","properties":{"open":{"type":"string"},"facts":{"type":["null","array"],"items":
			{"type":"object","properties":{"fact":{"type":"string"},"source":{"type":"string"}}}}}}`),
		Messages: []model.Message{{Role: model.User, Content: []model.Content{model.Text{Text: "Read <https://a.example.org/tides>."}}}},
	}
	asked := choose(request)
	if asked.call == nil || asked.call.Name != pageTool || string(asked.call.Input) != `{"url":"https://a.example.org/tides"}` {
		t.Fatalf("got %+v", asked.call)
	}
	for output, want := range map[string]string{
		`{"url":"https://a.example.org/tides","text":"The moon."}`: `{"facts":[{"fact":"The moon.","source":"https://a.example.org/tides"}],"open":""}`,
		`{"error":"the server answered 404"}`:                      `{"facts":[],"open":""}`,
	} {
		told := request
		told.Messages = append(request.Messages[:1:1], model.Message{Role: model.ToolRole, Content: []model.Content{model.ToolResult{ID: "c", Name: pageTool, Output: json.RawMessage(output)}}})
		if got := strings.Join(choose(told).words, ""); got != want {
			t.Errorf("%s: got %s, want %s", output, got, want)
		}
	}
}
