// Package sample draws random JSON that fits a JSON Schema, as a model gives it to a tool.
package sample

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/tributary-agents/tributary/durable/durabletest/sim/dice"
)

// Schema is a JSON Schema to draw values of.
type Schema struct {
	root     *jsonschema.Schema
	resolved *jsonschema.Resolved
}

// Parse reads a schema.
func Parse(text json.RawMessage) (Schema, error) {
	s := Schema{root: &jsonschema.Schema{}}
	if err := json.Unmarshal(text, s.root); err != nil {
		return s, fmt.Errorf("sample: schema: %w", err)
	}
	resolved, err := s.root.Resolve(nil)
	if err != nil {
		return s, fmt.Errorf("sample: schema: %w", err)
	}
	s.resolved = resolved
	return s, nil
}

// tries is how often a value is drawn until one fits: a few keywords, such as "not", are only
// checked.
const tries = 50

// errNone says that no value was found. A schema such as {"not": {}} has none.
var errNone = errors.New("sample: no value fits the schema")

// Draw returns a value that fits the schema, as JSON.
func (s Schema) Draw(d dice.Dice) (json.RawMessage, error) {
	for range tries {
		body, err := json.Marshal(drawer{d, s.root}.value(s.root, 0))
		if err != nil {
			return nil, fmt.Errorf("sample: %w", err)
		}
		var loose any
		if json.Unmarshal(body, &loose) == nil && s.resolved.Validate(loose) == nil {
			return body, nil
		}
	}
	return nil, errNone
}

// drawer draws one value.
type drawer struct {
	dice.Dice
	root *jsonschema.Schema
}

// deepest is the depth from which only what is required is drawn.
const deepest = 3

func (d drawer) value(s *jsonschema.Schema, depth int) any {
	if s == nil {
		return d.text(s)
	}
	s = d.whole(s, depth)
	switch {
	case s.Const != nil:
		return *s.Const
	case len(s.Enum) > 0:
		return s.Enum[d.Under(len(s.Enum))]
	case len(s.Examples) > 0 && d.Chance(4):
		return s.Examples[d.Under(len(s.Examples))]
	}
	switch d.kind(s) {
	case "object":
		return d.object(s, depth)
	case "array":
		return d.array(s, depth)
	case "integer":
		return int64(d.number(s, 1))
	case "number":
		return d.number(s, 0.25)
	case "boolean":
		return d.Chance(2)
	case "null":
		return nil
	}
	return d.text(s)
}

// kind chooses the type of a value.
func (d drawer) kind(s *jsonschema.Schema) string {
	switch {
	case s.Type != "":
		return s.Type
	case len(s.Types) > 0:
		return s.Types[d.Under(len(s.Types))]
	case s.Properties != nil || s.Required != nil:
		return "object"
	case s.Items != nil || s.PrefixItems != nil:
		return "array"
	case s.Minimum != nil || s.Maximum != nil || s.MultipleOf != nil:
		return "number"
	}
	return "string"
}

// whole returns a schema with what it refers to, with all of allOf, and with one of anyOf and of
// oneOf.
func (d drawer) whole(s *jsonschema.Schema, depth int) *jsonschema.Schema {
	parts := slices.Clone(s.AllOf)
	for _, some := range [][]*jsonschema.Schema{s.AnyOf, s.OneOf} {
		if len(some) > 0 {
			parts = append(parts, d.one(some, depth))
		}
	}
	if to := d.target(s.Ref); to != nil {
		parts = append(parts, to)
	}
	if len(parts) == 0 || depth > 20 {
		return s
	}
	all := *s
	all.Properties = maps.Clone(s.Properties)
	for _, p := range parts {
		all = merged(all, d.whole(p, depth+1))
	}
	return &all
}

// one chooses one of several schemas. Deep down it is the first that refers to nothing, so that a
// schema that refers to itself comes to an end.
func (d drawer) one(some []*jsonschema.Schema, depth int) *jsonschema.Schema {
	if i := slices.IndexFunc(some, func(s *jsonschema.Schema) bool { return s.Ref == "" }); depth > deepest && i >= 0 {
		return some[i]
	}
	return some[d.Under(len(some))]
}

// target returns what a reference within the schema refers to, or nil.
func (d drawer) target(ref string) *jsonschema.Schema {
	if ref == "#" {
		return d.root
	}
	for prefix, defs := range map[string]map[string]*jsonschema.Schema{"#/$defs/": d.root.Defs, "#/definitions/": d.root.Definitions} {
		if name, ok := strings.CutPrefix(ref, prefix); ok {
			return defs[name]
		}
	}
	return nil
}

