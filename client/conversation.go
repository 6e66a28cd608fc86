package client

import (
	"context"
	"net/url"
	"slices"
	"sync"

	"github.com/coder/websocket"
)

// Conversation is an open conversation with an agent. It keeps one connection, and makes it again
// when it breaks.
type Conversation struct {
	opts    Options
	address *url.URL
	ctx     context.Context // ends with the conversation
	cancel  context.CancelFunc
	greeted chan struct{} // closed when the server has greeted the first connection
	ended   chan struct{} // closed when the goroutine of keep has ended

	// wasGreeted says that greeted is closed, and failed counts the attempts to connect since the last
	// greeting. They belong to the goroutine of keep.
	wasGreeted bool
	failed     int

	mu sync.Mutex
	// socket is the connection, or nil while there is none.
	socket *websocket.Conn
	// failure is why the conversation is over, or nil.
	failure error
	// answers are those under way, in the order in which they began.
	answers   []*Answer
	calls     map[string]*call
	questions []*question
	// offer is a stream of somebody else that the server has offered on this connection, or "". The
	// server takes the next probe for the answer to it, until it is acknowledged.
	offer string
	// foreign is the last answer under way that somebody else has asked for, or "".
	foreign string
	// unclaimed are the events of runs whose tool call was not seen yet.
	unclaimed unclaimed
}

// Dial opens a conversation on a server, such as "https://agents.example.com", and returns when the
// server has greeted it. It makes one attempt. ctx is for the opening alone. A refusal is a
// [*CloseError] or a [*StatusError].
func Dial(ctx context.Context, server string, opts Options) (*Conversation, error) {
	opts = opts.withDefaults()
	address, err := opts.address(server)
	if err != nil {
		return nil, err
	}
	c := &Conversation{
		opts: opts, address: address, calls: map[string]*call{},
		greeted: make(chan struct{}), ended: make(chan struct{}),
	}
	socket, err := c.dial(ctx)
	if err != nil {
		return nil, err
	}
	c.ctx, c.cancel = context.WithCancel(context.WithoutCancel(ctx))
	go c.keep(socket)
	select {
	case <-c.greeted:
		return c, nil
	case <-c.ended:
		return nil, c.failure
	case <-ctx.Done():
		_ = c.Close()
		return nil, ctx.Err()
	}
}

// Close ends the conversation here. What is under way fails with [ErrClosed], and the agent goes on
// with it. Close returns when the connection is closed and no goroutine of the conversation is left.
// It always returns nil.
func (c *Conversation) Close() error {
	c.mu.Lock()
	socket := c.socket
	c.mu.Unlock()
	c.fail(ErrClosed)
	if socket != nil {
		_ = socket.Close(websocket.StatusNormalClosure, "") // waits for the server's close frame, for 5 s at most
	}
	c.cancel()
	<-c.ended
	return nil
}

// keep keeps the conversation connected until it fails.
func (c *Conversation) keep(socket *websocket.Conn) {
	defer close(c.ended)
	defer c.cancel()
	for {
		c.open(socket)
		err := c.listen(c.ctx, socket, c.receive)
		if c.lose(); !c.wasGreeted { // Dial makes one attempt
			c.fail(err)
			return
		}
		if socket, err = c.redial(c.ctx, &c.failed, err); err != nil {
			c.fail(err)
			return
		}
	}
}

// open takes over a new connection, and repeats on it what may not have arrived.
func (c *Conversation) open(socket *websocket.Conn) {
	var frames [][]byte
	c.mu.Lock()
	c.socket = socket
	for _, a := range c.answers {
		frames = append(frames, a.frames()...)
	}
	for _, q := range c.questions {
		frames = append(frames, q.frames()...)
	}
	for _, call := range c.calls {
		call.sent = true
		frames = append(frames, call.frame)
	}
	c.mu.Unlock()
	c.send(socket, frames...)
}

// send sends frames. An error is left to the reader of the socket: it means that the connection is
// broken, and what was not sent is sent on the next one.
func (c *Conversation) send(socket *websocket.Conn, frames ...[]byte) {
	if socket == nil {
		return
	}
	for _, frame := range frames {
		ctx, cancel := context.WithTimeout(c.ctx, writeTimeout)
		err := socket.Write(ctx, websocket.MessageText, frame)
		cancel()
		if err != nil {
			_ = socket.CloseNow()
			return
		}
	}
}

// lose notes that the connection is gone.
func (c *Conversation) lose() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.socket, c.offer, c.foreign, c.unclaimed = nil, "", "", unclaimed{}
	for _, a := range c.answers {
		a.cut = true
	}
	for id, call := range c.calls {
		if call.sent {
			delete(c.calls, id)
			call.end(incoming{}, ErrInterrupted)
		}
	}
}

// fail ends everything that is under way. Only the first failure counts.
func (c *Conversation) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure != nil {
		return
	}
	c.failure = err
	for _, a := range c.answers {
		a.finish(err)
	}
	for _, q := range c.questions {
		q.settle(nil, err)
	}
	for _, call := range c.calls {
		call.end(incoming{}, err)
	}
	c.answers, c.questions, c.calls = nil, nil, map[string]*call{}
}

// answer returns an answer that is under way, or nil.
func (c *Conversation) answer(id string) *Answer {
	for _, a := range c.answers {
		if a.id == id {
			return a
		}
	}
	return nil
}

// drop takes an answer out of those under way.
func (c *Conversation) drop(a *Answer) {
	c.answers = slices.DeleteFunc(c.answers, func(have *Answer) bool { return have == a })
}
