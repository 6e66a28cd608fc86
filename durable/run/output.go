package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"
)

// ErrNoJSON refuses an answer that was to be JSON and is words.
var ErrNoJSON = errors.New("the answer is not JSON")

// ReadOutput takes the JSON out of a helper's answer: all of it, or the last fenced code
// block that is JSON, since models like to put some around it.
func ReadOutput(answer string) (json.RawMessage, error) {
	blocks := strings.Split(answer, "```")
	candidates := []string{answer}
	for i := len(blocks)/2*2 - 1; i > 0; i -= 2 { // every other one stands between two fences
		candidates = append(candidates, strings.TrimLeftFunc(blocks[i], unicode.IsLetter))
	}
	for _, c := range candidates {
		if c = strings.TrimSpace(c); json.Valid([]byte(c)) {
			return json.RawMessage(c), nil
		}
	}
	return nil, ErrNoJSON
}

// Fit holds an output to its JSON Schema.
func Fit(schema, output json.RawMessage) error {
	var s jsonschema.Schema
	if err := json.Unmarshal(schema, &s); err != nil {
		return fmt.Errorf("the schema of the output cannot be read: %w", err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return fmt.Errorf("the schema of the output cannot be used: %w", err)
	}
	var value any
	if err := json.Unmarshal(output, &value); err != nil {
		return fmt.Errorf("the output cannot be read: %w", err)
	}
	if err := resolved.Validate(value); err != nil {
		return fmt.Errorf("the output does not fit its schema: %w", err)
	}
	return nil
}

// Judge says what became of a run whose helper has finished: where its answer has to
// fit a schema and does not, the run has failed.
func Judge(r Run, result Result) (Status, Result) {
	if r.Schema == nil {
		return Completed, result
	}
	var err error
	if result.Output == nil {
		result.Output, err = ReadOutput(result.Summary)
	}
	if err == nil {
		err = Fit(r.Schema, result.Output)
	}
	if err != nil {
		return Failed, Result{Summary: result.Summary, Failure: err.Error(), Reason: InvalidOutput}
	}
	return Completed, result
}
