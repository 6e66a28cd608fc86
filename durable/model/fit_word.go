package model

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// This file makes each keyword of a schema one of draft 2020-12. A keyword whose value is none of it is left out: it
// restricts less than the tool does, which checks its input itself.

// schema makes a schema fit that is inside another one.
func (f *fitting) schema(value any, depth int) (any, error) {
	switch v := value.(type) {
	case map[string]any:
		return f.object(v, depth)
	case bool:
		f.note("")
		if !v {
			return map[string]any{"not": map[string]any{}}, nil
		}
	default:
		f.note("what is no schema is left out")
	}
	return map[string]any{}, nil
}

// object makes a schema fit that is an object.
func (f *fitting) object(s map[string]any, depth int) (map[string]any, error) {
	if depth > maxFitDepth {
		return nil, errFitDepth
	}
	if !f.spend(1 + len(s)) {
		return nil, errFitSteps
	}
	out := make(map[string]any, len(s)+1)
	for _, word := range slices.Sorted(maps.Keys(s)) {
		value, ok, err := f.word(word, s[word], depth)
		if err != nil {
			return nil, err
		}
		if ok {
			out[word] = value
		} else {
			f.note("a keyword " + short(word) + " is left out, whose value is none of it")
		}
	}
	if err := f.refer(out, depth); err != nil {
		return nil, err
	}
	f.bounds(out)
	f.complete(out)
	return out, nil
}

// word makes the value of a keyword fit. It is false for a value that is none of the keyword.
func (f *fitting) word(word string, value any, depth int) (fitted any, ok bool, err error) {
	switch word {
	case "type":
		fitted, ok = f.kind(value)
		return fitted, ok, nil
	case "properties":
		fitted, err = f.properties(value, depth)
		return fitted, true, err
	case "patternProperties", "$defs", "definitions", "dependentSchemas":
		return f.named(value, depth)
	case "items":
		fitted, err = f.items(value, depth)
		return fitted, true, err
	case "anyOf", "oneOf", "allOf", "prefixItems":
		return f.listed(value, depth)
	case "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "not", "if", "then", "else", "contains", "propertyNames":
		if _, is := value.(bool); is {
			return value, true, nil
		}
		if _, is := value.(map[string]any); !is {
			return nil, false, nil
		}
		fitted, err = f.schema(value, depth+1)
		return fitted, true, err
	}
	f.spendOn(value)
	return value, isWord(word, value), nil
}

// isWord says whether a value is one of a keyword that has no schemas.
func isWord(word string, value any) bool {
	switch word {
	case "enum":
		list, ok := value.([]any)
		return ok && len(list) > 0
	case "required":
		list, ok := value.([]any)
		return ok && len(texts(value)) == len(list)
	case "examples":
		_, ok := value.([]any)
		return ok
	case "minimum", "maximum", "multipleOf":
		_, ok := value.(json.Number)
		return ok
	case "exclusiveMinimum", "exclusiveMaximum":
		_, flag := value.(bool) // of draft 4, see bounds
		_, ok := value.(json.Number)
		return ok || flag
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains":
		n, _ := value.(json.Number)
		_, err := strconv.ParseUint(string(n), 10, 63)
		return err == nil
	case "uniqueItems", "deprecated", "readOnly", "writeOnly":
		_, ok := value.(bool)
		return ok
	case "title", "description", "format", "pattern", "$schema", "$id", "$anchor", "$comment", "$ref", "$dynamicRef":
		_, ok := value.(string)
		return ok
	}
	return true
}

// kindOf returns the type of a schema that a name means: its own, or what some servers write for it.
func kindOf(name string) string {
	switch name = strings.ToLower(name); name {
	case "object", "array", "string", "number", "integer", "boolean", "null":
		return name
	case "dict", "map":
		return "object"
	case "list", "tuple":
		return "array"
	case "str", "text":
		return "string"
	case "float", "double":
		return "number"
	case "int", "long":
		return "integer"
	case "bool":
		return "boolean"
	case "none":
		return "null"
	}
	return ""
}

// kind makes a type fit.
func (f *fitting) kind(value any) (any, bool) {
	if name, ok := value.(string); ok {
		kind := kindOf(name)
		if kind != name && kind != "" {
			f.note("the type " + short(name) + " is told as " + kind)
		}
		return kind, kind != ""
	}
	list, ok := value.([]any)
	var out []any
	for _, item := range list {
		if one, ok := f.kind(item); ok && !slices.Contains(out, one) {
			out = append(out, one)
		}
	}
	if len(out) != len(list) {
		f.note("an unknown type is left out")
	}
	return out, ok && len(out) > 0
}

// properties makes properties fit, and their names.
func (f *fitting) properties(value any, depth int) (any, error) {
	list, ok := value.(map[string]any)
	if !ok { // PHP writes an empty list for an empty object
		f.note("properties that are no object are left out")
	}
	out := make(map[string]any, len(list))
	for _, name := range slices.Sorted(maps.Keys(list)) {
		fitted, err := f.schema(list[name], depth+1)
		if err != nil {
			return nil, err
		}
		out[f.name(name)] = fitted
	}
	return out, nil
}

// maxPropertyName bounds the name of a property that is told, in bytes.
const maxPropertyName = 64

