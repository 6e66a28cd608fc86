package author

import (
	"errors"

	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/claims"
)

// Context is what the code of a tool or of a program works with: its awaits, the conversation that calls
// it, and which code it is. An agent.Context has one. What runs under such code without being an author's
// knows this context alone.
type Context struct {
	*flow.Context
	Object Object
	Code   Code
	// Acting says that the code is that of an action, called by other code.
	Acting bool
	// Runs counts the runs that each branch has begun.
	Runs map[int]int
}

// NewContext returns the context of some code of a conversation.
func NewContext(o Object, c *flow.Context, code Code) *Context {
	return &Context{Context: c, Object: o, Code: code, Runs: map[int]int{}}
}

// ForAction returns the context of an action that the code calls.
func (c *Context) ForAction() *Context {
	inner := *c
	inner.Acting = true
	return &inner
}

// ForCall returns the context of a call that the code makes.
func (c *Context) ForCall(code Code) *Context {
	inner := *c
	inner.Code = code
	return &inner
}

// Claims are those of the turn that has made the call, or works on the run.
func (c *Context) Claims() claims.Claims { return claims.Read(c.Code.Claims) }

// InJob says that the code runs in a turn of its own, for code that cannot wait.
func (c *Context) InJob() bool { return c.Code.Run == "" && c.Code.Base != "" }

// ErrJobAsks is the error of a question of a job. No other turn could begin before the answer.
var ErrJobAsks = errors.New("agent: code that UndoCall or UndoRun has queued cannot ask a person: the conversation would stand still until the answer")
