package chat

import (
	"encoding/json"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// Method is a function that clients call by name. Its result is encoded as JSON. The text of its
// error goes to the caller.
type Method func(call *Call) (result any, err error)

// Call is one call of a [Method], within the event that brought it.
type Call struct {
	Conversation
	conn durable.ConnID
	id   string
	args []json.RawMessage
	// answeredLater says that the call is stored as a row and is answered when a turn is over.
	answeredLater bool
}

// Len is the number of arguments.
func (c *Call) Len() int { return len(c.args) }

// Arg reads argument i into v, a pointer. It returns an error if the argument is missing.
func (c *Call) Arg(i int, v any) error {
	if i >= len(c.args) {
		return fmt.Errorf("argument %d is missing", i)
	}
	if err := json.Unmarshal(c.args[i], v); err != nil {
		return fmt.Errorf("argument %d: %w", i, err)
	}
	return nil
}

// Emit sends a piece of a streamed result.
func (c *Call) Emit(v any) error {
	piece, err := limit.MarshalWithin(v, limit.Result)
	if err != nil {
		return fmt.Errorf("result: %w", err)
	}
	audience.Send(c.tx, protocol.CallResult(c.id, piece, false), c.conn)
	return nil
}

func (o *Object) call(tx *durable.Tx, conn durable.ConnID, f protocol.Call) {
	method, ok := o.agent.Methods[f.Method]
	if !ok {
		audience.Send(tx, protocol.CallError(f.ID, "Method "+f.Method+" does not exist"), conn)
		return
	}
	c := &Call{Conversation: Conversation{object: o, tx: tx}, conn: conn, id: f.ID, args: f.Args}
	result, err := method(c)
	if _, later := result.(answeredLater); later && err == nil {
		return
	}
	if c.answeredLater {
		o.dropCall(tx, waitingCall{conn, f.ID})
	}
	var encoded json.RawMessage
	if err == nil && result != nil {
		if encoded, err = limit.MarshalWithin(result, limit.Result); err != nil {
			err = fmt.Errorf("result: %w", err)
		}
	}
	if err != nil {
		audience.Send(tx, protocol.CallError(f.ID, protocol.CutOff(err.Error(), limit.Words)), conn)
		return
	}
	audience.Send(tx, protocol.CallResult(f.ID, encoded, true), conn)
}
