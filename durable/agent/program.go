package agent

import "github.com/tributary-agents/tributary/durable/chat"

// Program is straight-line code that a helper runs instead of asking a model.
type Program = chat.Program

// NewProgram makes a program of a function, as [NewTool] makes a tool. Input is checked against the
// schema of In, and Out becomes JSON. If Out is text, it is the run's summary. Otherwise it is the
// run's output. The program shows text while it works with [Context.Say]. Its error fails the run.
// NewProgram panics if In has no schema.
func NewProgram[In, Out any](run func(c *Context, in In) (Out, error)) Program {
	_, resolved := schemaOf[In]("input of a program")
	return typed(resolved, run)
}
