package run

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"
)

// ErrNoJSON refuses an answer that should be JSON and is not.
var ErrNoJSON = errors.New("the answer is not JSON")

// ReadOutput extracts the JSON from a helper's answer: the whole answer, or the last fenced code
// block that is JSON, because models often add text around it.
func ReadOutput(answer string) (json.RawMessage, error) {
	blocks := strings.Split(answer, "```")
	candidates := []string{answer}
	for i := len(blocks)/2*2 - 1; i > 0; i -= 2 { // the odd ones stand between two fences
		candidates = append(candidates, strings.TrimLeftFunc(blocks[i], unicode.IsLetter))
	}
	for _, c := range candidates {
		if c = strings.TrimSpace(c); json.Valid([]byte(c)) {
			return json.RawMessage(c), nil
		}
	}
	return nil, ErrNoJSON
}

// Fit checks an output against its JSON Schema.
func Fit(schema, output json.RawMessage) error { return fit("the output", schema, output) }

// FitInput checks the input of a tool against its JSON Schema.
func FitInput(schema, input json.RawMessage) error { return fit("the input", schema, input) }

// FitAnswer checks a person's answer to a question against its JSON Schema.
func FitAnswer(schema, answer json.RawMessage) error { return fit("the answer", schema, answer) }

func fit(what string, schema, data json.RawMessage) error {
	var s jsonschema.Schema
	if err := json.Unmarshal(schema, &s); err != nil {
		return fmt.Errorf("the schema of %s cannot be read: %w", what, err)
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return fmt.Errorf("the schema of %s cannot be used: %w", what, err)
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

// Finish returns the outcome of a run whose helper has finished. If the answer must fit a schema
// and does not, the run has failed.
func Finish(r Run, result Result) (Status, Result) {
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
