package model

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tributary-agents/tributary/durable"
)

// refusal is what a provider with the rules of all of them says of a schema, or "".
func refusal(schema string) string {
	var top map[string]any
	if json.Unmarshal([]byte(schema), &top) != nil {
		return "it is no object"
	}
	if top["type"] != "object" {
		return "its type is not object"
	}
	for _, word := range []string{"anyOf", "oneOf", "allOf", "not", "enum", "const", "if", "$ref"} {
		if top[word] != nil {
			return word + " is at the top"
		}
	}
	return refusalIn(top, top)
}

var goodName = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`)

func refusalIn(top map[string]any, value any) string {
	s, ok := value.(map[string]any)
	if !ok {
		_, flag := value.(bool)
		return map[bool]string{true: "", false: fmt.Sprintf("%v is no schema", value)}[flag]
	}
	kinds, _ := s["type"].([]any)
	if kind, has := s["type"]; has && kinds == nil {
		kinds = []any{kind}
	}
	for _, kind := range kinds {
		if !slices.Contains([]any{"object", "array", "string", "number", "integer", "boolean", "null"}, kind) {
			return fmt.Sprintf("%v is no type", kind)
		}
		if _, has := s["properties"].(map[string]any); kind == "object" && !has {
			return "an object has no properties"
		}
		if _, has := s["items"].(map[string]any); kind == "array" && !has {
			return "an array has no items"
		}
	}
	if _, list := s["items"].([]any); list {
		return "items are a list"
	}
	if ref, has := s["$ref"]; has {
		path := strings.Split(fmt.Sprint(ref), "/")
		if defs, _ := top["$defs"].(map[string]any); ref != "#" && (len(path) != 3 || path[1] != "$defs" || defs[path[2]] == nil) {
			return fmt.Sprintf("%v leads nowhere", ref)
		}
	}
	for _, word := range []string{"minLength", "maxItems", "minimum", "exclusiveMinimum"} {
		if _, number := s[word].(float64); s[word] != nil && !number {
			return word + " is no number"
		}
	}
	for _, word := range []string{"description", "title", "format", "pattern"} {
		if _, text := s[word].(string); s[word] != nil && !text {
			return word + " is no text"
		}
	}
	names := map[string]bool{}
	if _, has := s["required"]; has {
		list, ok := s["required"].([]any)
		properties, _ := s["properties"].(map[string]any)
		for _, name := range list {
			text, _ := name.(string)
			if names[text] || properties[text] == nil {
				return fmt.Sprintf("%v is required twice, or is no property", name)
			}
			names[text] = true
		}
		if !ok {
			return "required is no list"
		}
	}
	if list, is := s["enum"].([]any); s["enum"] != nil && (!is || len(list) == 0) {
		return "enum has no values"
	}
	for word, below := range s {
		switch word {
		case "properties", "$defs", "patternProperties":
			list, ok := below.(map[string]any)
			if !ok {
				return word + " is no object"
			}
			for name, one := range list {
				if word == "properties" && !goodName.MatchString(name) {
					return "the name " + name
				}
				if no := refusalIn(top, one); no != "" {
					return no
				}
			}
		case "anyOf", "oneOf", "allOf", "prefixItems":
			list, _ := below.([]any)
			for _, one := range list {
				if no := refusalIn(top, one); no != "" {
					return no
				}
			}
			if len(list) == 0 {
				return word + " has nothing"
			}
		case "items", "additionalProperties", "not":
			if no := refusalIn(top, below); no != "" {
				return no
			}
		}
	}
	return ""
}

// TestFitSchema makes schemas fit that providers refuse. Each stands for what some servers say.
func TestFitSchema(t *testing.T) {
	const either = `{"type":"object","anyOf":[{"type":"object","properties":{"content":{"type":"string"}},"required":["content"]},{"type":"object","properties":{"source_url":{"type":"string"}}}]}`
	for name, test := range map[string]struct {
		schema string
		// want are parts of what is told, and says is one of the changes.
		want []string
		says string
	}{
		"anyOf at the top":             {either, []string{`"content":{"type":"string"}`, `"source_url":{"type":"string"}`}, "anyOf at the top is folded"},
		"oneOf at the top":             {strings.Replace(either, "anyOf", "oneOf", 1), []string{`"content":`, `"source_url":`}, "oneOf at the top is folded"},
		"allOf at the top":             {strings.Replace(either, "anyOf", "allOf", 1), []string{`"content":`, `"source_url":`, `"required":["content"]`}, "allOf at the top"},
		"oneOf without a type":         {`{"oneOf":[{"properties":{"a":{}},"required":["a"]},{"properties":{"b":{}},"required":["b"]}]}`, []string{`"a":{}`, `"b":{}`, "Give one of: a; or b."}, "oneOf at the top"},
		"oneOf by required alone":      {`{"type":"object","properties":{"a":{},"b":{}},"oneOf":[{"required":["a"]},{"required":["b"]}]}`, []string{"Give one of: a; or b."}, "oneOf"},
		"a property of both":           {`{"type":"object","oneOf":[{"properties":{"kind":{"const":"a"},"n":{}},"required":["kind","n"]},{"properties":{"kind":{"const":"b"}},"required":["kind"]}]}`, []string{`"kind":{"anyOf":[{"const":"a"},{"const":"b"}]}`, `"required":["kind"]`}, ""},
		"alternatives in alternatives": {`{"type":"object","allOf":[{"anyOf":[{"properties":{"a":{}}},{"oneOf":[{"properties":{"b":{}}}]}]},{"properties":{"c":{}}}]}`, []string{`"a":{}`, `"b":{}`, `"c":{}`}, ""},
		"alternatives by reference":    {`{"type":"object","anyOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"type":"object","properties":{"x":{"$ref":"#/$defs/b"}}},"b":{"type":"string"}}}`, []string{`"x":{"$ref":"#/$defs/b"}`}, ""},
		"an alternative that is none":  {`{"type":"object","anyOf":[{"type":"string"},null,{"properties":{"a":{}}}]}`, []string{`"a":{}`}, ""},
		"an empty anyOf":               {`{"type":"object","properties":{},"anyOf":[]}`, nil, "anyOf"},
		"a reference at the top":       {`{"$ref":"#/$defs/in","$defs":{"in":{"type":"object","properties":{"a":{}}}}}`, []string{`"a":{}`}, "a reference at the top"},
		"not at the top":               {`{"type":"object","properties":{},"not":{"required":["a"]}}`, nil, "not at the top is left out"},
		"a condition at the top":       {`{"type":"object","properties":{"a":{}},"if":{"required":["a"]},"then":{"properties":{"b":{}},"required":["b"]},"else":{"properties":{"c":{}}}}`, []string{`"b":{}`, `"c":{}`}, "a condition"},
		"no properties":                {`{"type":"object"}`, []string{`"properties":{}`}, "properties are added"},
		"no type":                      {`{"properties":{"a":{"type":"string"}}}`, []string{`"type":"object"`}, "the type object is added"},
		"an object or null":            {`{"type":["object","null"],"properties":{}}`, []string{`"type":"object"`}, ""},
		"properties of PHP":            {`{"type":"object","properties":[]}`, []string{`"properties":{}`}, "properties that are no object"},
		"properties that are null":     {`{"type":"object","properties":null,"required":null}`, []string{`"properties":{}`}, ""},
		"an array without items":       {`{"type":"object","properties":{"files":{"type":"array"}}}`, []string{`"items":{}`}, "items are added"},
		"an array deep down":           {`{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"anyOf":[{"type":"array"},{"type":"null"}]}}}}}`, []string{`"items":{}`}, "items are added"},
		"an array or null":             {`{"type":"object","properties":{"a":{"type":["array","null"]}}}`, []string{`"items":{}`}, "items are added"},
		"an object inside":             {`{"type":"object","properties":{"a":{"type":"object"},"b":{"type":"array","items":{"type":"object","additionalProperties":{"type":"array"}}}}}`, []string{`"properties":{}`, `"items":{}`}, ""},
		"items by place":               {`{"type":"object","properties":{"a":{"type":"array","items":[{"type":"string"},{"type":"number"}]}}}`, []string{`"items":{"anyOf":[{"type":"string"},{"type":"number"}]}`}, "items by their places"},
		"items of one place":           {`{"type":"object","properties":{"a":{"type":"array","items":[{"type":"string"}]}}}`, []string{`"items":{"type":"string"}`}, ""},
		"no items by place":            {`{"type":"object","properties":{"a":{"type":"array","items":[]}}}`, []string{`"items":{}`}, ""},
		"items that are true":          {`{"type":"object","properties":{"a":{"type":"array","items":true}}}`, []string{`"items":{}`}, ""},
		"a name with brackets":         {`{"type":"object","properties":{"filter[status]":{"type":"string"}},"required":["filter[status]"]}`, []string{`"filter_status":{"type":"string"}`, `"required":["filter_status"]`}, `the property "filter[status]" is told as filter_status`},
		"names of OData":               {`{"type":"object","properties":{"$filter":{},"$top":{}}}`, []string{`"filter":{}`, `"top":{}`}, "told as filter"},
		"a name in another script":     {`{"type":"object","properties":{"größe":{},"名前":{},"":{}}}`, []string{`"gr__e":{}`, `"property":{}`, `"property_2":{}`}, ""},
		"a name that is too long":      {`{"type":"object","properties":{"` + strings.Repeat("a", 65) + `":{}}}`, []string{`"` + strings.Repeat("a", 60) + `":{}`}, ""},
		"names that would be one":      {`{"type":"object","properties":{"a b":{},"a[b]":{},"a_b":{}}}`, []string{`"a_b":{}`, `"a_b_2":{}`, `"a_b_3":{}`}, ""},
		"a name deep down":             {`{"type":"object","properties":{"a":{"type":"array","items":{"type":"object","properties":{"x y":{}},"required":["x y"]}}}}`, []string{`"required":["x_y"]`}, ""},
		"a name in a definition":       {`{"type":"object","properties":{"a":{"$ref":"#/$defs/d"}},"$defs":{"d":{"type":"object","properties":{"x/y":{}}}}}`, []string{`"x_y":{}`}, ""},
		"required twice":               {`{"type":"object","properties":{"a":{}},"required":["a","a"]}`, []string{`"required":["a"]`}, ""},
		"required and not described":   {`{"type":"object","required":["query"]}`, []string{`"query":{}`}, `the property "query" is added`},
		"required of draft 3":          {`{"type":"object","properties":{"a":{"type":"string","required":true}}}`, nil, `keyword "required" is left out`},
		"types of Python":              {`{"type":"object","properties":{"a":{"type":"str"},"b":{"type":"int"},"c":{"type":"list"},"d":{"type":"dict"},"e":{"type":["float","None"]},"f":{"type":"any"}}}`, []string{`"a":{"type":"string"}`, `"b":{"type":"integer"}`, `"f":{}`}, ""},
		"a type that is null":          {`{"type":"object","properties":{"a":{"type":null},"b":{"type":[]},"c":{"type":{}}}}`, nil, `keyword "type"`},
		"bounds of draft 4":            {`{"type":"object","properties":{"a":{"type":"number","minimum":0,"exclusiveMinimum":true,"maximum":5,"exclusiveMaximum":false}}}`, []string{`"exclusiveMinimum":0`, `"maximum":5`}, ""},
		"a bound that is a text":       {`{"type":"object","properties":{"a":{"type":"string","minLength":"1","maxLength":-1,"pattern":null}}}`, nil, `keyword "minLength"`},
		"an enum without values":       {`{"type":"object","properties":{"a":{"type":"string","enum":[]},"b":{"enum":null}}}`, nil, `keyword "enum"`},
		"a description that is a list": {`{"type":"object","description":["a"],"properties":{"a":{"description":7,"title":null}}}`, nil, `keyword "description"`},
		"a schema that is a text":      {`{"type":"object","properties":{"a":"string","b":null,"c":true,"d":[]}}`, []string{`"a":{}`, `"b":{}`, `"c":{}`, `"d":{}`}, "what is no schema"},
		"a reference to nothing":       {`{"type":"object","properties":{"a":{"$ref":"#/definitions/None"}}}`, []string{`"a":{}`}, "a reference that cannot be told"},
		"a reference elsewhere":        {`{"type":"object","properties":{"a":{"$ref":"https://a.test/s.json"}}}`, []string{`"a":{}`}, "a reference that cannot be told"},
		"a reference to a property":    {`{"type":"object","properties":{"a":{"type":"string"},"b":{"$ref":"#/properties/a"}}}`, []string{`"b":{"type":"string"}`}, "a reference is replaced"},
		"references in a circle":       {`{"type":"object","properties":{"a":{"$ref":"#/properties/b"},"b":{"$ref":"#/properties/a"}}}`, nil, "a reference that cannot be told"},
		"a reference to a folded top":  {`{"type":"object","anyOf":[{"properties":{"more":{"$ref":"#"}}}]}`, nil, ""},
		"lists that are empty":         {`{"type":"object","properties":{"a":{"anyOf":[],"allOf":{}}}}`, []string{`"a":{}`}, `keyword "allOf"`},
	} {
		t.Run(name, func(t *testing.T) {
			if refusal(test.schema) == "" && !strings.Contains(test.schema, "$") {
				t.Errorf("no provider refuses %s", test.schema)
			}
			got, err := FitSchema(json.RawMessage(test.schema))
			if err != nil {
				t.Fatal(err)
			}
			told := string(got.Schema)
			if no := refusal(told); no != "" {
				t.Errorf("a provider refuses %s: %s", told, no)
			}
			for _, part := range test.want {
				if !strings.Contains(told, part) {
					t.Errorf("%s is missing in %s", part, told)
				}
			}
			if !strings.Contains(strings.Join(got.Changes, "\n"), test.says) {
				t.Errorf("the changes are %q, want %q", got.Changes, test.says)
			}
			if again, err := FitSchema(got.Schema); err != nil || string(again.Schema) != told || again.Changes != nil {
				t.Errorf("again it is %s, %q, %v", again.Schema, again.Changes, err)
			}
		})
	}
}

