package client

import (
	"context"
	"errors"
	"iter"
	"sync"
	"sync/atomic"

	"github.com/coder/websocket"
)

// Run follows a run of a helper, from its beginning to its end: what has happened is replayed, and
// what happens is delivered live. The last event is the run's end, see [RunEvent.End]. A run that is
// not known yet is waited for, and so is one that ended so long ago that the server no longer
// replays it; ctx ends the wait.
//
// Each iteration has a connection of its own, because the events of runs are replayed when a
// connection opens. The connection is made again as that of the conversation is, and no event comes
// twice. If the body of the loop is so slow that the buffer of [Options] is full, the connection is
// closed, and made again when the loop has caught up.
func (c *Conversation) Run(ctx context.Context, id string) iter.Seq2[RunEvent, error] {
	return func(yield func(RunEvent, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer context.AfterFunc(c.ctx, cancel)()
		f := follower{
			conv: c, run: id, events: make(chan sizedEvent, c.opts.Buffer), caughtUp: make(chan struct{}, 1),
		}
		var following sync.WaitGroup
		defer following.Wait()
		defer cancel()
		following.Go(func() { f.follow(ctx) })
		for {
			event, ok := f.next()
			if !ok {
				break
			}
			if !yield(event, nil) {
				f.close()
				return
			}
		}
		if f.err != nil {
			yield(RunEvent{RunID: id}, f.err)
		}
	}
}

// over returns why the conversation is over, or nil.
func (c *Conversation) over() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failure
}

// follower reads the events of one run. Its goroutine reads the connection, so that the connection is
// served while the body of the caller's loop runs.
type follower struct {
	conv     *Conversation
	run      string
	events   chan sizedEvent // closed when there are no more
	bytes    atomic.Int64    // of the frames of events
	caughtUp chan struct{}   // has an element when the reader has found no event
	socket   atomic.Pointer[websocket.Conn]

	// The rest belongs to the goroutine until it has closed events.

	seen   seenRun
	failed int // attempts to connect since the last greeting
	ended  bool
	err    error // why there is no end, or nil
}

type sizedEvent struct {
	*RunEvent
	size int
}

// next waits for the next event, and says whether there is one.
func (f *follower) next() (RunEvent, bool) {
	if len(f.events) == 0 {
		select {
		case f.caughtUp <- struct{}{}:
		default:
		}
	}
	e, ok := <-f.events
	if !ok {
		return RunEvent{}, false
	}
	f.bytes.Add(-int64(e.size))
	return *e.RunEvent, true
}

// close ends the connection before the run has ended.
func (f *follower) close() {
	if socket := f.socket.Load(); socket != nil {
		_ = socket.Close(websocket.StatusNormalClosure, "")
	}
}

// follow connects, and connects again, until the run or ctx ends.
func (f *follower) follow(ctx context.Context) {
	defer close(f.events)
	socket, err := f.conv.dial(ctx)
	for {
		if err == nil {
			f.socket.Store(socket)
			err = f.conv.listen(ctx, socket, f.receive)
			if f.ended {
				return
			}
			if err == nil { // the buffer is full
				f.wait(ctx)
				socket, err = f.conv.dial(ctx)
				continue
			}
		}
		if socket, err = f.conv.redial(ctx, &f.failed, err); err != nil {
			break
		}
	}
	if f.err = err; errors.Is(err, context.Canceled) && f.conv.over() != nil {
		f.err = f.conv.over()
	}
}

// wait waits until the reader has caught up.
func (f *follower) wait(ctx context.Context) {
	for len(f.events) > 0 {
		select {
		case <-f.caughtUp: // perhaps before the buffer was full
		case <-ctx.Done():
			return
		}
	}
}

func (f *follower) isFull() bool {
	return len(f.events) == cap(f.events) || f.bytes.Load() >= int64(f.conv.opts.BufferBytes)
}

func (f *follower) receive(text []byte) bool {
	frame, ok := decode(text)
	if !ok {
		return true
	}
	if frame.Type == typeIdentity {
		f.failed = 0
	}
	if frame.Type != typeToolEvent || frame.Event.RunID != f.run {
		return true
	}
	event, ok := f.seen.take(frame)
	if !ok {
		return true
	}
	f.bytes.Add(int64(frame.size))
	f.events <- sizedEvent{&event, frame.size} // there is room: a full buffer ends the connection
	f.ended = event.End()
	return !f.ended && !f.isFull()
}
