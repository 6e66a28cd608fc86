package chat

import (
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/model"
	"github.com/tributary-agents/tributary/durable/run"
)

// TestRemarkIsBounded checks the size of a hook's message to the model. The message is a row, so
// its limit does not depend on an agent's history.
func TestRemarkIsBounded(t *testing.T) {
	empty := len(limit.MustMarshal([]summaryMessage{{Role: model.User, Text: ""}}))
	for n, taken := range map[int]bool{limit.Remark - empty: true, limit.Remark - empty + 1: false, 6 * limit.Remark: false} {
		for _, letter := range []string{"x", "<"} {
			var w window
			err := w.replace([]model.Message{{Role: model.User, Content: []model.Content{model.Text{Text: strings.Repeat(letter, n)}}}}, 1<<30)
			if (err == nil) != taken || taken != (len(w.Summary) == 1) {
				t.Errorf("%d of %q: got %v", n, letter, err)
			}
		}
	}
}

// TestLongSchemaIsRefused checks that the caller is told why.
func TestLongSchemaIsRefused(t *testing.T) {
	for n, want := range map[int]string{
		limit.RunSchema: "", limit.RunSchema + 1: "the schema of the output has 65537 bytes, at most 65536", 6 * limit.RunSchema: "the schema of the output has 393216 bytes, at most 65536",
	} {
		if got := oversized("r", "", nil, []byte(strings.Repeat("<", n))); got != want {
			t.Errorf("%d bytes: got %q, want %q", n, got, want)
		}
	}
	for letter, want := range map[string]bool{"x": true, "<": true, "\x01": false} {
		if got := oversized("r", strings.Repeat(letter, limit.RunInput), nil, nil); (got == "") != want {
			t.Errorf("a prompt of %q: got %q", letter, got)
		}
	}
	if got := misnamed(run.Run{Class: strings.Repeat("x", limit.ID+1)}); got != "a name has 129 bytes, at most 128" {
		t.Errorf("got %q", got)
	}
}