// TestFitLeavesAlone checks that a schema that fits stays as it is, byte by byte.
func TestFitLeavesAlone(t *testing.T) {
	for _, schema := range []string{
		`{"type":"object","properties":{}}`,
		`{ "type" : "object", "properties" : { "z" : { "type":"string" }, "a":{"type":"integer","minimum":1e2} }, "required":["z"], "additionalProperties":false }`,
		`{"type":"object","properties":{"a":{"$ref":"#/$defs/d"},"b":{"type":["string","null"]}},"$defs":{"d":{"type":"array","items":{"$ref":"#/$defs/d"}}}}`,
		`{"type":"object","properties":{"a.b-c_D9":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null,"x-own":1}},"$schema":"http://json-schema.org/draft-07/schema#"}`,
	} {
		if got, err := FitSchema(json.RawMessage(schema)); err != nil || string(got.Schema) != schema || got.Changes != nil {
			t.Errorf("%s: got %s, %q, %v", schema, got.Schema, got.Changes, err)
		}
	}
	if got, err := FitSchema(nil); err != nil || string(got.Schema) != string(emptySchema) {
		t.Errorf("no schema: got %s, %v", got.Schema, err)
	}
}

// TestFitRefuses checks which schemas cannot be told at all.
func TestFitRefuses(t *testing.T) {
	for schema, want := range map[string]error{
		`null`: errFitObject, `[]`: errFitObject, `true`: errFitObject, `{`: errFitObject, `{"type":"string"}`: errFitObject, `{"type":["string","null"]}`: errFitObject,
		`{"$ref":"#/$defs/a","$defs":{"a":{"type":"array"}}}`:                                         errFitObject,
		strings.Repeat(`{"type":"object","properties":{"a":`, 100) + `{}` + strings.Repeat(`}}`, 100): errFitDepth,
	} {
		if got, err := FitSchema(json.RawMessage(schema)); err != want {
			t.Errorf("%.60s: got %s, %v, want %v", schema, got.Schema, err, want)
		}
	}
}

