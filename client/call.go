package client

import (
	"context"
	"encoding/json"
	"fmt"
)

// call is a call of a method that is not answered yet.
type call struct {
	frame []byte
	sent  bool
	reply chan reply // takes one
}

type reply struct {
	frame incoming
	err   error
}

func (c *call) end(f incoming, err error) { c.reply <- reply{f, err} }

// Call calls a method of the agent and returns its result. The arguments are encoded as JSON, and the
// result is decoded from JSON; a method without a result leaves Out as it is made. The error of a
// method is a [*CallError].
//
// A call is sent once. If the connection breaks before its answer, the error is [ErrInterrupted], and
// the method may have run. A call that begins while there is no connection waits for the next one.
func Call[Out any](ctx context.Context, c *Conversation, method string, args ...any) (Out, error) {
	var out Out
	result, err := c.call(ctx, method, args)
	if err != nil || len(result) == 0 {
		return out, err
	}
	if err := json.Unmarshal(result, &out); err != nil {
		return out, fmt.Errorf("client: result of %s: %w", method, err)
	}
	return out, nil
}

func (c *Conversation) call(ctx context.Context, method string, args []any) (json.RawMessage, error) {
	if args == nil {
		args = []any{}
	}
	encoded, err := json.Marshal(args)
	if err != nil {
		return nil, fmt.Errorf("client: arguments of %s: %w", method, err)
	}
	id := newID()
	made := &call{reply: make(chan reply, 1)}
	made.frame = outgoing{"type": typeCall, "id": id, "method": method, "args": json.RawMessage(encoded)}.encode()
	c.mu.Lock()
	socket := c.socket
	if c.failure != nil {
		defer c.mu.Unlock()
		return nil, c.failure
	}
	c.calls[id], made.sent = made, socket != nil
	c.mu.Unlock()
	c.send(socket, made.frame)
	select {
	case <-ctx.Done():
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.calls, id)
		return nil, ctx.Err()
	case r := <-made.reply:
		if r.err == nil && !r.frame.Success {
			var message string
			_ = json.Unmarshal(r.frame.Error, &message) // a message that is no text is left out
			r.err = &CallError{method, message}
		}
		return r.frame.Result, r.err
	}
}

// called handles the answer to a call. Pieces of a streamed result are left out.
func (c *Conversation) called(f incoming) {
	made := c.calls[f.ID]
	if made == nil || f.Success && f.Done != nil && !*f.Done {
		return
	}
	delete(c.calls, f.ID)
	made.end(f, nil)
}
