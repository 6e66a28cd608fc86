// Package infer answers one question: what JSON Schema has a Go type? The schemas are those that
// github.com/google/jsonschema-go infers, to the byte, which the test holds. The library itself would bring its validator
// and math/big into every module, a fifth of a megabyte.
package infer

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Schema is the schema of a type: a JSON Schema of 2020-12 with the keywords that types need.
type Schema struct {
	// Type is the name of a type, or a list of names. Without it a value may have any.
	Type any `json:"type,omitempty"`
	// Properties are those of an object, in the order of the fields.
	Properties *Properties `json:"properties,omitempty"`
	Items      *Schema     `json:"items,omitempty"`
	// Description is the text of a field's tag jsonschema.
	Description string `json:"description,omitempty"`
	Enum        []any  `json:"enum,omitempty"`
	// Minimum and Maximum are the bounds of a whole number.
	Minimum  *float64 `json:"minimum,omitempty"`
	Maximum  *float64 `json:"maximum,omitempty"`
	MinItems *int     `json:"minItems,omitempty"`
	MaxItems *int     `json:"maxItems,omitempty"`
	// Required are the properties that an object must have.
	Required []string `json:"required,omitempty"`
	// AdditionalProperties is the schema of the properties that have none of their own.
	AdditionalProperties *Schema `json:"additionalProperties,omitempty"`

	// never says that no value fits.
	never bool
}

// Properties are the properties of an object, in an order.
type Properties struct {
	names   []string
	schemas map[string]*Schema
}

// MarshalJSON writes the shortest schema that says the same.
func (s *Schema) MarshalJSON() ([]byte, error) {
	if s.never {
		return []byte("false"), nil
	}
	type plain Schema
	data, err := json.Marshal((*plain)(s))
	if string(data) == "{}" {
		return []byte("true"), nil
	}
	return data, err
}

// MarshalJSON writes an object with the properties in their order.
func (p *Properties) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, name := range p.names {
		if i > 0 {
			out = append(out, ',')
		}
		key, err1 := json.Marshal(name)
		value, err2 := json.Marshal(p.schemas[name])
		if err := errors.Join(err1, err2); err != nil {
			return nil, err
		}
		out = append(append(append(out, key...), ':'), value...)
	}
	return append(out, '}'), nil
}

// set gives a property its schema. The last field of a name decides, and its place.
func (p *Properties) set(name string, s *Schema) {
	p.names = append(slices.DeleteFunc(p.names, func(n string) bool { return n == name }), name)
	p.schemas[name] = s
}

// For returns the schema of a type. A pointer may be null as well, and so may a slice. A struct has the properties of its
// exported fields, by their tags json, and no others. A type that contains itself has no schema, and neither has a
// function, a channel or a complex number.
func For(t reflect.Type) (*Schema, error) {
	s, err := inference{}.of(t)
	if err != nil {
		return nil, fmt.Errorf("the type %s has no JSON Schema: %w", t, err)
	}
	return s, nil
}

// inference has the named types whose schemas are being made.
type inference map[reflect.Type]bool

func (in inference) of(t reflect.Type) (*Schema, error) {
	null := false
	for t.Kind() == reflect.Pointer {
		null, t = true, t.Elem()
	}
	if t.Name() != "" {
		if in[t] {
			return nil, fmt.Errorf("%s contains itself", t)
		}
		in[t] = true
		defer delete(in, t)
	}
	s, err := in.kind(t)
	if err != nil {
		return nil, err
	}
	if name, ok := s.Type.(string); ok && null {
		s.Type = []string{"null", name}
	}
	return s, nil
}

// isText says whether the values of a type of the standard library become a JSON text by a method.
func isText(t reflect.Type) bool {
	switch t.PkgPath() {
	case "math/big":
		return t.Name() == "Rat" || t.Name() == "Float" || t.Name() == "Int"
	case "log/slog":
		return t.Name() == "Level"
	}
	return t == reflect.TypeFor[time.Time]()
}

