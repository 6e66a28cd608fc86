package codemode

import (
	"encoding/json"
	"slices"
	"strings"
)

const (
	// typeDepth is how deep types within types are written. Deeper ones are unknown.
	typeDepth = 8
	// maxNodes is how many schemas one type is made of. References can repeat them without end.
	maxNodes = 500
	// maxWork is how many bytes of schemas are read for one text that the model is told: a description of all
	// tools, the result of a search, or help. A level of a schema is read once for each level around it, and again
	// for each reference to it. What is beyond it is unknown.
	maxWork = 1 << 20
	// maxSteps is how many steps a reference has.
	maxSteps = 16
	// maxTypes is how many types a schema lists. There are seven.
	maxTypes = 7
	// maxLiterals is how many values of an enumeration are written, and maxLiteral how many bytes of one.
	maxLiterals, maxLiteral = 40, 120
	// maxProperty is how many bytes the name of a property has. Others are left out.
	maxProperty = 128
	unknown     = "unknown"
)

// typeWriter writes JSON Schemas as types of TypeScript.
type typeWriter struct {
	detail
	// root is the schema in which references are looked up.
	root json.RawMessage
	// within are the references that are being written.
	within []string
	// places are the fields of the schemas that references lead through, by their JSON pointers.
	places map[string]schema
	// nodes, depth and rest bound what is written: the schemas so far, those around this one, and the
	// bytes that are left.
	nodes, depth, rest int
	// work is how many bytes of schemas may still be read, see [maxWork].
	work *int
}

// read takes bytes from the work that is left, and says whether there were as many.
func (w *typeWriter) read(n int) bool {
	enough := n <= *w.work
	*w.work -= min(n, *w.work)
	return enough
}

// schemaType returns the type of a whole schema.
func (w *typeWriter) schemaType(schema json.RawMessage) string {
	w.root, w.places, w.nodes = nil, nil, 0
	if !w.read(len(schema)) {
		return unknown
	}
	root, ok := compact(schema)
	if !ok {
		return unknown
	}
	w.root = root
	return w.typeOf(root)
}

// schema is the fields of a schema by their names.
type schema map[string]json.RawMessage

func fieldsOf(raw json.RawMessage) schema {
	s := schema{}
	if len(raw) == 0 || raw[0] != '{' {
		return s
	}
	for name, value := range members(raw) {
		s[unquoted(name)] = value
	}
	return s
}

// typeOf returns the type of a schema. What a schema says in several ways holds at once.
func (w *typeWriter) typeOf(raw json.RawMessage) string {
	w.nodes++
	if string(raw) == "false" {
		return "never"
	}
	if len(raw) == 0 || raw[0] != '{' || w.depth >= typeDepth || w.nodes > maxNodes || w.rest <= 0 || !w.read(len(raw)) {
		return unknown
	}
	w.depth++
	rest, s := w.rest, fieldsOf(raw)
	parts := []string{w.reference(unquoted(s["$ref"])), w.ownType(s)}
	for _, part := range members(s["allOf"]) {
		parts = append(parts, w.typeOf(part))
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		parts = append(parts, w.oneOf(s[key]))
	}
	t := intersection(parts)
	if string(s["nullable"]) == "true" {
		t = union([]string{t, "null"})
	}
	w.depth--
	w.rest = min(w.rest, rest-len(t))
	return t
}

// oneOf returns the union of the types of a list of schemas.
func (w *typeWriter) oneOf(list json.RawMessage) string {
	var types []string
	for _, part := range members(list) {
		types = append(types, w.typeOf(part))
	}
	return union(types)
}

// ownType returns what a schema says without the schemas that it is composed of.
func (w *typeWriter) ownType(s schema) string {
	switch {
	case s["const"] != nil:
		return literal(s["const"])
	case len(s["enum"]) > 0 && s["enum"][0] == '[':
		return w.enumeration(s["enum"])
	case len(s["type"]) > 0 && s["type"][0] == '[':
		var types []string
		for _, name := range members(s["type"]) {
			if len(types) < maxTypes {
				types = append(types, w.named(unquoted(name), s))
			}
		}
		return union(types)
	}
	return w.named(unquoted(s["type"]), s)
}

// named returns the type with a name of JSON Schema. A schema without one has that of its keywords.
func (w *typeWriter) named(name string, s schema) string {
	switch {
	case name == "string", name == "number", name == "boolean", name == "null":
		return name
	case name == "integer":
		return "number"
	case name == "array", name == "" && (s["items"] != nil || s["prefixItems"] != nil):
		return w.list(s)
	case name == "object", name == "" && (s["properties"] != nil || s["additionalProperties"] != nil && string(s["additionalProperties"]) != "false"):
		return w.object(s)
	}
	return unknown
}

