package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// This file makes the schemas of tools fit for every provider. A provider refuses the whole request for one schema that
// it does not take, so one tool of a server would end every turn. What providers demand is
//
//	of OpenAI    an object at the top with properties, and none of anyOf, oneOf, allOf, not and enum there;
//	             items of every array
//	of Anthropic no anyOf, oneOf and allOf at the top; names of properties in letters, digits, _, . and -, at most 64;
//	             a valid schema of draft 2020-12
//	of both      references that lead somewhere within the schema
//
// Alternatives at the top are folded into one object with the properties of all, a name that is not taken is replaced by
// one that is, what is missing is added, and a keyword that is none is left out. The tool still gets its input by its
// own names, and still checks it: the schema that the model is told only has to tell it enough.

// Fitted is the schema of a tool's input in a form that every provider takes.
type Fitted struct {
	Schema json.RawMessage
	// Changes says in words what is not as the tool has it, each once. It is nil if nothing is.
	Changes []string

	// told are the names of properties by those of the tool, and own the other way round. Both have only names that differ.
	told, own map[string]string
}

// Limits of a schema that is made fit: how deep it is, its size in bytes, and how much work it takes. A step is a keyword,
// a value or a name that is read, or [fitStepBytes] bytes of one: references and alternatives can have each of them read
// again and again.
const (
	maxFitDepth  = 64
	maxFitBytes  = 128 << 10
	maxFitSteps  = 20_000
	fitStepBytes = 64
)

// The errors of [FitSchema]. A tool with such a schema is left out.
var (
	errFitObject = errors.New("the schema of its input is not that of an object")
	errFitDepth  = errors.New("the schema of its input is nested too deep")
	errFitSize   = errors.New("the schema of its input is too large")
	errFitSteps  = errors.New("the schema of its input takes too much work to be told")
)

// FitSchema makes the schema of a tool's input fit for every provider. An empty schema is that of a tool without input. A
// schema that fits already is returned as it is. The error says why the tool cannot be told to a model.
func FitSchema(schema json.RawMessage) (Fitted, error) {
	if len(schema) == 0 {
		return Fitted{Schema: emptySchema}, nil
	}
	root, err := readObject(schema)
	if err != nil {
		return Fitted{}, err
	}
	f := &fitting{root: root, taken: map[string]bool{}, steps: maxFitSteps}
	f.collect(root, 0)
	fitted, err := f.top()
	if f.steps <= 0 {
		err = errFitSteps
	}
	if err != nil {
		return Fitted{}, err
	}
	if !f.changed {
		return Fitted{Schema: schema}, nil
	}
	data, err := json.Marshal(fitted)
	if err == nil && len(data) > max(maxFitBytes, len(schema)) {
		err = errFitSize
	}
	if err != nil {
		return Fitted{}, err
	}
	out := Fitted{Schema: data, Changes: f.changes, told: f.told}
	for name, told := range f.told {
		if out.own == nil {
			out.own = map[string]string{}
		}
		out.own[told] = name
	}
	return out, nil
}

func readObject(data json.RawMessage) (map[string]any, error) {
	value, err := readValue(data)
	object, ok := value.(map[string]any)
	if err != nil || !ok {
		return nil, errFitObject
	}
	return object, nil
}

// readValue keeps numbers as they are written.
func readValue(data []byte) (value any, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	err = d.Decode(&value)
	return value, err
}

// Own returns an input of the model under the names of the tool.
func (f Fitted) Own(input json.RawMessage) json.RawMessage { return renamed(input, f.own) }

// Told returns an input under the names that the model is told.
func (f Fitted) Told(input json.RawMessage) json.RawMessage { return renamed(input, f.told) }

// renamed renames the fields of all objects of a value. What is no JSON stays as it is.
func renamed(input json.RawMessage, names map[string]string) json.RawMessage {
	if len(names) == 0 {
		return input
	}
	value, err := readValue(input)
	if err != nil {
		return input
	}
	data, err := json.Marshal(renameIn(value, names))
	if err != nil {
		return input
	}
	return data
}

