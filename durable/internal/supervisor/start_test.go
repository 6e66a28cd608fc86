package supervisor

import (
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/run"
)

// TestLongSchemaIsRefused checks that the caller is told why.
func TestLongSchemaIsRefused(t *testing.T) {
	for n, want := range map[int]string{
		limit.RunSchema: "", limit.RunSchema + 1: "the schema of the output has 65537 bytes, at most 65536", 6 * limit.RunSchema: "the schema of the output has 393216 bytes, at most 65536",
	} {
		if got := Oversized("r", "", nil, []byte(strings.Repeat("<", n))); got != want {
			t.Errorf("%d bytes: got %q, want %q", n, got, want)
		}
	}
	for letter, want := range map[string]bool{"x": true, "<": true, "\x01": false} {
		if got := Oversized("r", strings.Repeat(letter, limit.RunInput), nil, nil); (got == "") != want {
			t.Errorf("a prompt of %q: got %q", letter, got)
		}
	}
	if got := misnamed(run.Run{Class: strings.Repeat("x", limit.ID+1)}); got != "a name has 129 bytes, at most 128" {
		t.Errorf("got %q", got)
	}
}
