//go:build !js

package client

import (
	"context"
	"io"
	"net/http"
	"strings"

	"github.com/coder/websocket"
)

// dial makes one attempt to connect.
func (c *Conversation) dial(ctx context.Context) (*websocket.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	socket, response, err := websocket.Dial(ctx, c.address.String(), &websocket.DialOptions{
		HTTPClient: c.opts.HTTP, HTTPHeader: c.header(), CompressionMode: websocket.CompressionContextTakeover,
	})
	if err != nil && response != nil && response.StatusCode != http.StatusSwitchingProtocols {
		text, _ := io.ReadAll(io.LimitReader(response.Body, maxErrorText))
		return nil, &StatusError{response.StatusCode, strings.TrimSpace(string(text))}
	}
	return socket, err
}
