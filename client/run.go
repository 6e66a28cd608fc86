package client

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
)

// Run follows a run of a helper, from its beginning to its end: what has happened is replayed, and
// what happens is delivered live. The last event is the run's end, see [RunEvent.End]. A run that is
// not known yet is waited for, and so is one that ended so long ago that the server no longer
// replays it; ctx ends the wait.
//
// Each iteration has a connection of its own, because the events of runs are replayed when a
// connection opens. The connection is made again as that of the conversation is, and no event comes
// twice.
func (c *Conversation) Run(ctx context.Context, id string) iter.Seq2[RunEvent, error] {
	return func(yield func(RunEvent, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(c.ctx, cancel)()
		f := follower{run: id, yield: yield}
		socket, err := c.dial(ctx)
		for {
			if err == nil {
				err = c.listen(ctx, socket, f.receive)
			}
			if f.stopped {
				return
			}
			if socket, err = c.redial(ctx, &f.failed, err); err != nil {
				break
			}
		}
		if over := c.over(); over != nil && errors.Is(err, context.Canceled) {
			err = over
		}
		yield(RunEvent{RunID: id}, err)
	}
}

// over returns why the conversation is over, or nil.
func (c *Conversation) over() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failure
}

// follower reads the events of one run.
type follower struct {
	run     string
	seen    seenRun
	yield   func(RunEvent, error) bool
	failed  int  // attempts to connect since the last greeting
	stopped bool // the run is over, or its reader has enough
}

func (f *follower) receive(text []byte) bool {
	var frame incoming
	if json.Unmarshal(text, &frame) != nil {
		return true
	}
	if frame.Type == typeIdentity {
		f.failed = 0
	}
	if frame.Type != typeToolEvent || frame.Event.RunID != f.run {
		return true
	}
	if event, ok := f.seen.take(frame); ok {
		f.stopped = !f.yield(event, nil) || event.End()
	}
	return !f.stopped
}
