package run

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestSchemas checks that a schema which is kept refuses what it has refused at first, also behind more
// schemas than are kept.
func TestSchemas(t *testing.T) {
	var s Schemas
	for range 2 {
		for least := range maxResolved + 3 {
			schema := json.RawMessage(fmt.Sprintf(`{"type":"number","minimum":%d}`, least))
			for value, fits := range map[int]bool{least: true, least - 1: false} {
				for range 2 {
					if err := s.Fit(schema, json.RawMessage(fmt.Sprint(value))); (err == nil) != fits {
						t.Errorf("%d against %s: got %v", value, schema, err)
					}
				}
			}
		}
	}
	if n := len(s.resolved); n > maxResolved {
		t.Errorf("%d schemas are kept, at most %d", n, maxResolved)
	}
	large := json.RawMessage(`{"description":"` + strings.Repeat("x", maxResolvedBytes) + `"}`)
	if before := len(s.resolved); s.Fit(large, json.RawMessage("1")) != nil || len(s.resolved) != before {
		t.Error("a large schema is refused, or kept")
	}
	if s.Fit(json.RawMessage("{"), nil) == nil || s.Fit(json.RawMessage("true"), json.RawMessage("{")) == nil {
		t.Error("what cannot be read is accepted")
	}
}
