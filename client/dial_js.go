package client

import (
	"context"

	"github.com/coder/websocket"
)

// dial makes one attempt to connect. The sockets of JavaScript take no headers, so the token is a
// part of the address, and a refusal over HTTP has no status.
func (c *Conversation) dial(ctx context.Context) (*websocket.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	address := *c.address
	if c.opts.Token != "" {
		query := address.Query()
		query.Set("token", c.opts.Token)
		address.RawQuery = query.Encode()
	}
	socket, _, err := websocket.Dial(ctx, address.String(), nil)
	return socket, err
}
