package client

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"
)

const (
	// dialTimeout is how long one attempt to connect may take, and writeTimeout how long it may take to
	// send one frame.
	dialTimeout, writeTimeout = 30 * time.Second, 30 * time.Second
	// maxErrorText is how much is read of the answer to a refused request, in bytes.
	maxErrorText = 1 << 10
)

// header returns the headers of every request.
func (c *Conversation) header() http.Header {
	if c.opts.Token == "" {
		return http.Header{}
	}
	return http.Header{"Authorization": {"Bearer " + c.opts.Token}}
}

// listen hands on the text messages of a socket until handle returns false or the socket is closed,
// and closes it. It checks the socket meanwhile.
func (c *Conversation) listen(ctx context.Context, socket *websocket.Conn, handle func([]byte) bool) error {
	ctx, cancel := context.WithCancel(ctx)
	var pinging sync.WaitGroup
	defer pinging.Wait()
	defer cancel()
	defer func() { _ = socket.CloseNow() }()
	pinging.Go(func() { c.ping(ctx, socket) })
	socket.SetReadLimit(c.opts.MaxFrame)
	for {
		kind, text, err := socket.Read(ctx)
		if err != nil {
			return readError(err)
		}
		if kind == websocket.MessageText && !handle(text) {
			_ = socket.Close(websocket.StatusNormalClosure, "")
			return nil
		}
	}
}

// ping closes a socket that does not answer.
func (c *Conversation) ping(ctx context.Context, socket *websocket.Conn) {
	tick := time.NewTicker(c.opts.Ping)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		patience, cancel := context.WithTimeout(ctx, c.opts.Ping)
		err := socket.Ping(patience)
		cancel()
		if err != nil {
			_ = socket.CloseNow()
			return
		}
	}
}

func readError(err error) error {
	var closed websocket.CloseError
	switch {
	case errors.Is(err, websocket.ErrMessageTooBig):
		return fmt.Errorf("%w: a frame of the server", ErrTooLarge)
	case errors.As(err, &closed):
		return &CloseError{int(closed.Code), closed.Reason}
	}
	return fmt.Errorf("client: %w", err)
}

// redial connects again after a connection has ended with an error. failed counts the attempts since
// the server has last greeted a connection.
func (c *Conversation) redial(ctx context.Context, failed *int, last error) (*websocket.Conn, error) {
	for {
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case isFinal(last):
			return nil, last
		case *failed >= c.opts.Backoff.Attempts:
			return nil, fmt.Errorf("%w after %d attempts: %w", ErrLost, *failed, last)
		}
		if err := wait(ctx, c.opts.Backoff.delay(*failed, rand.Float64())); err != nil {
			return nil, err
		}
		*failed++
		var socket *websocket.Conn
		if socket, last = c.dial(ctx); last == nil {
			return socket, nil
		}
	}
}

// delay returns how long to wait after a number of failed attempts. chance is from 0 to 1.
func (b Backoff) delay(failed int, chance float64) time.Duration {
	delay := float64(b.Min)
	for range failed {
		delay = min(delay*1.5, float64(b.Max))
	}
	return time.Duration(delay * (1 - chance/2))
}

func wait(ctx context.Context, delay time.Duration) error {
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
