package run

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable/internal/validator"
)

// ErrSchema says that it is not known whether a value fits, because the schema cannot be used, or a check against it
// takes too long, see [validator.MaxSteps].
var ErrSchema = errors.New("the schema cannot be used")

// unusable is an error that is an [ErrSchema].
type unusable struct{ error }

// Is implements the method for [errors.Is].
func (unusable) Is(target error) bool { return target == ErrSchema }

// Fit checks an output against its JSON Schema. Both may come from anybody. The error is an [ErrSchema] if it is the
// schema's.
func Fit(schema, output json.RawMessage) error { return fit("the output", schema, output) }

// FitOffered is [Fit] for the result of a server's tool, whose schema the server has said. It has fewer steps.
func FitOffered(schema, output json.RawMessage) error {
	compiled, err := validator.CompileOffered(schema)
	if err != nil {
		return unusable{fmt.Errorf("the schema of the output %w", err)}
	}
	if err := compiled.CheckOffered(output); err != nil {
		return words("the output", err)
	}
	return nil
}

// FitAnswer checks a person's answer to a question against its JSON Schema.
func FitAnswer(schema, answer json.RawMessage) error { return fit("the answer", schema, answer) }

// Schemas are schemas that outputs were checked against. They are kept, because compiling one takes
// longer than a check. The zero value has none.
type Schemas struct {
	// compiled are the schemas by their texts.
	compiled map[string]*validator.Schema
}

// How many schemas are kept, and how large one may be in bytes.
const (
	maxCompiled      = 16
	maxCompiledBytes = 16 << 10
)

// Fit is [Fit], with schemas that are kept.
func (s *Schemas) Fit(schema, output json.RawMessage) error {
	compiled := s.compiled[string(schema)]
	if compiled == nil {
		var err error
		if compiled, err = compile("the output", schema); err != nil {
			return err
		}
		s.keep(schema, compiled)
	}
	return check("the output", compiled, output)
}

func (s *Schemas) keep(schema json.RawMessage, compiled *validator.Schema) {
	if len(schema) > maxCompiledBytes {
		return
	}
	if s.compiled == nil || len(s.compiled) == maxCompiled {
		s.compiled = map[string]*validator.Schema{}
	}
	s.compiled[string(schema)] = compiled
}

func fit(what string, schema, data json.RawMessage) error {
	compiled, err := compile(what, schema)
	if err != nil {
		return err
	}
	return check(what, compiled, data)
}

func compile(what string, schema json.RawMessage) (*validator.Schema, error) {
	compiled, err := validator.Compile(schema)
	if err != nil {
		return nil, unusable{fmt.Errorf("the schema of %s %w", what, err)}
	}
	return compiled, nil
}

func check(what string, schema *validator.Schema, data json.RawMessage) error {
	if err := schema.Check(data); err != nil {
		return words(what, err)
	}
	return nil
}

// words says of what an error is.
func words(what string, err error) error {
	err = fmt.Errorf("%s %w", what, err)
	if errors.Is(err, validator.ErrSteps) || errors.Is(err, validator.ErrOffered) || errors.Is(err, validator.ErrDepth) {
		return unusable{err}
	}
	return err
}
