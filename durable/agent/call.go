package agent

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/limit"
)

// Method is a function that clients call by name, see [Agent.Methods]. Its result becomes JSON of
// at most 1.9 MB. The text of its error goes to the caller. What a method with an error has done is
// not undone. [ListRuns], [RunTurn] and others like them are methods that an agent only has to
// list.
type Method func(call *Call) (result any, err error)

// Call is one call of a [Method], within the event that brought it. It is a [Conversation] with
// arguments.
type Call struct {
	Conversation
	call *author.Call
}

// Len is the number of arguments.
func (c *Call) Len() int { return len(c.call.Args) }

// Arg decodes argument i, counted from 0, into v, a pointer. It returns an error if the argument is
// missing or does not fit the type.
func (c *Call) Arg(i int, v any) error {
	if i >= len(c.call.Args) {
		return fmt.Errorf("argument %d is missing", i)
	}
	if err := json.Unmarshal(c.call.Args[i], v); err != nil {
		return fmt.Errorf("argument %d: %w", i, err)
	}
	return nil
}

// Emit sends a piece of a streamed result to the caller, before the method's own result. v becomes
// JSON of at most 1.9 MB; otherwise Emit returns an error.
func (c *Call) Emit(v any) error {
	piece, err := limit.MarshalWithin(v, limit.Result)
	if err != nil {
		return fmt.Errorf("result: %w", err)
	}
	c.object.Emit(c.tx, *c.call, piece)
	return nil
}

// RunTurn is [Conversation.RunTurn] for a method, in every [Mode]. The method returns what RunTurn
// returns. In a mode that waits, the caller is sent the [Submission] when the turn is final. In the
// mode Stream it is sent the turn's chunks before that.
func (c *Call) RunTurn(r TurnRequest) (any, error) {
	if r.Mode != Wait && r.Mode != Stream {
		return c.Conversation.RunTurn(r)
	}
	if err := c.object.CheckWait(c.tx, *c.call); err != nil {
		return nil, err
	}
	t, joined, err := c.object.Submit(c.tx, r.author(c.acting()))
	switch {
	case err != nil:
		return nil, err
	case t.Status.Final():
		s := whole(c.object, c.tx, t)
		s.Joined = joined
		return s, nil
	}
	c.call.Waits = true
	c.object.Wait(c.tx, *c.call, t, r.Mode == Stream)
	return author.AnsweredLater{}, nil
}