// list returns the type of an array. items was a list in earlier versions of JSON Schema.
func (w *typeWriter) list(s schema) string {
	first, rest := s["prefixItems"], s["items"]
	if len(rest) > 0 && rest[0] == '[' {
		first, rest = rest, s["additionalItems"]
	}
	var types []string
	for _, part := range members(first) {
		if w.rest <= 0 {
			rest = json.RawMessage("true") // what is left may be anything
			break
		}
		types = append(types, w.typeOf(part))
	}
	if len(types) == 0 {
		return grouping(w.typeOf(rest)) + "[]"
	}
	if rest != nil && string(rest) != "false" {
		types = append(types, "..."+grouping(w.typeOf(rest))+"[]")
	}
	return "[" + strings.Join(types, ", ") + "]"
}

// reference returns the type of the schema that a reference names. A type that contains itself is
// unknown there.
func (w *typeWriter) reference(ref string) string {
	if ref == "" || slices.Contains(w.within, ref) {
		return unknown
	}
	target := w.lookUp(ref)
	if target == nil {
		return unknown
	}
	w.within = append(w.within, ref)
	defer func() { w.within = w.within[:len(w.within)-1] }()
	return w.typeOf(target)
}

// lookUp returns the schema at a JSON pointer: #/$defs/Name.
func (w *typeWriter) lookUp(ref string) json.RawMessage {
	pointer, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	target, at := w.root, 0
	for steps := 0; at < len(pointer) && target != nil; steps++ {
		if steps == maxSteps {
			return nil
		}
		fields := w.fieldsAt(pointer[:at], target)
		step, _, _ := strings.Cut(strings.TrimPrefix(pointer[at:], "/"), "/")
		at = min(at+len("/")+len(step), len(pointer))
		target = fields[strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")]
	}
	return target
}

// fieldsAt returns the fields of the schema at a JSON pointer. It reads each schema once.
func (w *typeWriter) fieldsAt(pointer string, raw json.RawMessage) schema {
	fields, known := w.places[pointer]
	if !known && w.read(len(raw)) {
		fields = fieldsOf(raw)
		if w.places == nil {
			w.places = map[string]schema{}
		}
		w.places[pointer] = fields
	}
	return fields
}

// enumeration returns the union of some values.
func (w *typeWriter) enumeration(list json.RawMessage) string {
	var types []string
	n, size := 0, 0
	for _, value := range members(list) {
		if n++; len(types) < maxLiterals && size < w.rest {
			types = append(types, literal(value))
			size += len(types[len(types)-1])
		}
	}
	t := union(types)
	if n > len(types) {
		t += " /* and " + grouped(n-len(types)) + " more */"
	}
	return t
}

// literal returns the type that has one value.
func literal(value json.RawMessage) string {
	switch {
	case len(value) <= maxLiteral:
		return strings.ReplaceAll(string(value), "*/", "* /")
	case value[0] == '"':
		return "string"
	}
	return unknown
}

// union returns the type that is one of some. One that may be anything makes all of it so.
func union(types []string) string {
	var distinct []string
	for _, t := range types {
		if t == unknown {
			return unknown
		}
		if t != "never" && !slices.Contains(distinct, t) {
			distinct = append(distinct, t)
		}
	}
	switch {
	case len(types) == 0:
		return unknown
	case len(distinct) == 0:
		return "never"
	}
	return strings.Join(distinct, " | ")
}

// intersection returns the type that is all of some.
func intersection(types []string) string {
	var distinct []string
	for _, t := range types {
		if t != unknown && !slices.Contains(distinct, t) {
			distinct = append(distinct, t)
		}
	}
	switch len(distinct) {
	case 0:
		return unknown
	case 1:
		return distinct[0]
	}
	for i, t := range distinct {
		distinct[i] = grouping(t)
	}
	return strings.Join(distinct, " & ")
}

// grouping puts brackets around a union or an intersection.
func grouping(t string) string {
	depth := 0
	for at := 0; at < len(t); at++ {
		switch t[at] {
		case '"':
			at += stringLen([]byte(t[at:])) - 1
		case '{', '[', '(', '<':
			depth++
		case '}', ']', ')', '>':
			depth--
		case '|', '&':
			if depth == 0 {
				return "(" + t + ")"
			}
		}
	}
	return t
}
