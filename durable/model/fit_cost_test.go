package model

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// repeated returns n texts of a format with a number, with commas between them.
func repeated(n int, format string) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(format, i))
	}
	return strings.Join(list, ",")
}

// levels returns members with schemas, each of which refers to the next one wide times.
func levels(n, wide int, prefix, member string) string {
	var list []string
	for i := range n {
		next := fmt.Sprintf(`{"$ref":"%s/l%d"}`, prefix, i+1)
		list = append(list, fmt.Sprintf(`"l%d":`, i)+strings.Replace(member, "%", strings.TrimSuffix(strings.Repeat(next+",", wide), ","), 1))
	}
	return strings.Join(append(list, fmt.Sprintf(`"l%d":{"type":"object","properties":{"a":{}}}`, n)), ",")
}

// TestFitEnds makes schemas fit of which a few bytes ask for much work. Those beyond the countdown are left out, and none
// takes more steps than that.
func TestFitEnds(t *testing.T) {
	object := func(members string) string { return `{"type":"object",` + members + `}` }
	names := func(n int) string {
		return repeated(n, `"é%d":{}`)
	}
	for _, test := range []struct {
		name, schema string
		fits         bool
	}{
		{"two references to each of eight places", object(`"properties":{` + levels(8, 2, "#/properties", `{"type":"array","prefixItems":[%]}`) + `}`), true},
		{"six references to each of eight places", object(`"properties":{` + levels(8, 6, "#/properties", `{"type":"array","prefixItems":[%]}`) + `}`), false},
		{"forty references to each of eight places", object(`"properties":{` + levels(8, 40, "#/properties", `{"type":"array","prefixItems":[%]}`) + `}`), false},
		{"alternatives of two, seven deep", object(`"anyOf":[{"$ref":"#/$defs/l0"}],"$defs":{` + levels(7, 2, "#/$defs", `{"type":"object","anyOf":[%]}`) + `}`), true},
		{"alternatives of eight, seven deep", object(`"anyOf":[{"$ref":"#/$defs/l0"}],"$defs":{` + levels(7, 8, "#/$defs", `{"type":"object","anyOf":[%]}`) + `}`), false},
		{"alternatives of all kinds, seven deep", object(`"allOf":[{"$ref":"#/$defs/l0"}],"$defs":{` + levels(7, 30, "#/$defs", `{"type":"object","oneOf":[%]}`) + `}`), false},
		{"conditions, seven deep", object(`"if":{},"then":{"$ref":"#/$defs/l0"},"$defs":{` + levels(7, 1, "#/$defs", `{"type":"object","if":{},"then":%,"else":{"allOf":[{"$ref":"#/$defs/l7"}]}}`) + `}`), true},
		{"a few names that are told otherwise", object(`"properties":{` + names(50) + `}`), true},
		{"many that become the same", object(`"properties":{` + repeated(3000, `"a%d!":{}`) + `,` + strings.Join(sameNames(3000), ",") + `}`), false},
		{"one property that many alternatives have", object(`"anyOf":[` + repeated(1500, `{"properties":{"a":{"title":"%d"}}}`) + `]`), false},
		{"many properties in many alternatives", object(`"anyOf":[` + repeated(300, `{"properties":{`+repeated(100, `"p%d":{}`)+`,"q%d":{}}}`) + `]`), false},
		{"a thousand names that are required", object(`"properties":{},"required":[` + repeated(1_000, `"p%d"`) + `]`), true},
		{"names that many alternatives require", object(`"anyOf":[` + strings.TrimSuffix(strings.Repeat(`{"required":[`+repeated(200, `"p%d"`)+`]},`, 200), ",") + `]`), false},
		{"a long text that is told again and again", object(`"properties":{"text":{"description":"` + strings.Repeat("x", 60_000) + `"},` + levels(8, 3, "#/properties", `{"type":"array","prefixItems":[%,{"$ref":"#/properties/text"}]}`) + `}`), false},
		{"a long list that is told again and again", object(`"properties":{"list":{"enum":[` + repeated(5_000, "%d") + `]},` + levels(8, 3, "#/properties", `{"type":"array","prefixItems":[%,{"$ref":"#/properties/list"}]}`) + `}`), false},
		{"a long reference again and again", object(`"properties":{` + repeated(60, `"p%d":{"$ref":"#`+strings.Repeat("/properties", 1_000)+`"}`) + `}`), false},
		{"one list of a thousand values", object(`"properties":{"list":{"enum":[` + repeated(1_000, "%d") + `]}}`), true},
		{"five hundred described properties", object(`"properties":{` + repeated(500, `"p%d":{"type":"string","description":"what it is","minLength":1}`) + `}`), true},
	} {
		t.Run(test.name, func(t *testing.T) {
			root, err := readObject([]byte(test.schema))
			if err != nil {
				t.Fatal(err)
			}
			f := &fitting{root: root, taken: map[string]bool{}, steps: maxFitSteps}
			f.collect(root, 0)
			_, _ = f.top()
			// What is read at once, of which a schema has at most its size, may come on top.
			if f.steps < -len(test.schema) {
				t.Errorf("it takes %d steps", maxFitSteps-f.steps)
			}
			_, err = FitSchema([]byte(test.schema))
			if (err == nil) != test.fits || err != nil && !errors.Is(err, errFitSteps) {
				t.Errorf("%d bytes, %d steps: got %v", len(test.schema), maxFitSteps-f.steps, err)
			}
		})
	}
}

// sameNames returns members whose names become the same.
func sameNames(n int) (list []string) {
	for i := range n {
		list = append(list, fmt.Sprintf(`"%s":{}`, string(rune(0x4e00+i))))
	}
	return list
}
