package codemode

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestTypes(t *testing.T) {
	many := func(n int, piece string) string { return strings.TrimSuffix(strings.Repeat(piece+",", n), ",") }
	for schema, want := range map[string]string{
		``:      "unknown",
		`{`:     "unknown",
		`{}`:    "unknown",
		`true`:  "unknown",
		`false`: "never",
		`[]`:    "unknown",
		`"a"`:   "unknown",

		`{"type":"string"}`:                                              "string",
		`{"type":"integer"}`:                                             "number",
		`{"type":"number"}`:                                              "number",
		`{"type":"boolean"}`:                                             "boolean",
		`{"type":"null"}`:                                                "null",
		`{"type":"date"}`:                                                "unknown",
		`{"type":["string","null"]}`:                                     "string | null",
		`{"type":["integer","number"]}`:                                  "number",
		`{"type":[]}`:                                                    "unknown",
		`{"type":"string","nullable":true}`:                              "string | null",
		`{"nullable":true}`:                                              "unknown",
		`{"const":"a"}`:                                                  `"a"`,
		`{"const":null}`:                                                 "null",
		`{"const":{"a":[1]}}`:                                            `{"a":[1]}`,
		`{"type":"string","enum":["a","b*/"]}`:                           `"a" | "b* /"`,
		`{"enum":["a",1,true,null,"a"]}`:                                 `"a" | 1 | true | null`,
		`{"enum":[]}`:                                                    "unknown",
		`{"enum":"a","type":"string"}`:                                   "string",
		`{"enum":[` + many(maxLiterals, `1`) + `,2,3]}`:                  `1 /* and 2 more */`,
		`{"const":"` + strings.Repeat("a", 200) + `"}`:                   "string",
		`{"const":[` + many(200, "1") + `]}`:                             "unknown",
		`{"type":"array"}`:                                               "unknown[]",
		`{"type":"array","items":{"type":"string"}}`:                     "string[]",
		`{"items":{"type":["string","null"]}}`:                           "(string | null)[]",
		`{"items":{"enum":["a|b"]}}`:                                     `"a|b"[]`,
		`{"prefixItems":[{"type":"string"},{"const":1}]}`:                "[string, 1]",
		`{"prefixItems":[{"const":1}],"items":{"type":"number"}}`:        "[1, ...number[]]",
		`{"items":[{"const":1}],"additionalItems":{"const":2}}`:          "[1, ...2[]]",
		`{"type":"array","items":[{"const":1}],"additionalItems":false}`: "[1]",

		`{"type":"object"}`:                                                                             "Record<string, unknown>",
		`{"type":"object","properties":{}}`:                                                             "{}",
		`{"type":"object","additionalProperties":false}`:                                                "{}",
		`{"additionalProperties":{"type":"number"}}`:                                                    "Record<string, number>",
		`{"patternProperties":{"^a":{"const":1},"^b":{"const":2}},"type":"object"}`:                     "Record<string, 1 | 2>",
		`{"properties":{"a":{"const":1}},"required":["a"],"additionalProperties":{"type":"string"}}`:    "{ a: 1 } & Record<string, string>",
		`{"properties":{"z":{"const":1},"a":{"const":2}},"required":["a"],"additionalProperties":true}`: "{ z?: 1, a: 2 }",
		`{"properties":{"a b":{},"c-d":{},"class":{},"e_1":{},"":{}}}`:                                  `{ "a b"?: unknown, "c-d"?: unknown, class?: unknown, e_1?: unknown, ""?: unknown }`,
		`{"properties":{"a":{"type":"string","description":" one\n  two */ three\u2028four "}}}`:        "{ a?: string /* one two * / three four */ }",
		`{"properties":{"a":{"description":"` + strings.Repeat("b", 150) + `"}}}`:                       "{ a?: unknown /* " + strings.Repeat("b", 100) + "… */ }",
		`{"properties":{"a":true,"b":false,"` + strings.Repeat("c", maxProperty+1) + `":{}}}`:           "{ a?: unknown, b?: never /* and 1 more */ }",
		`{"properties":{"a":{"properties":{"b":{"items":{"type":"object","properties":{}}}}}}}`:         "{ a?: { b?: {}[] } }",
		`{"properties":[1]}`: "{}",
		`{"properties":1}`:   "{}",

		`{"anyOf":[{"type":"string"},{"type":"null"}]}`:                                     "string | null",
		`{"oneOf":[{"const":1},{"const":1}]}`:                                               "1",
		`{"anyOf":[]}`:                                                                      "unknown",
		`{"anyOf":[false,false]}`:                                                           "never",
		`{"type":"string","anyOf":[{"minLength":1},{"maxLength":2}]}`:                       "string",
		`{"type":"object","properties":{"a":{}},"anyOf":[{"required":["a"]},{}]}`:           "{ a?: unknown }",
		`{"properties":{"a":{}},"oneOf":[{"properties":{"b":{}}},{"properties":{"c":{}}}]}`: "{ a?: unknown } & ({ b?: unknown } | { c?: unknown })",
		`{"allOf":[{"properties":{"a":{}}},{"properties":{"b":{}}}]}`:                       "{ a?: unknown } & { b?: unknown }",
		`{"not":{"type":"string"}}`:                                                         "unknown",

		`{"$ref":"#/$defs/A","$defs":{"A":{"type":"string"}}}`:                         "string",
		`{"items":{"$ref":"#/definitions/A~1b~0"},"definitions":{"A/b~":{"const":1}}}`: "1[]",
		`{"$ref":"#/$defs/B"}`:                 "unknown",
		`{"$ref":"https://example.org/a"}`:     "unknown",
		`{"properties":{"next":{"$ref":"#"}}}`: "{ next?: { next?: unknown } }",
		`{"$ref":"#/$defs/A","$defs":{"A":{"properties":{"kids":{"items":{"$ref":"#/$defs/A"}}}}}}`:          "{ kids?: unknown[] }",
		`{"$ref":"#/$defs/A","description":"b","$defs":{"A":{"$ref":"#/$defs/B"},"B":{"$ref":"#/$defs/A"}}}`: "unknown",
		`{"$ref":"#` + strings.Repeat("/a", maxSteps+1) + `"}`:                                               "unknown",
	} {
		work := maxWork
		w := typeWriter{detail: brief, rest: brief.size, work: &work}
		if got := w.schemaType(json.RawMessage(schema)); got != want {
			t.Errorf("%.200s:\ngot  %s\nwant %s", schema, got, want)
		}
	}
}

