package reply_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/internal/reply"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// TestChunks checks what deltas of a model become, given the deltas that came before them.
func TestChunks(t *testing.T) {
	call := model.ToolCall{ID: "c", Name: "search", Input: json.RawMessage(`{}`)}
	signed := model.ReasoningEnded{Provider: json.RawMessage(`{"signature":"s"}`)}
	for name, test := range map[string]struct {
		before, deltas []model.Delta
		want           string
	}{
		"a text":                              {nil, []model.Delta{model.TextDelta{Text: "a"}}, "text-start p1, text-delta p1"},
		"more of a text":                      {[]model.Delta{model.TextDelta{Text: "a"}}, []model.Delta{model.TextDelta{Text: "b"}}, "text-delta p1"},
		"a text behind reasoning":             {[]model.Delta{model.ReasoningDelta{Text: "a"}}, []model.Delta{model.TextDelta{Text: "b"}}, "reasoning-end p1, text-start p2, text-delta p2"},
		"reasoning behind a text":             {[]model.Delta{model.TextDelta{Text: "a"}}, []model.Delta{model.ReasoningDelta{Text: "b"}}, "text-end p1, reasoning-start p2, reasoning-delta p2"},
		"the end of reasoning":                {[]model.Delta{model.ReasoningDelta{Text: "a"}}, []model.Delta{signed}, "reasoning-end p1"},
		"reasoning without words":             {nil, []model.Delta{signed}, "reasoning-start p1, reasoning-end p1"},
		"the end of reasoning that was none":  {nil, []model.Delta{model.ReasoningEnded{}}, ""},
		"a call behind a text":                {[]model.Delta{model.TextDelta{Text: "a"}}, []model.Delta{model.ToolCallStarted{ID: "c", Name: "search"}}, "text-end p1, tool-input-start c"},
		"the input of a call":                 {nil, []model.Delta{model.ToolCallDelta{ID: "c", Text: "{"}, call}, "tool-input-delta c, tool-input-available c"},
		"the end of a model call in a text":   {[]model.Delta{model.TextDelta{Text: "a"}}, []model.Delta{model.Finished{}}, "text-end p1"},
		"the end of a model call after parts": {nil, []model.Delta{model.Finished{}}, ""},
	} {
		d := reply.New(protocol.Message{ID: "m"}, 0)
		for _, c := range d.Chunks(test.before) {
			d.Track(c)
		}
		var got []string
		for _, c := range d.Chunks(test.deltas) {
			got = append(got, c.Type+" "+c.ID+c.ToolCallID)
		}
		if have := strings.Join(got, ", "); have != test.want {
			t.Errorf("%s: got %q, want %q", name, have, test.want)
		}
	}
}

// TestCloseOpenParts checks which parts a model call ends that broke off: reasoning and the inputs
// of calls, but no text, which the next attempt continues.
func TestCloseOpenParts(t *testing.T) {
	for name, test := range map[string]struct {
		deltas []model.Delta
		want   []string
	}{
		"in a text":      {[]model.Delta{model.TextDelta{Text: "a"}}, nil},
		"in reasoning":   {[]model.Delta{model.ReasoningDelta{Text: "a"}}, []string{protocol.ChunkReasoningEnd}},
		"in an input":    {[]model.Delta{model.ToolCallStarted{ID: "c", Name: "search"}}, []string{protocol.ChunkToolOutputError}},
		"behind a call":  {[]model.Delta{model.ToolCallStarted{ID: "c", Name: "search"}, model.ToolCall{ID: "c", Name: "search", Input: json.RawMessage(`{}`)}}, nil},
		"before a delta": {nil, nil},
	} {
		d := reply.New(protocol.Message{ID: "m"}, 0)
		for _, c := range d.Chunks(test.deltas) {
			d.Track(c)
		}
		var got []string
		for _, c := range d.CloseOpenParts() {
			got = append(got, c.Type)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %q, want %q", name, got, test.want)
		}
	}
}
