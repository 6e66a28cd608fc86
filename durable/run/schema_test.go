package run

import (
	"encoding/json"
	"errors"
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

// TestOffered checks that a result which takes too long to check against a server's own schema is told from one that does not
// fit, at the limit and far beyond it.
func TestOffered(t *testing.T) {
	list := func(n int) json.RawMessage { return json.RawMessage("[" + strings.Repeat("1,", n) + "1]") }
	numbers := json.RawMessage(`{"items":{"type":"integer"}}`)
	deep := func(levels int) json.RawMessage {
		defs := make([]string, levels+1)
		for n := range defs {
			defs[n] = fmt.Sprintf(`"d%d":{"allOf":[{"$ref":"#/$defs/d%[2]d"},{"$ref":"#/$defs/d%[2]d"}]}`, n, n+1)
		}
		return json.RawMessage(`{"$ref":"#/$defs/d0","$defs":{` + strings.Join(defs, ",") + fmt.Sprintf(`,"d%d":{"type":"integer"}}}`, levels+1))
	}
	for name, test := range map[string]struct {
		schema, value json.RawMessage
		fits, usable  bool
	}{
		"a list":                         {numbers, list(2_000), true, true},
		"a word in a list":               {numbers, json.RawMessage(`[1,"x"]`), false, true},
		"a list that takes too long":     {numbers, list(50_000), false, false},
		"a few levels":                   {deep(8), json.RawMessage("1"), true, true},
		"levels that take too long":      {deep(30), json.RawMessage("1"), false, false},
		"a schema that takes too long":   {json.RawMessage(`{"enum":` + string(list(50_000)) + `}`), json.RawMessage("1"), false, false},
		"a schema that cannot be read":   {json.RawMessage(`{"type":7}`), json.RawMessage("1"), false, false},
		"a schema that refers to itself": {json.RawMessage(`{"$ref":"#"}`), json.RawMessage("1"), false, false},
	} {
		err := FitOffered(test.schema, test.value)
		if got := err == nil; got != test.fits || !test.fits && errors.Is(err, ErrSchema) == test.usable {
			t.Errorf("%s: got %v", name, err)
		}
	}
	// An author's schema has more steps.
	if err := Fit(numbers, list(30_000)); err != nil {
		t.Error(err)
	}
	if err := FitOffered(numbers, list(30_000)); !errors.Is(err, ErrSchema) {
		t.Errorf("got %v", err)
	}
}

// TestUnfitIsSaidTheSameWay checks that names which are one too many are said in one order.
func TestUnfitIsSaidTheSameWay(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"at":{"type":"object","additionalProperties":false}}}`)
	input := json.RawMessage(`{"at":{"d":1,"a \"quoted\" name]":2,"c":3,"b":4}}`)
	for range 20 {
		err := FitAnswer(schema, input)
		if want := `unexpected additional properties ["a \"quoted\" name]" "b" "c" "d"]`; err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Fatalf("got %v, want it to end with %s", err, want)
		}
	}
}
