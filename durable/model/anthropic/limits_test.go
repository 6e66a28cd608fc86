package anthropic

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/durabletest/modeltest"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
)

// TestThoughtIsBounded bounds a thought by its size as JSON, so that it fits into a chunk: a
// signature of control characters takes six times its size, and a signature of markup does not.
func TestThoughtIsBounded(t *testing.T) {
	empty := len(thought{Signature: "x", From: "x.test"}.encode()) - 1
	for _, test := range []struct {
		name, letter string
		n            int
		taken        bool
	}{
		{"at the limit", "x", limit.Thought - empty, true},
		{"at the limit in markup", "<", limit.Thought - empty, true},
		{"one beyond", "x", limit.Thought - empty + 1, false},
		{"control characters", `\u0001`, limit.Thought / 5, false},
		{"six times in markup", "<", 900_000, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := &modeltest.World{}
			answer := w.Begin(t, Model{URL: "https://x.test", Model: "m"}, modeltest.Asked("hi"))
			event := func(text string) durable.Event { return durable.FetchChunk{Data: []byte("data: " + text + "\n\n")} }
			deltas, err := w.Take(t, answer,
				durable.FetchResponded{Status: 200, Header: map[string]string{"content-type": "text/event-stream"}},
				event(`{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}`),
				event(fmt.Sprintf(`{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"%s"}}`, strings.Repeat(test.letter, test.n))),
				event(`{"type":"content_block_stop","index":0}`),
			)
			if taken := err == nil; taken != test.taken {
				t.Fatalf("got %v", err)
			}
			if err != nil && !strings.Contains(err.Error(), "what the model wants kept of a thought is larger than 256 KiB") {
				t.Errorf("got %v", err)
			}
			for _, d := range deltas {
				if e, ok := d.(model.ReasoningEnded); ok && len(e.Provider) > limit.Chunk {
					t.Errorf("a thought of %d bytes", len(e.Provider))
				}
			}
		})
	}
}
