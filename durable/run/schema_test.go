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
		for least := range maxCompiled + 3 {
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
	if n := len(s.compiled); n > maxCompiled {
		t.Errorf("%d schemas are kept, at most %d", n, maxCompiled)
	}
	large := json.RawMessage(`{"description":"` + strings.Repeat("x", maxCompiledBytes) + `"}`)
	if before := len(s.compiled); s.Fit(large, json.RawMessage("1")) != nil || len(s.compiled) != before {
		t.Error("a large schema is refused, or kept")
	}
	if s.Fit(json.RawMessage("{"), nil) == nil || s.Fit(json.RawMessage("true"), json.RawMessage("{")) == nil {
		t.Error("what cannot be read is accepted")
	}
}

// TestUnfitIsSaidTheSameWay checks that names which are one too many are said in one order.
func TestUnfitIsSaidTheSameWay(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"at":{"type":"object","additionalProperties":false}}}`)
	input := json.RawMessage(`{"at":{"d":1,"a \"quoted\" name]":2,"c":3,"b":4}}`)
	for range 20 {
		err := FitInput(schema, input)
		if want := `unexpected additional properties ["a \"quoted\" name]" "b" "c" "d"]`; err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Fatalf("got %v, want it to end with %s", err, want)
		}
	}
}