func TestSignature(t *testing.T) {
	for _, c := range []struct {
		tool Tool
		want string
	}{
		{Tool{}, "tools.f(): Promise<unknown>\n"},
		{Tool{Schema: json.RawMessage(`{"type":"object","properties":{}}`)}, "tools.f(): Promise<unknown>\n"},
		{Tool{Schema: json.RawMessage(`{"type":"object","properties":{"a":{}}}`)}, "tools.f(input?: { a?: unknown }): Promise<unknown>\n"},
		{Tool{Schema: json.RawMessage(`{"type":"object"}`)}, "tools.f(input: Record<string, unknown>): Promise<unknown>\n"},
		{Tool{Schema: json.RawMessage(`{"anyOf":[{"properties":{"a":{}},"required":["a"]},{"properties":{"b":{}}}]}`)}, "tools.f(input: { a: unknown } | { b?: unknown }): Promise<unknown>\n"},
		{Tool{Schema: json.RawMessage(`no schema`)}, "tools.f(input: unknown): Promise<unknown>\n"},
		{Tool{Description: "Does\r\n\tthis. ", Output: json.RawMessage(`{"type":"string"}`)}, "// Does this.\ntools.f(): Promise<string>\n"},
	} {
		if got := signatureOf(c.tool, "f", brief); got != c.want {
			t.Errorf("%s: got %s, want %s", c.tool.Schema, got, c.want)
		}
	}
}

// TestTypesAreBounded has schemas that would be very long as types.
func TestTypesAreBounded(t *testing.T) {
	twice := func(ref string) string {
		return `{"properties":{"left":{"$ref":"#/$defs/` + ref + `"},"right":{"$ref":"#/$defs/` + ref + `"}}}`
	}
	var tree, wide strings.Builder
	for c := 'a'; c < 'z'; c++ {
		tree.WriteString(`"` + string(c) + `":` + twice(string(c+1)) + `,`)
	}
	var consts []string
	for i := range 5_000 {
		consts = append(consts, `{"const":"value`+grouped(i)+`"}`)
		wide.WriteString(`"p` + grouped(i) + `":{"type":"string"},`)
	}
	for name, schema := range map[string]string{
		"references that double": `{"$ref":"#/$defs/a","$defs":{` + tree.String() + `"z":{}}}`,
		"many properties":        `{"properties":{` + wide.String() + `"last":{}}}`,
		"many alternatives":      `{"anyOf":[` + strings.Repeat(`{"properties":{"a":{"type":"string"}},"required":["a"]},{"enum":["`+strings.Repeat("b", 100)+`"]},`, 1_000) + `{"const":1}]}`,
		"many values":            `{"anyOf":[` + strings.Join(consts, ",") + `]}`,
		"many parts":             `{"allOf":[` + strings.Repeat(`{"properties":{"a":{"enum":["`+strings.Repeat(`b","`, 30)+`"]}}},`, 1_000) + `{}]}`,
		"a long tuple":           `{"prefixItems":[` + strings.Repeat(`{"type":"string"},`, 5_000) + `{}]}`,
		"many types":             `{"type":[` + strings.Repeat(`"string","object",`, 5_000) + `"null"]}`,
		"a deep one":             strings.Repeat(`{"items":`, 5_000) + `{}` + strings.Repeat(`}`, 5_000),
		"long literals":          `{"enum":[` + strings.Repeat(`"`+strings.Repeat("a", 90)+`",`, 50) + `1]}`,
	} {
		tool := Tool{Description: strings.Repeat("語", 10_000), Schema: json.RawMessage(schema), Output: json.RawMessage(schema)}
		if got := signatureOf(tool, "f", brief); len(got) > 4<<10 {
			t.Errorf("%s: brief has %d bytes", name, len(got))
		}
		if got := signatureOf(tool, "f", full); len(got) > 8<<10 {
			t.Errorf("%s: full has %d bytes", name, len(got))
		}
	}
}

func FuzzSignature(f *testing.F) {
	f.Add(string(searching.Schema), "what")
	f.Add(`{"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[{"$ref":"#"},{"type":["array","null"],"items":{"enum":[1]}}]}}}`, "a */ b")
	f.Add(`{"allOf":[{"prefixItems":[true],"items":false}],"patternProperties":{"":{}},"nullable":true}`, "\u2028")
	f.Fuzz(func(t *testing.T, schema, description string) {
		tool := Tool{Name: description, Description: description, Schema: json.RawMessage(schema), Output: json.RawMessage(schema)}
		got := signatureOf(tool, identifier(description), brief)
		if len(got) > len(identifier(tool.Name))+16<<10 {
			t.Errorf("%d bytes: %.200s", len(got), got)
		}
		if n := strings.Count(got, "\n"); n < 1 || n > 2 {
			t.Errorf("%d lines: %q", n, got)
		}
	})
}

// signatureOf returns a signature for which there is all the work that there can be.
func signatureOf(t Tool, name string, d detail) string {
	work := maxWork
	return signature(t, name, d, &work)
}
