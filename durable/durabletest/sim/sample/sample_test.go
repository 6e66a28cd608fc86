package sample_test

import (
	"encoding/json"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
	"github.com/tributary-agents/tributary/durable/durabletest/sim/sample"
)

// TestDraw shows that what is drawn fits, and that the values of a schema differ.
func TestDraw(t *testing.T) {
	for name, schema := range map[string]string{
		"anything": `true`,
		"texts":    `{"type":"object","properties":{"a":{"type":"string","minLength":3,"maxLength":9},"b":{"type":["null","string"]}},"required":["a"],"additionalProperties":false}`,
		"numbers":  `{"type":"array","minItems":5,"maxItems":9,"items":{"anyOf":[{"type":"integer","minimum":3,"maximum":4},{"type":"number","exclusiveMaximum":-7},{"type":"number","multipleOf":0.5}]}}`,
		"choices":  `{"type":"object","properties":{"room":{"enum":["sea","yard"]},"v":{"const":2},"ok":{"type":"boolean"}},"required":["room","v","ok"]}`,
		"maps":     `{"type":"object","additionalProperties":{"type":"integer"}}`,
		"pattern":  `{"type":"string","pattern":"^[A-Z]{2,3}-\\d+(x|yz)?$"}`,
		"formats":  `{"type":"object","properties":{"at":{"type":"string","format":"date-time"},"to":{"type":"string","format":"email"}},"required":["at","to"]}`,
		"all of":   `{"allOf":[{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]},{"properties":{"b":{"type":"string"}},"required":["b"]}]}`,
		"a tree":   `{"type":"object","properties":{"sub":{"type":"array","items":{"$ref":"#"}},"name":{"$ref":"#/$defs/name"}},"required":["name","sub"],"$defs":{"name":{"type":"string"}}}`,
		"not":      `{"type":"integer","minimum":0,"maximum":5,"not":{"const":3}}`,
	} {
		t.Run(name, func(t *testing.T) {
			s, err := sample.Parse(json.RawMessage(schema))
			if err != nil {
				t.Fatal(err)
			}
			var parsed jsonschema.Schema
			if err := json.Unmarshal([]byte(schema), &parsed); err != nil {
				t.Fatal(err)
			}
			resolved, err := parsed.Resolve(nil)
			if err != nil {
				t.Fatal(err)
			}
			different := map[string]bool{}
			for seed := range uint32(200) {
				body, err := s.Draw(dice.New(seed, "test"))
				if err != nil {
					t.Fatal(err)
				}
				var value any
				if err := json.Unmarshal(body, &value); err != nil {
					t.Fatal(err)
				}
				if err := resolved.Validate(value); err != nil {
					t.Errorf("%s does not fit: %v", body, err)
				}
				different[string(body)] = true
			}
			if len(different) < 4 {
				t.Errorf("only %v", different)
			}
		})
	}
}

func TestDrawRefuses(t *testing.T) {
	if _, err := sample.Parse(json.RawMessage(`{"type":3}`)); err == nil {
		t.Error("got no error for a schema that is none")
	}
	s, err := sample.Parse(json.RawMessage(`{"not":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	if body, err := s.Draw(dice.New(1)); err == nil {
		t.Errorf("got %s for a schema that nothing fits", body)
	}
}