// merged adds the keywords of a schema that another one does not have.
func merged(s jsonschema.Schema, more *jsonschema.Schema) jsonschema.Schema {
	if s.Type == "" && len(s.Types) == 0 {
		s.Type, s.Types = more.Type, more.Types
	}
	for name, p := range more.Properties {
		if s.Properties == nil {
			s.Properties = map[string]*jsonschema.Schema{}
		}
		if s.Properties[name] == nil {
			s.Properties[name] = p
		}
	}
	s.Required = slices.Concat(s.Required, more.Required)
	if s.Enum == nil {
		s.Enum = more.Enum
	}
	if s.Const == nil {
		s.Const = more.Const
	}
	if s.Items == nil {
		s.Items = more.Items
	}
	if s.AdditionalProperties == nil {
		s.AdditionalProperties = more.AdditionalProperties
	}
	for _, p := range []struct{ have, more **float64 }{
		{&s.Minimum, &more.Minimum},
		{&s.Maximum, &more.Maximum},
		{&s.MultipleOf, &more.MultipleOf},
		{&s.ExclusiveMinimum, &more.ExclusiveMinimum},
		{&s.ExclusiveMaximum, &more.ExclusiveMaximum},
	} {
		if *p.have == nil {
			*p.have = *p.more
		}
	}
	for _, p := range []struct{ have, more **int }{
		{&s.MinLength, &more.MinLength}, {&s.MaxLength, &more.MaxLength}, {&s.MinItems, &more.MinItems}, {&s.MaxItems, &more.MaxItems},
	} {
		if *p.have == nil {
			*p.have = *p.more
		}
	}
	if s.Pattern == "" {
		s.Pattern = more.Pattern
	}
	if s.Format == "" {
		s.Format = more.Format
	}
	return s
}

func (d drawer) object(s *jsonschema.Schema, depth int) map[string]any {
	object := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if slices.Contains(s.Required, name) || depth < deepest && d.Chance(2) {
			object[name] = d.value(s.Properties[name], depth+1)
		}
	}
	for _, name := range s.Required { // of which nothing more is said
		if _, have := object[name]; !have {
			object[name] = d.value(s.AdditionalProperties, depth+1)
		}
	}
	if more := s.AdditionalProperties; more != nil && more.Not == nil && depth < deepest {
		for range d.Under(3) {
			object[d.Word()] = d.value(more, depth+1)
		}
	}
	if s.MinProperties != nil {
		for len(object) < *s.MinProperties {
			object[d.Word()] = d.value(s.AdditionalProperties, depth+1)
		}
	}
	return object
}

func (d drawer) array(s *jsonschema.Schema, depth int) []any {
	array := []any{}
	for _, p := range s.PrefixItems {
		array = append(array, d.value(p, depth+1))
	}
	least, most := 0, 3
	if s.MinItems != nil {
		least = *s.MinItems
	}
	if s.MaxItems != nil {
		most = *s.MaxItems
	}
	if depth >= deepest {
		most = least
	}
	for n := least + d.Under(max(min(most, least+3)-least, 0)+1); len(array) < n; {
		array = append(array, d.value(s.Items, depth+1))
	}
	return array
}

// number returns a multiple of a step, mostly a small one.
func (d drawer) number(s *jsonschema.Schema, step float64) float64 {
	if s.MultipleOf != nil {
		step = *s.MultipleOf
	}
	least, most := -2.0, 12.0
	if d.Chance(8) {
		least, most = -1e6, 1e6
	}
	switch {
	case s.Minimum != nil:
		least = *s.Minimum
	case s.ExclusiveMinimum != nil:
		least = *s.ExclusiveMinimum + step
	}
	switch {
	case s.Maximum != nil:
		most = *s.Maximum
	case s.ExclusiveMaximum != nil:
		most = *s.ExclusiveMaximum - step
	}
	if s.Maximum == nil && s.ExclusiveMaximum == nil {
		most = max(most, least+12)
	} else if s.Minimum == nil && s.ExclusiveMinimum == nil {
		least = min(least, most-12)
	}
	first := math.Ceil(least/step) * step
	steps := math.Min(math.Max(math.Floor((most-first)/step), 0), 1e9)
	return first + step*float64(d.Under(int(steps)+1))
}
