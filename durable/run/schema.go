package run

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
)

// Fit checks an output against its JSON Schema.
func Fit(schema, output json.RawMessage) error { return fit("the output", schema, output) }

// FitInput checks the input of a tool against its JSON Schema.
func FitInput(schema, input json.RawMessage) error { return fit("the input", schema, input) }

// FitAnswer checks a person's answer to a question against its JSON Schema.
func FitAnswer(schema, answer json.RawMessage) error { return fit("the answer", schema, answer) }

func fit(what string, schema, data json.RawMessage) error {
	resolved, err := resolve(what, schema)
	if err != nil {
		return err
	}
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return fmt.Errorf("%s cannot be read: %w", what, err)
	}
	if err := resolved.Validate(value); err != nil {
		return fmt.Errorf("%s does not fit its schema: %w", what, err)
	}
	return nil
}

// Resolving a schema takes longer than a check, so those that were used are kept: so many at most, of
// so many bytes at most.
const (
	maxResolved      = 64
	maxResolvedBytes = 16 << 10
)

var (
	resolvedMu sync.Mutex
	// resolved are schemas by their texts.
	resolved = map[string]*jsonschema.Resolved{}
)

// resolve returns a schema that values can be checked against.
func resolve(what string, schema json.RawMessage) (*jsonschema.Resolved, error) {
	resolvedMu.Lock()
	defer resolvedMu.Unlock()
	if r := resolved[string(schema)]; r != nil {
		return r, nil
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(schema, &s); err != nil {
		return nil, fmt.Errorf("the schema of %s cannot be read: %w", what, err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		return nil, fmt.Errorf("the schema of %s cannot be used: %w", what, err)
	}
	if len(resolved) == maxResolved {
		clear(resolved)
	}
	if len(schema) <= maxResolvedBytes {
		resolved[string(schema)] = r
	}
	return r, nil
}
