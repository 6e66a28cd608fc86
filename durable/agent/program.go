package agent

import (
	"encoding/json"
	"fmt"
	"reflect"
)

// Program is straight-line code over the journal that a helper runs instead of asking a model. It
// gets the run's input as JSON and returns JSON. A returned text is the run's summary, and anything
// else is its output. Its error fails the run. [NewProgram] makes one of a function over Go types.
type Program func(c *Context, input json.RawMessage) (json.RawMessage, error)

// NewProgram makes a program of a function, as [NewTool] makes a tool: input is checked against the
// schema of In, and Out becomes JSON. If Out is text, it is the run's summary. Otherwise it is the
// run's output. The program shows text while it works with [Context.Say]. NewProgram panics if In
// has no schema.
func NewProgram[In, Out any](run func(c *Context, in In) (Out, error)) Program {
	_, resolved := schemaOf(reflect.TypeFor[In](), "input of a program")
	return typed(resolved, run)
}

// Output has the helper answer with JSON that fits the struct Out. json tags name the fields,
// jsonschema tags describe them, and a field is required unless its json tag says omitempty. The
// helper's model is sent the schema. An answer that does not fit fails the run, with the reason
// [run.InvalidOutput]. Output panics if Out has no schema.
func Output[Out any]() Option {
	schema, _ := schemaOf(reflect.TypeFor[Out](), "an output")
	return func(s *spec) { s.output = schema }
}

// TypedRun is a [Run] whose output is a Go value.
type TypedRun[Out any] struct{ Run }

// StartAgentAs is [StartAgent] with the option [Output]: the run's output is a Go value. It panics
// if Out has no schema.
func StartAgentAs[Out any](c *Context, helper Agent, in any, options ...Option) TypedRun[Out] {
	return TypedRun[Out]{StartAgent(c, helper, in, append([]Option{Output[Out]()}, options...)...)}
}

// Wait waits for the run and returns its output. Its error is a [*RunError] if the run has no
// result.
func (r TypedRun[Out]) Wait() (out Out, err error) {
	result := r.Run.Wait()
	if !result.OK {
		return out, &RunError{result}
	}
	if err := json.Unmarshal(result.Output, &out); err != nil {
		return out, fmt.Errorf("agent: output of run %s: %w", r.ID(), err)
	}
	return out, nil
}

// RunAgentAs is [StartAgentAs], but waits for the output of the run.
func RunAgentAs[Out any](c *Context, helper Agent, in any, options ...Option) (Out, error) {
	return StartAgentAs[Out](c, helper, in, options...).Wait()
}
