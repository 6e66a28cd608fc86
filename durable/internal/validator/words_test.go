package validator

import (
	"strings"
	"testing"
)

// TestWords checks the words that the sender of a value is told, who may be a model.
func TestWords(t *testing.T) {
	long := strings.Repeat("long ", 200)
	for _, tt := range []struct{ schema, value, want string }{
		{`{"type":"object"}`, `7`, `type: 7 has type "integer", want "object"`},
		{`{"type":["object","null"]}`, `1.5`, `type: 1.5 has type "number", want one of "null, object"`},
		{`{"properties":{"degrees":{"type":"integer"}}}`, `{"degrees":"mild"}`, `validating /properties/degrees: type: mild has type "string", want "integer"`},
		{`{"items":{"properties":{"a/b":{"type":"null"}}}}`, `[{"a/b":{"c": 1}}]`, `validating /items/properties/a~1b: type: {"c": 1} has type "object", want "null"`},
		{`{"enum":["a",1,null]}`, `"b"`, `enum: b does not equal any of: [a 1 null]`},
		{`{"const":{"a":1}}`, `"b"`, `const: b does not equal {"a":1}`},
		{`{"multipleOf":0.5}`, `1.2`, `multipleOf: 1.2 is not a multiple of 0.5`},
		{`{"minimum":2}`, `1`, `minimum: 1 is less than 2`},
		{`{"maximum":2}`, `3`, `maximum: 3 is greater than 2`},
		{`{"exclusiveMinimum":2}`, `2`, `exclusiveMinimum: 2 is less than or equal to 2`},
		{`{"exclusiveMaximum":2}`, `2`, `exclusiveMaximum: 2 is greater than or equal to 2`},
		{`{"minLength":2}`, `"ü"`, `minLength: "ü" contains 1 Unicode code points, fewer than 2`},
		{`{"maxLength":2}`, `"abc"`, `maxLength: "abc" contains 3 Unicode code points, more than 2`},
		{`{"pattern":"^b+$"}`, `"abc"`, `pattern: "abc" does not match regular expression "^b+$"`},
		{`{"minItems":2}`, `[1]`, `minItems: array length 1 is less than 2`},
		{`{"maxItems":0}`, `[1]`, `maxItems: array length 1 is greater than 0`},
		{`{"contains":{"const":2}}`, `[1]`, `contains: [1] does not have an item that is wanted`},
		{`{"contains":{"const":2},"minContains":2}`, `[2]`, `minContains: contains validated 1 items, less than 2`},
		{`{"contains":{"const":2},"maxContains":1}`, `[2,2]`, `maxContains: contains validated 2 items, greater than 1`},
		{`{"uniqueItems":true}`, `[1,{"a":1,"b":2},{"b":2,"a":1.0}]`, `uniqueItems: array items 1 and 2 are equal`},
		{`{"minProperties":2}`, `{"a":1}`, `minProperties: object has 1 properties, less than 2`},
		{`{"maxProperties":0}`, `{"a":1}`, `maxProperties: object has 1 properties, greater than 0`},
		{`{"required":["b","a","c"]}`, `{"c":1}`, `required: missing properties: ["a" "b"]`},
		{`{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, `dependentRequired["a"]: missing properties ["b"]`},
		{`{"properties":{"a":{}},"additionalProperties":false}`, `{"z":1,"a":1,"b\"":1}`, `unexpected additional properties ["b\"" "z"]`},
		{`{"not":{}}`, `1`, `not: 1 is what it must not be`},
		{`{"anyOf":[{"type":"null"},{"minimum":2}]}`, `1`, `anyOf: 1 did not validate against any of 2 schemas: type: 1 has type "integer", want "null"; minimum: 1 is less than 2`},
		{`{"oneOf":[{"type":"null"},{"minimum":2}]}`, `1`, `oneOf: 1 did not validate against any of 2 schemas`},
		{`{"oneOf":[{"type":"null"},{},true]}`, `1`, `oneOf: 1 validated against both schema 1 and schema 2`},
		{`{"properties":{"a":false}}`, `{"a":1}`, `validating /properties/a: 1 is not allowed`},
		{`{"type":"null"}`, `"` + long + `"`, `type: ` + long[:200] + `… has type "string", want "null"`},
	} {
		s, err := Compile([]byte(tt.schema))
		if err != nil {
			t.Errorf("%s: %v", tt.schema, err)
			continue
		}
		if err := s.Check([]byte(tt.value)); err == nil || err.Error() != "does not fit its schema: validating root: "+tt.want {
			t.Errorf("%s against %s:\ngot  %v\nwant %s", tt.value, tt.schema, err, tt.want)
		}
	}
}

// TestBadSchemas checks what the author of a schema is told that cannot be used.
func TestBadSchemas(t *testing.T) {
	for schema, want := range map[string]string{
		`{`:                                "cannot be read: it is no JSON",
		`"a"`:                              "cannot be used: root: it is no schema",
		`{"type":"text"}`:                  `cannot be used: root: the type "text" is not known`,
		`{"properties":{"a":{"items":1}}}`: "cannot be used: /properties/a/items: it is no schema",
		`{"pattern":"("}`:                  "cannot be used: root: pattern: error parsing regexp: missing closing ): `(`",
		`{"pattern":"a{1000}{9}"}`:         "cannot be used: root: pattern: error parsing regexp: invalid nested repetition operator: `{1000}{9}`",
		`{"pattern":"` + strings.Repeat("a{1000}", 5) + `"}`:                                        `cannot be used: root: the pattern "` + strings.Repeat("a{1000}", 5) + `" repeats too much`,
		`{"pattern":"` + strings.Repeat("a", maxPattern+1) + `"}`:                                   "cannot be used: root: a pattern has more than 4096 bytes",
		`{"pattern":"` + strings.Repeat("(", maxGroups+1) + strings.Repeat(")", maxGroups+1) + `"}`: "cannot be used: root: a pattern has more than 100 groups inside of each other",
		`{"$ref":"#/$defs/a"}`:                                  `cannot be used: root: there is no schema "#/$defs/a"`,
		`{"$ref":"https://a.b/c"}`:                              `cannot be used: root: there is no schema "https://a.b/c"`,
		`{"$schema":"http://json-schema.org/draft-04/schema#"}`: `cannot be used: the version "http://json-schema.org/draft-04/schema#" is not known, which draft-07 and draft 2020-12 are`,
		`{"minimum":1e999}`:                                     "cannot be read: a number of it is too large",
		`{"minLength":1.5}`:                                     "cannot be used: root: minLength is not the number that it has to be",
	} {
		if _, err := Compile([]byte(schema)); err == nil || err.Error() != want {
			t.Errorf("%.100s: got %v, want %s", schema, err, want)
		}
	}
}

// TestValuesThatCannotBeRead checks what is told of a value that is no JSON.
func TestValuesThatCannotBeRead(t *testing.T) {
	s, err := Compile([]byte("true"))
	if err != nil {
		t.Fatal(err)
	}
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for value, want := range map[string]string{
		``: "it is no JSON", `{`: "it is no JSON", `[1,]`: "it is no JSON", `{"a":1,}`: "it is no JSON", `01`: "it is no JSON", `"` + "\n" + `"`: "it is no JSON",
		`"\x"`: "it is no JSON", `1 2`: "it is no JSON", "1\x00": "it is no JSON", `1e999`: "a number of it is too large",
		deep(1_001): "its values are nested too deep",
	} {
		if err := s.Check([]byte(value)); err == nil || err.Error() != "cannot be read: "+want {
			t.Errorf("%.50q: got %v", value, err)
		}
	}
	for _, value := range []string{`1e-999999999`, `-0`, ` [ ] `, `{"a":1,"a":2}`, "\"\xff\"", `"\ud800"`, deep(1_000)} {
		if err := s.Check([]byte(value)); err != nil {
			t.Errorf("%.50q: %v", value, err)
		}
	}
}

// TestWordsOfManyAlternatives checks that words have an end, however many places and alternatives there are.
func TestWordsOfManyAlternatives(t *testing.T) {
	long := strings.Repeat("x", 5_000)
	schema := `{"type":"null"}`
	for range 6 {
		schema = `{"anyOf":[` + schema + `,` + schema + `,` + schema + `]}`
	}
	s, err := Compile([]byte(`{"properties":{"` + long + `":` + schema + `}}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Check([]byte(`{"` + long + `":"` + long + `"}`)); err == nil || len(err.Error()) > MaxWords+100 || !strings.Contains(err.Error(), "anyOf: x") {
		t.Errorf("got %v", err)
	}
}
