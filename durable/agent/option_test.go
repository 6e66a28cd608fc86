package agent

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/tributary-agents/tributary/durable/run"
)

type town struct {
	Name string `json:"name"`
}

// TestOptions checks what each option changes in a run.
func TestOptions(t *testing.T) {
	two := 2
	given := spec{class: "C", input: json.RawMessage(`{"q":1}`), preview: json.RawMessage(`{"q":1}`)}
	for _, test := range []struct {
		name   string
		option Option
		want   func(s *spec)
	}{
		{"id", RunID("mine"), func(s *spec) { s.id = "mine" }},
		{"order", Order(2), func(s *spec) { s.order = &two }},
		{"prompt", Prompt("find it"), func(s *spec) { s.prompt = "find it" }},
		{"preview", Preview("words"), func(s *spec) { s.preview = json.RawMessage(`"words"`) }},
		{"no preview", Preview(nil), func(s *spec) { s.preview = nil }},
		{"display", Display("Title", ""), func(s *spec) { s.display = json.RawMessage(`{"name":"Title"}`) }},
		{"timeout", Timeout(time.Minute), func(s *spec) { s.timeout = time.Minute }},
		{"delivery", HideChunks(), func(s *spec) { s.visibility = run.Terminal }},
		{"detached", Detached("tell"), func(s *spec) { s.handler = "tell" }},
		{"silence", IdleTimeout(time.Minute), func(s *spec) { s.idleTimeout = time.Minute }},
		{"stop with turn", StopWithTurn(), func(s *spec) { s.stopWithTurn = true }},
		{"narrate", Narrate("a", "b"), func(s *spec) { s.announce.Narrate = []string{"a", "b"} }},
		{"react", React("c"), func(s *spec) { s.announce.React = []string{"c"} }},
		{"no queue", NoQueue(), func(s *spec) { s.noQueue = true }},
		{"output", Output[town](), func(s *spec) {
			s.output = json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"],"additionalProperties":false}`)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, want := given, given
			test.option(&got)
			test.want(&want)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}
