package run

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Fit checks an output against its JSON Schema.
func Fit(schema, output json.RawMessage) error { return fit("the output", schema, output) }

// FitInput checks the input of a tool against its JSON Schema.
func FitInput(schema, input json.RawMessage) error { return fit("the input", schema, input) }

// FitAnswer checks a person's answer to a question against its JSON Schema.
func FitAnswer(schema, answer json.RawMessage) error { return fit("the answer", schema, answer) }

// Schemas are schemas that outputs were checked against. They are kept, because resolving one takes
// longer than a check. The zero value has none.
type Schemas struct {
	// resolved are the schemas by their texts.
	resolved map[string]*jsonschema.Resolved
}

// How many schemas are kept, and how large one may be in bytes.
const (
	maxResolved      = 16
	maxResolvedBytes = 16 << 10
)

// Fit is [Fit], with schemas that are kept.
func (s *Schemas) Fit(schema, output json.RawMessage) error {
	r := s.resolved[string(schema)]
	if r == nil {
		var err error
		if r, err = resolve("the output", schema); err != nil {
			return err
		}
		s.keep(schema, r)
	}
	return validate("the output", r, output)
}

func (s *Schemas) keep(schema json.RawMessage, r *jsonschema.Resolved) {
	if len(schema) > maxResolvedBytes {
		return
	}
	if s.resolved == nil || len(s.resolved) == maxResolved {
		s.resolved = map[string]*jsonschema.Resolved{}
	}
	s.resolved[string(schema)] = r
}

func fit(what string, schema, data json.RawMessage) error {
	r, err := resolve(what, schema)
	if err != nil {
		return err
	}
	return validate(what, r, data)
}

func resolve(what string, schema json.RawMessage) (*jsonschema.Resolved, error) {
	var s jsonschema.Schema
	if err := json.Unmarshal(schema, &s); err != nil {
		return nil, fmt.Errorf("the schema of %s cannot be read: %w", what, err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("the schema of %s cannot be used: %w", what, err)
	}
	return r, nil
}

func validate(what string, r *jsonschema.Resolved, data json.RawMessage) error {
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return fmt.Errorf("%s cannot be read: %w", what, err)
	}
	if err := r.Validate(value); err != nil {
		return Unfit(what, err)
	}
	return nil
}

// Unfit says in words that a value does not fit its schema, by the error of package jsonschema. That names
// properties in the order of a map. They are sorted here, so that equal values have equal errors.
func Unfit(what string, err error) error {
	const list = "unexpected additional properties ["
	head, names, found := strings.Cut(err.Error(), list)
	if !found {
		return fmt.Errorf("%s does not fit its schema: %w", what, err)
	}
	var all []string
	for {
		name, err := strconv.QuotedPrefix(names)
		if err != nil {
			break
		}
		all = append(all, name)
		names = strings.TrimPrefix(names[len(name):], " ")
	}
	slices.Sort(all)
	return fmt.Errorf("%s does not fit its schema: %s%s%s%s", what, head, list, strings.Join(all, " "), names)
}
