package mcp

import (
	"strconv"
	"strings"
	"testing"
)

func TestEncodeHeader(t *testing.T) {
	for text, want := range map[string]string{
		"get_weather":       "get_weather",
		"two words":         "two words",
		"":                  "=?base64??=",
		" padded":           "=?base64?IHBhZGRlZA==?=",
		"tab\t":             "=?base64?dGFiCQ==?=",
		"größe":             "=?base64?Z3LDtsOfZQ==?=",
		"a\r\nx-evil: 1":    "=?base64?YQ0KeC1ldmlsOiAx?=",
		"=?base64?YQ==?=":   "=?base64?PT9iYXNlNjQ/WVE9PT89?=",
		"=?base64?YQ==":     "=?base64?YQ==",
		"note://1?q=a%20b#": "note://1?q=a%20b#",
	} {
		if got := EncodeHeader(text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
		if got, ok := DecodeHeader(want); got != text || !ok {
			t.Errorf("%s: got %q, %v, want %q", want, got, ok, text)
		}
	}
}

func TestDecodeHeader(t *testing.T) {
	for value, want := range map[string]string{"  a b\t": "a b", "aGk=": "aGk=", "=?BASE64?aGk=?=": "=?BASE64?aGk=?="} {
		if got, ok := DecodeHeader(value); got != want || !ok {
			t.Errorf("%q: got %q, %v, want %q", value, got, ok, want)
		}
	}
	for _, value := range []string{"=?base64?aGk?=", "=?base64?a!k=?=", "=?base64?aGl=?="} {
		if got, ok := DecodeHeader(value); ok {
			t.Errorf("%s is %q", value, got)
		}
	}
}

func FuzzHeader(f *testing.F) {
	f.Add("a")
	f.Add(" =?base64?=?=")
	f.Fuzz(func(t *testing.T, text string) {
		value := EncodeHeader(text)
		for _, c := range []byte(value) {
			if c < 0x20 || c > 0x7e {
				t.Fatalf("%q is encoded as %q", text, value)
			}
		}
		if got, ok := DecodeHeader(value); got != text || !ok {
			t.Fatalf("%q is encoded as %q, which is %q", text, value, got)
		}
	})
}

const shipping = `{"type":"object","properties":{
	"region":{"type":"string","x-mcp-header":"Region"},
	"box":{"type":"object","properties":{"count":{"type":"integer","x-mcp-header":"Box-Count"},"fragile":{"type":"boolean","x-mcp-header":"Fragile"}}},
	"note":{"type":"string","default":{"x-mcp-header":"no keyword"}},
	"x-mcp-header":{"type":"string"}}}`

func TestParams(t *testing.T) {
	params, err := Params(parsed(t, shipping))
	if err != nil || len(params) != 3 || params[1].Header != "Box-Count" || strings.Join(params[1].Path, ".") != "box.count" {
		t.Fatalf("got %+v, %v", params, err)
	}
	arguments := parsed(t, `{"region":"süd","box":{"count":7.0,"fragile":null},"note":"n"}`)
	got := map[string]string{}
	for _, h := range paramHeaders(params, arguments) {
		got[h.Name] = h.Value
	}
	if len(got) != 2 || got["mcp-param-region"] != "=?base64?c8O8ZA==?=" || got["mcp-param-box-count"] != "7" {
		t.Errorf("got %v", got)
	}
	if err := CheckParams(got, params, arguments); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(header map[string]string){
		"missing":    func(h map[string]string) { delete(h, "mcp-param-region") },
		"other text": func(h map[string]string) { h["mcp-param-region"] = "nord" },
		"broken":     func(h map[string]string) { h["mcp-param-region"] = "=?base64?c8O8ZA?=" },
		"other":      func(h map[string]string) { h["mcp-param-box-count"] = "8" },
		"no number":  func(h map[string]string) { h["mcp-param-box-count"] = "seven" },
		"for null":   func(h map[string]string) { h["mcp-param-fragile"] = "false" },
	} {
		header := map[string]string{"mcp-param-region": got["mcp-param-region"], "mcp-param-box-count": "7.0"}
		change(header)
		if e, ok := CheckParams(header, params, arguments).(*Error); !ok || e.Code != CodeHeader {
			t.Errorf("%s: got %v", name, e)
		}
	}
}

func TestParamsRefuses(t *testing.T) {
	var many strings.Builder
	for i := range MaxParams + 1 {
		many.WriteString(`"a` + strconv.Itoa(i) + `":{"type":"string","x-mcp-header":"A` + strconv.Itoa(i) + `"},`)
	}
	for schema, want := range map[string]error{
		`{"properties":{` + strings.TrimSuffix(many.String(), ",") + `}}`:                                                         errParamMany,
		`{"properties":{"a":{"type":"string","x-mcp-header":""}}}`:                                                                errParamName,
		`{"properties":{"a":{"type":"string","x-mcp-header":5}}}`:                                                                 errParamName,
		`{"properties":{"a":{"type":"string","x-mcp-header":"a b"}}}`:                                                             errParamName,
		`{"properties":{"a":{"type":"string","x-mcp-header":"a:b"}}}`:                                                             errParamName,
		`{"properties":{"a":{"type":"string","x-mcp-header":"a\r\n"}}}`:                                                           errParamName,
		`{"properties":{"a":{"type":"string","x-mcp-header":"é"}}}`:                                                               errParamName,
		`{"properties":{"a":{"type":"number","x-mcp-header":"A"}}}`:                                                               errParamType,
		`{"properties":{"a":{"type":"array","x-mcp-header":"A"}}}`:                                                                errParamType,
		`{"properties":{"a":{"x-mcp-header":"A"}}}`:                                                                               errParamType,
		`{"properties":{"a":{"type":["string"],"x-mcp-header":"A"}}}`:                                                             errParamType,
		`{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"properties":{"c":{"type":"string","x-mcp-header":"a"}}}}}`: errParamTwice,
		`{"properties":{"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}}}`:                                      errParamNotFound,
		`{"anyOf":[{"properties":{"a":{"type":"string","x-mcp-header":"A"}}}]}`:                                                   errParamNotFound,
		`{"$defs":{"a":{"type":"string","x-mcp-header":"A"}}}`:                                                                    errParamNotFound,
		`{"x-mcp-header":"A","type":"string"}`:                                                                                    errParamNotFound,
	} {
		if params, err := Params(parsed(t, schema)); err != want {
			t.Errorf("%s: got %v, %v, want %v", schema, params, err, want)
		}
	}
}
