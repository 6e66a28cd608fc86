package agent

import (
	"time"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
)

// Sleep waits, for an hour as well as for a second. Nothing is held meanwhile, and the
// code goes on though its instance was lost.
func Sleep(c *Context, d time.Duration) error { return flow.Sleep(c.Context, d) }

// Step does something once that the code could not do twice in the same way, such as to
// draw a random number, and journals what it returns: in every later life of the code
// the result comes from the journal. The function must not wait.
func Step[T any](c *Context, name string, do func(tx *durable.Tx) (T, error)) (T, error) {
	return flow.Step(c.Context, name, do)
}