// TestRenames checks that a call comes to its tool under the tool's own names, and is told again under those that the
// model knows.
func TestRenames(t *testing.T) {
	fitted, err := FitSchema(json.RawMessage(`{"type":"object","properties":{"filter[status]":{},"in":{"type":"array","items":{"type":"object","properties":{"x y":{}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	const told, own = `{"filter_status":"a","in":[{"x_y":12345678901234567890,"z":1}]}`, `{"filter[status]":"a","in":[{"x y":12345678901234567890,"z":1}]}`
	if got := string(fitted.Own(json.RawMessage(told))); got != own {
		t.Errorf("got %s", got)
	}
	if got := string(fitted.Told(json.RawMessage(own))); got != told {
		t.Errorf("got %s", got)
	}
	for _, odd := range []string{`{"filter_status":`, `"filter_status"`, `null`, ``} {
		if got := string(fitted.Own(json.RawMessage(odd))); got != odd {
			t.Errorf("%s: got %s", odd, got)
		}
	}
}

// TestFitsRequest checks that a request keeps what fits, tells what was mended, leaves out what cannot be told, and has
// its own list of tools.
func TestFitsRequest(t *testing.T) {
	tx := durable.NewTx(0, nil, nil)
	tools := []Tool{{Name: "a"}, {Name: "b", Schema: json.RawMessage(`{"type":"object","properties":{}}`)}, {Name: "c", Schema: json.RawMessage(`{"type":"string"}`)}, {Name: "d", Schema: json.RawMessage(`{"type":"object","properties":{"x y":{}}}`)}}
	call := ToolCall{ID: "1", Name: "d", Input: json.RawMessage(`{"x y":1}`)}
	messages := []Message{{Role: Assistant, Content: []Content{Text{"t"}, call}}}
	var f Fits
	for range 2 {
		r := Request{Tools: slices.Clone(tools), Messages: messages}
		renames := f.Request(tx, &r)
		if len(r.Tools) != 3 || string(r.Tools[2].Schema) != `{"properties":{"x_y":{}},"type":"object"}` || string(tools[3].Schema) != `{"type":"object","properties":{"x y":{}}}` {
			t.Fatalf("got %+v", r.Tools)
		}
		if got := r.Messages[0].Content[1].(ToolCall); string(got.Input) != `{"x_y":1}` || string(messages[0].Content[1].(ToolCall).Input) != `{"x y":1}` {
			t.Errorf("got %s", got.Input)
		}
		deltas := []Delta{TextDelta{"t"}, ToolCall{Name: "d", Input: json.RawMessage(`{"x_y":2}`)}, ToolCall{Name: "b", Input: json.RawMessage(`{"x_y":2}`)}}
		renames.Own(deltas)
		if d, b := string(deltas[1].(ToolCall).Input), string(deltas[2].(ToolCall).Input); d != `{"x y":2}` || b != `{"x_y":2}` {
			t.Errorf("got %s and %s", d, b)
		}
	}
	if len(tx.Commands()) != 1 {
		t.Errorf("the log is told %d times", len(tx.Commands()))
	}
	r := Request{Tools: tools[:2], Messages: messages}
	if renames := f.Request(tx, &r); renames != nil || &r.Tools[0] != &tools[0] || &r.Messages[0] != &messages[0] {
		t.Error("a request that fits is copied")
	}
}

// FuzzFitSchema checks that whatever is told can be told again as it is.
func FuzzFitSchema(f *testing.F) {
	f.Add(`{"type":"object","anyOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"properties":{"x y":{"type":"array"}}}}}`)
	f.Fuzz(func(t *testing.T, schema string) {
		got, err := FitSchema(json.RawMessage(schema))
		if err != nil {
			return
		}
		if again, err := FitSchema(got.Schema); err != nil || again.Changes != nil {
			t.Fatalf("%s: told is %s, then %s, %q, %v", schema, got.Schema, again.Schema, again.Changes, err)
		}
	})
}
