package agent

import "github.com/tributary-agents/tributary/durable/chat"

// Program is straight-line code that a helper runs instead of asking a model.
type Program = chat.Program

// NewProgram makes a program of a function, as [NewTool] makes a tool: input is checked
// against the schema of In, and Out becomes JSON. A text is the run's summary, and
// anything else its output. What the program wants seen as it works, it says with
// [Context.Say]; its error fails the run. NewProgram panics when In has no schema.
func NewProgram[In, Out any](run func(c *Context, in In) (Out, error)) Program {
	_, resolved := schemaOf[In]("input of a program")
	return typed(resolved, run)
}