// name returns the name under which a property is told.
func (f *fitting) name(name string) string {
	if told, has := f.told[name]; has {
		return told
	}
	bad := func(c rune) bool {
		return !(c == '_' || c == '.' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z')
	}
	if name != "" && len(name) <= maxPropertyName && !strings.ContainsFunc(name, bad) {
		return name
	}
	base := strings.Trim(strings.Map(func(c rune) rune {
		if bad(c) {
			return '_'
		}
		return c
	}, name), "_")
	base = strings.TrimRight(base[:min(len(base), maxPropertyName-4)], "_")
	if base == "" {
		base = "property"
	}
	told := base
	for n := 2; f.taken[told] && f.spend(1); n++ {
		told = base + "_" + strconv.Itoa(n)
	}
	f.taken[told] = true
	if f.told == nil {
		f.told = map[string]string{}
	}
	f.told[name] = told
	f.note("the property " + short(name) + " is told as " + told)
	return told
}

// named makes schemas fit that have names of their own.
func (f *fitting) named(value any, depth int) (any, bool, error) {
	list, ok := value.(map[string]any)
	if !ok {
		return nil, false, nil
	}
	out := make(map[string]any, len(list))
	for _, name := range slices.Sorted(maps.Keys(list)) {
		fitted, err := f.schema(list[name], depth+1)
		if err != nil {
			return nil, false, err
		}
		out[name] = fitted
	}
	return out, true, nil
}

// listed makes a list of schemas fit.
func (f *fitting) listed(value any, depth int) (any, bool, error) {
	list, ok := value.([]any)
	if !ok || len(list) == 0 {
		return nil, false, nil
	}
	out := make([]any, 0, len(list))
	for _, item := range list {
		fitted, err := f.schema(item, depth+1)
		if err != nil {
			return nil, false, err
		}
		out = append(out, fitted)
	}
	return out, true, nil
}

// items makes the items of an array fit. Earlier drafts have a list of them, one for each place.
func (f *fitting) items(value any, depth int) (any, error) {
	list, ok := value.([]any)
	if !ok {
		return f.schema(value, depth+1)
	}
	f.note("items by their places are told as items that may be any of them")
	switch len(list) {
	case 0:
		return map[string]any{}, nil
	case 1:
		return f.schema(list[0], depth+1)
	}
	fitted, _, err := f.listed(value, depth)
	return map[string]any{"anyOf": fitted}, err
}

// refer makes a reference fit: one to a definition at the top stays, any other one is replaced by what it leads to, as
// far as that does not refer to itself.
func (f *fitting) refer(s map[string]any, depth int) error {
	ref, ok := s["$ref"].(string)
	if !ok {
		return nil
	}
	to, found := f.find(ref).(map[string]any)
	at := strings.Split(ref, "/")
	defined := len(at) == 3 && (at[1] == "$defs" || at[1] == "definitions")
	if found && (defined || ref == "#" && !f.folded) {
		return nil
	}
	delete(s, "$ref")
	if !found || slices.Contains(f.inlined, ref) || len(f.inlined) >= maxFolds {
		f.note("a reference that cannot be told is left out")
		return nil
	}
	f.note("a reference is replaced by what it leads to")
	f.inlined = append(f.inlined, ref)
	defer func() { f.inlined = f.inlined[:len(f.inlined)-1] }()
	fitted, err := f.object(to, depth+1)
	for word, value := range fitted {
		if _, has := s[word]; !has {
			s[word] = value
		}
	}
	return err
}

// bounds replaces the flags of draft 4 that say that a bound is none of the values.
func (f *fitting) bounds(s map[string]any) {
	for flag, bound := range map[string]string{"exclusiveMinimum": "minimum", "exclusiveMaximum": "maximum"} {
		exclusive, ok := s[flag].(bool)
		if !ok {
			continue
		}
		f.note("")
		delete(s, flag)
		if value, has := s[bound]; has && exclusive {
			s[flag] = value
			delete(s, bound)
		}
	}
}

// complete adds what providers demand.
func (f *fitting) complete(s map[string]any) {
	properties, _ := s["properties"].(map[string]any)
	if properties == nil && has(s["type"], "object") {
		properties = map[string]any{}
		s["properties"] = properties
		f.note("properties are added to an object without any")
	}
	if _, said := s["items"]; !said && has(s["type"], "array") {
		s["items"] = map[string]any{}
		f.note("items are added to an array without any")
	}
	if properties == nil {
		return
	}
	names := texts(s["required"])
	var list []any
	seen := map[string]bool{}
	for _, name := range names {
		told := f.name(name)
		if !seen[told] {
			seen[told] = true
			list = append(list, told)
		}
		if _, described := properties[told]; !described {
			properties[told] = map[string]any{}
			f.note("the property " + short(name) + " is added, which is required")
		}
	}
	if names != nil {
		if s["required"] = list; len(list) != len(names) {
			f.note("")
		}
	}
}

// has says whether a type is, or may be, one.
func has(kind any, want string) bool {
	list, _ := kind.([]any)
	return kind == any(want) || slices.Contains(list, any(want))
}

// short returns a name as it is shown in words.
func short(name string) string {
	if len(name) > maxPropertyName {
		name = name[:maxPropertyName] + "…"
	}
	return strconv.Quote(strings.ToValidUTF8(name, ""))
}
