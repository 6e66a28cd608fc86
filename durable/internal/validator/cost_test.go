package validator

import (
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"testing"
)

// repeat returns n texts, each made of its number, with commas between them.
func repeat(n int, format string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strings.ReplaceAll(format, "@", strconv.Itoa(i)))
	}
	return b.String()
}

// tree returns a schema in which each of n definitions refers twice to the next one, by what stands in format
// with %[1]s for the next reference.
func tree(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"d%d":`+format, i, fmt.Sprintf("#/$defs/d%d", i+1))
	}
	return fmt.Sprintf(`{"$ref":"#/$defs/d0","$defs":{"d%d":{"minProperties":0}%s}}`, n, b.String())
}

func quotedText(n int) string { return `"` + strings.Repeat("x", n) + `"` }

// costs are the ways in which a schema or a value can ask for work. Each has a size at which a check ends well, one
// just beyond what is allowed, and one far beyond.
var costs = []struct {
	name string
	// pair returns a schema and a value of a size.
	pair        func(n int) (schema, value string)
	within, far int
	// end is how the check ends far beyond. Nil means that it is cheap at any size, and does not end.
	end error
}{
	{"reading values", func(n int) (string, string) { return `{}`, `[` + repeat(n, "1") + `]` }, 50_000, 500_000, ErrSteps},
	{"reading texts", func(n int) (string, string) { return `{}`, quotedText(n) }, 1 << 20, 16 << 20, ErrSteps},
	{"reading escapes", func(n int) (string, string) { return `{}`, `"` + strings.Repeat(`\n`, n) + `"` }, 128 << 10, 4 << 20, ErrSteps},
	{"reading names", func(n int) (string, string) { return `{}`, `{` + repeat(n, `"p@":1`) + `}` }, 30_000, 200_000, ErrSteps},
	{"numbers of many digits", func(n int) (string, string) {
		return `{}`, `[` + repeat(n, "9007199254740993.00000000000000000000000000001e-280") + `]`
	}, 300, 10_000, ErrSteps},
	{"numbers next to zero", func(n int) (string, string) {
		return `{}`, `[` + repeat(n, "1.5e-320") + `]`
	}, 150, 250, ErrSteps},
	{"numbers next to zero in a schema", func(n int) (string, string) {
		return `{"enum":[` + repeat(n, "-0.@22250738585072011e-308") + `]}`, `1`
	}, 150, 900, ErrSteps},
	{"numbers in the middle of two", func(n int) (string, string) {
		return `{}`, `[` + repeat(n, "9007199254740993") + `]`
	}, 4_000, 30_000, ErrSteps},
	{"usual numbers of many digits", func(n int) (string, string) {
		return `{}`, `[` + repeat(n, "-0.12345678901234567") + `]`
	}, 40_000, 400_000, ErrSteps},
	{"checks", func(n int) (string, string) {
		return `{"items":{"type":"integer","minimum":0,"multipleOf":1}}`, `[` + repeat(n, "1") + `]`
	}, 20_000, 200_000, ErrSteps},
	{"alternatives and elements", func(n int) (string, string) {
		return `{"items":{"not":{"anyOf":[` + repeat(100, `{"type":"integer"}`) + `]}}}`, `[` + repeat(n, `"x"`) + `]`
	}, 500, 5_000, ErrSteps},
	{"a reference to itself", func(int) (string, string) { return `{"type":"object","$ref":"#"}`, `{}` }, 0, 1, ErrDepth},
	{"allOf of itself", func(int) (string, string) { return `{"type":"object","allOf":[{"$ref":"#"}]}`, `{}` }, 0, 1, ErrDepth},
	{"not itself", func(int) (string, string) { return `{"not":{"$ref":"#"}}`, `{}` }, 0, 1, ErrDepth},
	{"a circle", func(int) (string, string) {
		return `{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`, `{}`
	}, 0, 1, ErrDepth},
	{"an anchor in a circle", func(int) (string, string) {
		return `{"$ref":"#a","$defs":{"a":{"$anchor":"a","if":{"$ref":"#a"}}}}`, `{}`
	}, 0, 1, ErrDepth},
	{"a dynamic circle", func(int) (string, string) {
		return `{"$dynamicAnchor":"a","anyOf":[{"$dynamicRef":"#a"}]}`, `{}`
	}, 0, 1, ErrDepth},
	{"a value deeper than checks nest", func(n int) (string, string) {
		return `{"items":{"$ref":"#"}}`, strings.Repeat("[", n) + strings.Repeat("]", n)
	}, 250, 490, ErrDepth},
	{"schemas inside of each other", func(n int) (string, string) {
		return strings.Repeat(`{"not":`, n) + `{}` + strings.Repeat(`}`, n), `1`
	}, 126, 450, ErrDepth},
	{"oneOf twice", func(n int) (string, string) {
		return tree(n, `{"oneOf":[{"$ref":"%[2]s"},{"$ref":"%[2]s"}]}`), `{}`
	}, 10, 20, ErrSteps},
	{"allOf twice", func(n int) (string, string) {
		return tree(n, `{"allOf":[{"$ref":"%[2]s"},{"$ref":"%[2]s"}]}`), `{}`
	}, 10, 20, ErrSteps},
	{"anyOf twice", func(n int) (string, string) {
		return tree(n, `{"anyOf":[{"$ref":"%[2]s","type":"null"},{"$ref":"%[2]s"}]}`), `{}`
	}, 10, 20, ErrSteps},
	{"if and then", func(n int) (string, string) {
		return tree(n, `{"if":{"$ref":"%[2]s"},"then":{"$ref":"%[2]s"}}`), `{}`
	}, 10, 20, ErrSteps},
	{"not in not", func(n int) (string, string) {
		return tree(n, `{"not":{"not":{"$ref":"%[2]s"}},"$ref":"%[2]s"}`), `{}`
	}, 10, 20, ErrSteps},
	{"dependentSchemas", func(n int) (string, string) {
		return tree(n, `{"dependentSchemas":{"a":{"$ref":"%[2]s"},"b":{"$ref":"%[2]s"}}}`), `{"a":1,"b":2}`
	}, 10, 20, ErrSteps},
	{"enum and elements", func(n int) (string, string) {
		return `{"items":{"enum":[` + repeat(900, `"word@"`) + `]}}`, `[` + strings.Repeat(`"word7",`, n) + `"word899"]`
	}, 15_000, 200_000, ErrSteps},
	{"enum of small numbers", func(n int) (string, string) {
		return `{"items":{"enum":[` + repeat(900, `1e-@`) + `]}}`, `[` + strings.Repeat(`1e-300,`, n) + `1e-30]`
	}, 15_000, 200_000, ErrSteps},
	{"enum of large values", func(n int) (string, string) {
		return `{"anyOf":[` + repeat(n, `{"enum":[[@,2]]}`) + `,{}]}`, `[` + repeat(3_000, `"@"`) + `]`
	}, 20, 50, ErrSteps},
	{"const of a large text", func(n int) (string, string) {
		return `{"anyOf":[` + repeat(n, `{"const":"@"}`) + `,{}]}`, quotedText(200_000)
	}, 20, 500, ErrSteps},
	{"enum of objects, which are sorted", func(n int) (string, string) {
		return `{"anyOf":[` + repeat(n, `{"enum":[{"@":1}]}`) + `,{}]}`, `{` + repeat(2_000, `"p@":1`) + `}`
	}, 2, 10, ErrSteps},
	{"unique elements", func(n int) (string, string) {
		return `{"uniqueItems":true}`, `[` + repeat(n, "@") + `]`
	}, 10_000, 25_000, ErrSteps},
	{"unique texts", func(n int) (string, string) {
		return `{"allOf":[` + repeat(n, `{"uniqueItems":true}`) + `]}`, `[` + repeat(200, `"`+strings.Repeat("x", 900)+`@"`) + `]`
	}, 10, 300, ErrSteps},
	{"a pattern that goes back", func(n int) (string, string) {
		return `{"pattern":"(a+)+$"}`, `"` + strings.Repeat("a", n) + `!"`
	}, 20_000, 1 << 20, ErrSteps},
	{"a pattern of many ways", func(n int) (string, string) {
		return `{"pattern":"(a?){100}b"}`, `"` + strings.Repeat("a", n) + `"`
	}, 500, 100_000, ErrSteps},
	{"patterns and properties", func(n int) (string, string) {
		return `{"patternProperties":{` + repeat(400, `"^a@$":{}`) + `}}`, `{` + repeat(n, `"p@":1`) + `}`
	}, 30, 15_000, ErrSteps},
	{"a pattern with many repetitions", func(n int) (string, string) {
		return `{"pattern":"` + strings.Repeat("a{1000}", n) + `"}`, `""`
	}, 0, 1, nil},
	{"patterns with repetitions", func(n int) (string, string) {
		return `{"anyOf":[` + repeat(n, `{"pattern":"b{900}"}`) + `,{}]}`, `""`
	}, 10, 900, ErrSteps},
	{"classes of Unicode", func(n int) (string, string) {
		return `{"pattern":"[` + strings.Repeat(`\\pL`, n) + `]"}`, `"a"`
	}, 20, 500, ErrSteps},
	{"classes without regard to case", func(n int) (string, string) {
		return `{"pattern":"(?i)` + strings.Repeat(`[\\x{1}-\\x{10FFFE}]`, n) + `"}`, `"` + strings.Repeat("a", 300) + `"`
	}, 1, 70, ErrSteps},
	{"many patterns", func(n int) (string, string) {
		return `{"anyOf":[` + repeat(n, `{"pattern":"a"}`) + `,{}]}`, `""`
	}, 500, 5_000, ErrSteps},
	{"a long enum", func(n int) (string, string) { return `{"enum":[` + repeat(n, "@") + `]}`, `1` }, 15_000, 50_000, ErrSteps},
	{"a long pattern", func(n int) (string, string) {
		return `{"pattern":"` + strings.Repeat(`(?:[a-f0-9]x|[g-z]y)`, n) + `"}`, `"a"`
	}, 100, 1_000, nil},
	{"minLength of a long text", func(n int) (string, string) {
		return `{"allOf":[` + repeat(n, `{"minLength":@}`) + `]}`, quotedText(250_000)
	}, 20, 900, ErrSteps},
	{"names that are missing", func(n int) (string, string) {
		return `{"items":{"required":[` + repeat(200, `"p@"`) + `]}}`, `[` + repeat(n, `{`+repeat(200, `"p@":1`)+`}`) + `]`
	}, 100, 2_000, ErrSteps},
	{"properties", func(n int) (string, string) {
		return `{"allOf":[` + repeat(n, `{"properties":{"q@":{}},"additionalProperties":true}`) + `]}`, `{` + repeat(5_000, `"p@":1`) + `}`
	}, 5, 200, ErrSteps},
	{"names that are too many", func(n int) (string, string) {
		return `{"additionalProperties":false}`, `{` + repeat(n, `"p@":1`) + `}`
	}, 0, 50_000, ErrSteps},
	{"propertyNames and contains", func(n int) (string, string) {
		return `{"propertyNames":{"enum":[` + repeat(900, `"p@"`) + `]},"properties":{"p1":{"contains":{"const":"x"}}}}`, `{"p1":[` + repeat(n, `"@"`) + `,"x"]}`
	}, 10_000, 100_000, ErrSteps},
	{"unevaluatedItems", func(n int) (string, string) {
		return `{"anyOf":[` + repeat(100, `{"contains":{"const":@}}`) + `],"unevaluatedItems":true}`, `[` + repeat(n, "@") + `]`
	}, 300, 10_000, ErrSteps},
	{"unevaluatedProperties", func(n int) (string, string) {
		return `{"allOf":[` + repeat(300, `{"properties":{"p@":{}}}`) + `],"unevaluatedProperties":false}`, `{` + repeat(n, `"p@":1`) + `}`
	}, 200, 20_000, ErrSteps},
	{"notes", func(n int) (string, string) {
		return `{"allOf":[` + repeat(n, `{"contains":true}`) + `],"unevaluatedItems":false}`, `[` + repeat(1_000, "@") + `]`
	}, 20, 300, ErrSteps},
	{"schemas", func(n int) (string, string) { return `{"anyOf":[true,` + repeat(n, `{"type":"null"}`) + `]}`, `1` }, 2_000, 20_000, ErrSteps},
	{"addresses", func(n int) (string, string) {
		return strings.Repeat(`{"$id":"http://a/`+strings.Repeat("b/", 500)+`","not":`, n) + `{}` + strings.Repeat(`}`, n), `1`
	}, 10, 60, nil},
	{"references to a long address", func(n int) (string, string) {
		return `{"$id":"http://` + strings.Repeat("ä", 400) + `/","$defs":{"a":{}},"anyOf":[{},` + repeat(n, `{"$ref":"#/$defs/a"}`) + `]}`, `1`
	}, 50, 3_000, ErrSteps},
	{"references to a long path", func(n int) (string, string) {
		return `{"$id":"urn:` + strings.Repeat("x", 900) + `","$defs":{"a":{}},"anyOf":[{},` + repeat(n, `{"$ref":"#/$defs/a"}`) + `]}`, `1`
	}, 100, 3_000, ErrSteps},
	{"an address that is too long", func(n int) (string, string) {
		return `{"$id":"http://` + strings.Repeat("h", n) + `/","$defs":{"a":{}},"anyOf":[{},` + repeat(900, `{"$ref":"#/$defs/a"}`) + `]}`, `1`
	}, 0, 16_000, nil},
	{"texts that are not ASCII", func(n int) (string, string) { return `{}`, `"` + strings.Repeat("ä", n) + `"` }, 1 << 20, 8 << 20, ErrSteps},
	{"pointers", func(n int) (string, string) {
		return `{"$defs":{"` + strings.Repeat("d", 1_000) + `":{}},"anyOf":[{},` + repeat(n, `{"$ref":"#/$defs/`+strings.Repeat("d", 1_000)+`"}`) + `]}`, `1`
	}, 100, 2_000, ErrSteps},
	{"words of alternatives", func(n int) (string, string) {
		return `{"anyOf":[` + repeat(900, `{"type":"integer"}`) + `]}`, quotedText(n)
	}, 0, 600_000, nil},
}

// steps are what a check of a pair has taken, and what it has ended with.
func steps(schema, value string) (taken int, late int, err error) {
	s, c, err := compile([]byte(schema), MaxSteps)
	if err != nil {
		return MaxSteps - c.left, c.late, err
	}
	c, err = s.checked([]byte(value), MaxSteps)
	return MaxSteps - c.left, c.late, err
}

// TestEveryCostHasAnEnd checks that a check ends before it costs too much, whatever makes it cost, and that
// nothing goes on after the end.
func TestEveryCostHasAnEnd(t *testing.T) {
	for _, cost := range costs {
		t.Run(cost.name, func(t *testing.T) {
			if cost.within > 0 {
				if taken, _, err := steps(cost.pair(cost.within)); errors.Is(err, ErrSteps) || errors.Is(err, ErrDepth) {
					t.Errorf("%d: got %v after %d steps", cost.within, err, taken)
				}
			}
			for _, n := range []int{cost.far} {
				taken, late, err := steps(cost.pair(n))
				switch {
				case cost.end != nil && !errors.Is(err, cost.end):
					t.Errorf("%d: got %.200v after %d steps, want %v", n, err, taken, cost.end)
				case cost.end == nil && (errors.Is(err, ErrSteps) || errors.Is(err, ErrDepth)):
					t.Errorf("%d: got %v, want it to be cheap", n, err)
				case err != nil && len(err.Error()) > MaxWords+100:
					t.Errorf("%d: the error has %d bytes: %.200s", n, len(err.Error()), err)
				case late > 8*MaxDepth:
					t.Errorf("%d: it has gone on for %d steps after its end", n, late)
				}
			}
		})
	}
}

// TestLimitIsExact checks a value at the limit, and one beyond it.
func TestLimitIsExact(t *testing.T) {
	lists := func(n int) string { return `[` + strings.Repeat(`[],`, n-1) + `[]]` }
	taken := func(n int) int {
		taken, _, _ := steps(`{}`, lists(n))
		return taken
	}
	most := sort.Search(MaxSteps, func(n int) bool { return taken(n+1) > MaxSteps })
	if n := taken(most); n > MaxSteps || n < MaxSteps-2*perValue {
		t.Errorf("%d lists take %d steps", most, n)
	}
	if _, _, err := steps(`{}`, lists(most)); err != nil {
		t.Errorf("at the limit: %v", err)
	}
	if _, _, err := steps(`{}`, lists(most+1)); !errors.Is(err, ErrSteps) {
		t.Errorf("one beyond: %v", err)
	}
}

// TestKeptSchemaTakesTheSame checks that it makes no difference whether a schema was compiled before.
func TestKeptSchemaTakesTheSame(t *testing.T) {
	s, err := Compile([]byte(`{"anyOf":[` + repeat(2_000, `{"type":"null"}`) + `,{"type":"array"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	value := []byte(`[` + repeat(80_000, "1") + `]`)
	for range 2 {
		if err := s.Check(value); !errors.Is(err, ErrSteps) {
			t.Errorf("got %v", err)
		}
	}
	if err := s.Check([]byte(`[1]`)); err != nil {
		t.Errorf("got %v", err)
	}
}

// BenchmarkCosts measures what a step takes, in each way in which steps are taken. None may take much more than
// the others: see [MaxSteps].
func BenchmarkCosts(b *testing.B) {
	for _, cost := range costs {
		b.Run(strings.ReplaceAll(cost.name, " ", "_"), func(b *testing.B) {
			schema, value := cost.pair(cost.far)
			taken := 0
			for b.Loop() {
				n, _, _ := steps(schema, value)
				taken += min(n, MaxSteps)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(taken), "ns/step")
		})
	}
}
