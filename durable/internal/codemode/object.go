package codemode

import (
	"encoding/json"
	"slices"
	"strings"
)

// object returns the type of an object: its properties in the order of the schema, and what other
// fields it has.
func (w *typeWriter) object(s schema) string {
	required := requiredOf(s)
	var b strings.Builder
	left := 0
	for quotedName, value := range members(s["properties"]) {
		name := unquoted(quotedName)
		if quotedName == nil {
			break // a list
		}
		if w.rest <= 0 || len(name) > maxProperty {
			left++
			continue
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		rest := w.rest
		property := w.property(name, value, slices.Contains(required, name))
		w.rest = min(w.rest, rest-len(property))
		b.WriteString(property)
	}
	fields := "{ " + b.String() + " }"
	if left > 0 {
		fields = "{ " + b.String() + " /* and " + grouped(left) + " more */ }"
	}
	switch others := w.others(s); {
	case others != "" && b.Len() == 0 && left == 0:
		return others
	case others != "" && others != "Record<string, unknown>":
		return fields + " & " + others
	case b.Len() == 0 && left == 0:
		return "{}"
	}
	return fields
}

// property returns one property of an object, with its description.
func (w *typeWriter) property(name string, raw json.RawMessage, required bool) string {
	mark := "?: "
	if required {
		mark = ": "
	}
	key := name
	if identifier(name) != name && !slices.Contains(reserved, name) {
		key = string(quoted(name))
	}
	t := w.typeOf(raw)
	if w.read(len(raw)) {
		if said := oneLine(unquoted(fieldsOf(raw)["description"]), w.detail.property); said != "" {
			t += " /* " + said + " */"
		}
	}
	return key + mark + t
}

// others returns the type of the fields that have no name in the schema, or "" if there are none.
func (w *typeWriter) others(s schema) string {
	var types []string
	for _, pattern := range members(s["patternProperties"]) {
		types = append(types, w.typeOf(pattern))
	}
	switch additional := s["additionalProperties"]; {
	case additional != nil && string(additional) != "false":
		types = append(types, w.typeOf(additional))
	case s["properties"] == nil && additional == nil && len(types) == 0:
		types = []string{unknown}
	}
	if len(types) == 0 {
		return ""
	}
	return "Record<string, " + union(types) + ">"
}

func requiredOf(s schema) (names []string) {
	for _, name := range members(s["required"]) {
		names = append(names, unquoted(name))
	}
	return names
}