func (in inference) kind(t reflect.Type) (*Schema, error) {
	if isText(t) {
		return &Schema{Type: "string"}, nil
	}
	switch t.Kind() {
	case reflect.Bool:
		return &Schema{Type: "boolean"}, nil
	case reflect.String:
		return &Schema{Type: "string"}, nil
	case reflect.Float32, reflect.Float64:
		return &Schema{Type: "number"}, nil
	case reflect.Interface:
		return &Schema{}, nil
	case reflect.Map:
		return in.mapping(t)
	case reflect.Slice, reflect.Array:
		return in.list(t)
	case reflect.Struct:
		return in.object(t)
	}
	return whole(t)
}

// whole returns the schema of a type of whole numbers. 64 bits have no bounds but that of an unsigned number.
func whole(t reflect.Type) (*Schema, error) {
	number := func(bounds ...float64) (*Schema, error) {
		s := &Schema{Type: "integer"}
		if len(bounds) > 0 {
			s.Minimum = &bounds[0]
		}
		if len(bounds) > 1 {
			s.Maximum = &bounds[1]
		}
		return s, nil
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int64:
		return number()
	case reflect.Int8:
		return number(math.MinInt8, math.MaxInt8)
	case reflect.Int16:
		return number(math.MinInt16, math.MaxInt16)
	case reflect.Int32:
		return number(math.MinInt32, math.MaxInt32)
	case reflect.Uint, reflect.Uint64, reflect.Uintptr:
		return number(0)
	case reflect.Uint8:
		return number(0, math.MaxUint8)
	case reflect.Uint16:
		return number(0, math.MaxUint16)
	case reflect.Uint32:
		return number(0, math.MaxUint32)
	}
	return nil, fmt.Errorf("%s is no value of JSON", t)
}

func (in inference) mapping(t reflect.Type) (*Schema, error) {
	if t.Key().Kind() != reflect.String && !t.Key().Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return nil, fmt.Errorf("the keys of %s are no texts", t)
	}
	values, err := in.of(t.Elem())
	return &Schema{Type: "object", AdditionalProperties: values}, err
}

func (in inference) list(t reflect.Type) (*Schema, error) {
	items, err := in.of(t.Elem())
	if err != nil {
		return nil, err
	}
	if t.Kind() == reflect.Slice {
		return &Schema{Type: []string{"null", "array"}, Items: items}, nil
	}
	n := t.Len()
	return &Schema{Type: "array", Items: items, MinItems: &n, MaxItems: &n}, nil
}

func (in inference) object(t reflect.Type) (*Schema, error) {
	s := &Schema{Type: "object", AdditionalProperties: &Schema{never: true}}
	for _, field := range reflect.VisibleFields(t) {
		if s.Properties == nil {
			s.Properties = &Properties{schemas: map[string]*Schema{}}
		}
		if field.Anonymous {
			if isText(field.Type) {
				return nil, fmt.Errorf("%s embeds %s, which is no object", t, field.Type)
			}
			continue // its fields follow
		}
		name, optional, ok := named(field)
		if !ok {
			continue
		}
		property, err := in.of(field.Type)
		if err != nil {
			return nil, err
		}
		if property.Description, err = described(t, field); err != nil {
			return nil, err
		}
		if s.Properties.set(name, property); !optional {
			s.Required = append(s.Required, name)
		}
	}
	return s, nil
}

// named returns the name of a field in JSON, and whether it may be missing. ok is false for a field that JSON leaves out.
func named(field reflect.StructField) (name string, optional, ok bool) {
	tag := field.Tag.Get("json")
	if !field.IsExported() || tag == "-" {
		return "", false, false
	}
	name, rest, _ := strings.Cut(tag, ",")
	if name == "" {
		name = field.Name
	}
	options := strings.Split(rest, ",")
	return name, slices.Contains(options, "omitempty") || slices.Contains(options, "omitzero"), true
}

// described returns the text of a field's tag jsonschema. Texts that begin like WORD= are kept for later.
func described(t reflect.Type, field reflect.StructField) (string, error) {
	text, ok := field.Tag.Lookup("jsonschema")
	if !ok {
		return "", nil
	}
	word, _, assigns := strings.Cut(text, "=")
	switch {
	case text == "":
		return "", fmt.Errorf("the tag jsonschema of %s.%s is empty", t, field.Name)
	case assigns && !strings.ContainsAny(word, " \t\n"):
		return "", fmt.Errorf("the tag jsonschema of %s.%s begins with %s=: %q", t, field.Name, word, text)
	}
	return text, nil
}
