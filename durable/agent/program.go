package agent

import (
	"encoding/json"
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