func renameIn(value any, names map[string]string) any {
	switch v := value.(type) {
	case []any:
		for i := range v {
			v[i] = renameIn(v[i], names)
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, item := range v {
			if other, ok := names[name]; ok {
				name = other
			}
			out[name] = renameIn(item, names)
		}
		return out
	}
	return value
}

// fitting is a schema that is being made fit.
type fitting struct {
	root map[string]any
	// folded says that the top is not as it was, so that nothing refers to it. inlined are the references that are just
	// being replaced.
	folded  bool
	inlined []string
	changed bool
	changes []string
	told    map[string]string
	// steps is how many are left.
	steps int
	// taken are the names of properties of the schema, and those that were made.
	taken map[string]bool
}

// spend takes steps, and says whether any are left.
func (f *fitting) spend(n int) bool {
	f.steps -= n
	return f.steps > 0
}

// spendOn takes the steps of a value that stays as it is. References may have it told again and again.
func (f *fitting) spendOn(value any) {
	if !f.spend(1) {
		return
	}
	switch v := value.(type) {
	case string:
		f.spend(len(v) / fitStepBytes)
	case json.Number:
		f.spend(len(v) / fitStepBytes)
	case []any:
		for _, item := range v {
			f.spendOn(item)
		}
	case map[string]any:
		for name, item := range v {
			f.spend(len(name) / fitStepBytes)
			f.spendOn(item)
		}
	}
}

// note says what is changed, once.
func (f *fitting) note(change string) {
	f.changed = true
	if change != "" && !slices.Contains(f.changes, change) && len(f.changes) < maxChanges {
		f.changes = append(f.changes, change)
	}
}

// maxChanges bounds [Fitted.Changes].
const maxChanges = 16

// collect collects the names of all properties.
func (f *fitting) collect(value any, depth int) {
	if depth > maxFitDepth {
		return
	}
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			f.collect(item, depth+1)
		}
	case map[string]any:
		if properties, ok := v["properties"].(map[string]any); ok {
			for name := range properties {
				f.taken[name] = true
			}
		}
		for _, item := range v {
			f.collect(item, depth+1)
		}
	}
}

// top makes the schema itself fit.
func (f *fitting) top() (map[string]any, error) {
	top := f.resolved(f.root, 0)
	if !isObjectType(top["type"]) {
		return nil, errFitObject
	}
	if top["type"] != "object" {
		top["type"] = "object"
		f.note("the type object is added")
	}
	f.fold(top, 0)
	return f.object(top, 0)
}

// isObjectType says whether a type can be that of an object. A schema without one may be.
func isObjectType(kind any) bool {
	switch k := kind.(type) {
	case nil:
		return true
	case string:
		return k == "object"
	case []any:
		return slices.Contains(k, any("object"))
	}
	return false
}

// resolved returns a copy of a schema in place of which stands what its reference leads to.
func (f *fitting) resolved(schema map[string]any, depth int) map[string]any {
	if !f.spend(1 + len(schema)) {
		return map[string]any{}
	}
	schema = maps.Clone(schema)
	ref, ok := schema["$ref"].(string)
	if !ok {
		return schema
	}
	delete(schema, "$ref")
	f.note("a reference at the top is replaced by what it leads to")
	if to, ok := f.find(ref).(map[string]any); ok && depth < 8 {
		for word, value := range f.resolved(to, depth+1) {
			if _, has := schema[word]; !has {
				schema[word] = value
			}
		}
	}
	return schema
}

// find returns what a reference within the schema leads to, or nil.
func (f *fitting) find(ref string) any {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok || !f.spend(len(ref)/fitStepBytes) {
		return nil
	}
	var at any = f.root
	for i, part := range strings.Split(path, "/") {
		if i == 0 && part == "" {
			continue
		}
		switch part = pointed.Replace(part); v := at.(type) {
		case map[string]any:
			at = v[part]
		case []any:
			n, err := strconv.Atoi(part)
			if err != nil || n < 0 || n >= len(v) {
				return nil
			}
			at = v[n]
		default:
			return nil
		}
	}
	return at
}

// pointed undoes what a JSON Pointer in a URL does to names.
var pointed = strings.NewReplacer("%24", "$", "%25", "%", "%20", " ", "~1", "/", "~0", "~")
