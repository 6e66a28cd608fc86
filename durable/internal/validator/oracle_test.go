package validator

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
)

// FuzzCheck checks that any schema and any value end well: a check takes no more than its steps, nothing goes on
// after its end, its words are short, and two checks of one pair end alike.
func FuzzCheck(f *testing.F) {
	for _, cost := range costs {
		schema, value := cost.pair(min(cost.far, 40))
		f.Add(schema, value)
	}
	f.Fuzz(func(t *testing.T, schema, value string) {
		taken, late, err := steps(schema, value)
		again, _, same := steps(schema, value)
		switch {
		case late > 8*MaxDepth:
			t.Errorf("it has gone on for %d steps after its end", late)
		case taken > MaxSteps != errors.Is(err, ErrSteps):
			t.Errorf("it has ended with %v after %d steps", err, taken)
		case err != nil && (len(err.Error()) > MaxWords+100 || !utf8.ValidString(err.Error()) && utf8.ValidString(schema)):
			t.Errorf("its words are %q", err)
		case again != taken || (err == nil) != (same == nil) || err != nil && err.Error() != same.Error():
			t.Errorf("got %v after %d steps, and then %v after %d", err, taken, same, again)
		case err == nil && !json.Valid([]byte(value)):
			t.Error("what is no JSON fits a schema")
		}
	})
}

// FuzzOracle compares checks with those of package jsonschema, which is slow and knows no end, for schemas and
// values that are drawn from the bytes.
func FuzzOracle(f *testing.F) {
	for seed := range 200 {
		var drawn []byte
		for n, x := 0, uint32(seed); n < 400; n++ {
			x = x*1_664_525 + 1_013_904_223
			drawn = append(drawn, byte(x>>24))
		}
		f.Add(drawn)
	}
	f.Fuzz(func(t *testing.T, drawn []byte) {
		d := &drawer{rest: drawn}
		schema := d.schema(0)
		s, err := Compile([]byte(schema))
		if err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		var oracle jsonschema.Schema
		if err := json.Unmarshal([]byte(schema), &oracle); err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		resolved, err := oracle.Resolve(nil)
		if err != nil {
			t.Fatalf("%s: %v", schema, err)
		}
		for range 8 {
			value := d.value(0)
			var v any
			if err := json.Unmarshal([]byte(value), &v); err != nil {
				t.Fatalf("%s: %v", value, err)
			}
			got, want := s.Check([]byte(value)), resolved.Validate(v)
			if (got == nil) != (want == nil) && !errors.Is(got, ErrSteps) {
				t.Errorf("%s against %s:\ngot  %v\nwant %v", value, schema, got, want)
			}
		}
	})
}

// drawer draws schemas and values. Behind the last byte it draws the first choice each time.
type drawer struct{ rest []byte }

func (d *drawer) n(below int) int {
	if len(d.rest) == 0 {
		return 0
	}
	n := int(d.rest[0]) % below
	d.rest = d.rest[1:]
	return n
}

func (d *drawer) pick(from ...string) string { return from[d.n(len(from))] }

// list returns some of what is drawn, with commas between them.
func (d *drawer) list(least, most int, draw func() string) string {
	var all []string
	for range least + d.n(most-least+1) {
		all = append(all, draw())
	}
	return strings.Join(all, ",")
}

func (d *drawer) name() string { return d.pick(`"a"`, `"b"`, `"c"`, `"aa"`, `"ü"`) }

// value draws a value.
func (d *drawer) value(depth int) string {
	kinds := 8
	if depth > 2 {
		kinds = 6
	}
	switch d.n(kinds) {
	case 0, 1:
		return d.pick("0", "1", "-1", "1.0", "2", "0.5", "1e1", "3", "-0")
	case 2, 3:
		return d.pick(`""`, `"a"`, `"b"`, `"ab"`, `"aab"`, `"ü"`, `"\u0061"`)
	case 4:
		return d.pick("true", "false")
	case 5:
		return "null"
	case 6:
		return "[" + d.list(0, 4, func() string { return d.value(depth + 1) }) + "]"
	}
	return "{" + d.fields(func() string { return d.value(depth + 1) }) + "}"
}

// fields draws fields of different names.
func (d *drawer) fields(draw func() string) string {
	var names, all []string
	for range d.n(4) {
		if name := d.name(); !slices.Contains(names, name) {
			names = append(names, name)
			all = append(all, name+":"+draw())
		}
	}
	return strings.Join(all, ",")
}

// schema draws a schema.
func (d *drawer) schema(depth int) string {
	if depth > 3 || depth > 0 && d.n(8) == 7 {
		return d.pick("true", "false", "{}")
	}
	below := func() string { return d.schema(depth + 1) }
	var names, all []string
	for range 1 + d.n(4) {
		name, value := d.keyword(below)
		if !slices.Contains(names, name) {
			names = append(names, name)
			all = append(all, strconv.Quote(name)+":"+value)
		}
	}
	return "{" + strings.Join(all, ",") + "}"
}

// keyword draws a keyword and its value.
func (d *drawer) keyword(below func() string) (name, value string) {
	kinds := []string{`"null"`, `"boolean"`, `"number"`, `"string"`, `"array"`, `"object"`, `"integer"`}
	value0 := func() string { return d.value(1) }
	list := func() string { return "[" + d.list(1, 3, below) + "]" }
	object := func() string { return "{" + d.fields(below) + "}" }
	count := func() string { return d.pick("0", "1", "2", "3") }
	number := func() string { return d.pick("0", "1", "2", "0.5", "-1") }
	names := func() string { return "[" + d.list(0, 2, d.name) + "]" }
	keywords := []struct {
		name string
		draw func() string
	}{
		{"type", func() string { return d.pick(kinds...) }},
		{"type", func() string { return "[" + d.pick(kinds...) + "," + d.pick(kinds...) + "]" }},
		{"enum", func() string { return "[" + d.list(1, 4, value0) + "]" }},
		{"const", value0},
		{"multipleOf", func() string { return d.pick("1", "2", "0.5") }},
		{"minimum", number},
		{"maximum", number},
		{"exclusiveMinimum", number},
		{"exclusiveMaximum", number},
		{"minLength", count},
		{"maxLength", count},
		{"pattern", func() string {
			return d.pick(`"^a"`, `"b$"`, `"^(a|b)*$"`, `"a{2}"`, `"\\bab?"`, `"[^a]"`, `"(?i)A"`, `"^$"`)
		}},
		{"allOf", list},
		{"anyOf", list},
		{"oneOf", list},
		{"not", below},
		{"if", below},
		{"then", below},
		{"else", below},
		{"prefixItems", list},
		{"items", below},
		{"contains", below},
		{"minContains", count},
		{"maxContains", count},
		{"minItems", count},
		{"maxItems", count},
		{"uniqueItems", func() string { return d.pick("true", "false") }},
		{"unevaluatedItems", below},
		{"properties", object},
		{"patternProperties", func() string { return `{` + d.pick(`"^a"`, `"."`, `"b"`) + `:` + below() + `}` }},
		{"additionalProperties", below},
		{"propertyNames", below},
		{"minProperties", count},
		{"maxProperties", count},
		{"required", names},
		{"dependentRequired", func() string { return "{" + d.fields(names) + "}" }},
		{"dependentSchemas", object},
		{"unevaluatedProperties", below},
		{"format", func() string { return `"date"` }},
	}
	k := keywords[d.n(len(keywords))]
	return k.name, k.draw()
}
