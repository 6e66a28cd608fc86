package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/tributary-agents/tributary/durable/protocol"
)

// Answer is an answer of the agent, under way or ended.
type Answer struct {
	conv *Conversation
	ctx  context.Context
	id   string
	// request is the frame that asks for the answer, and question the id of its message. They are empty
	// if somebody else has asked.
	request  []byte
	question string
	// forget stops the watch over ctx.
	forget func() bool
	// wake has one element when there is something new for the reader.
	wake chan struct{}

	// The rest belongs to the lock of the conversation.

	// accepted says that the server has the request. It is not sent again then: the server takes it
	// once, but does not remember for ever that it has.
	accepted bool
	stopped  bool
	queue    backlog[Chunk]
	// next is the number of the next chunk. cut says that chunks may be missing before the next one
	// that comes, until the replay has come to it. behind says that chunks were left out because the
	// queue was full.
	next        int64
	cut, behind bool
	// over says that the answer has ended, with err, or nil.
	over bool
	err  error
	// lacks says that the end has come before the chunks.
	lacks bool
	delivered
	runs map[string]*seenRun
}

// maxRuns is how many runs of helpers one answer can show.
const maxRuns = 10_000

// entrySize is about what an entry of a map or a list takes beside its texts, in bytes.
const entrySize = 128

// delivered is what of a message was delivered.
type delivered struct {
	message  string // its id, or "" if that is not known
	texts    []*strings.Builder
	thoughts int   // bytes of reasoning
	files    int   // number of files
	bytes    int64 // of the deltas, and of what is kept of calls and runs
	tools    map[string]*deliveredCall
	finished bool
}

type deliveredCall struct {
	name                    string
	called, asked, answered bool
}

// newAnswer makes an answer that is under way.
func (c *Conversation) newAnswer(ctx context.Context, id string) *Answer {
	a := &Answer{
		conv: c, ctx: ctx, id: id, wake: make(chan struct{}, 1), runs: map[string]*seenRun{},
		delivered: delivered{tools: map[string]*deliveredCall{}},
	}
	a.forget = context.AfterFunc(ctx, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.drop(a)
		if !a.over {
			c.foreign = id // Stop still stops it
		}
		a.finish(ctx.Err())
	})
	c.answers = append(c.answers, a)
	return a
}

// Say sends a message to the agent and returns its answer, which begins to come in. It does not
// wait for the server: while there is no connection, the message waits for the next one. If other
// answers are under way, the agent's policy says what happens; by default this one follows them.
//
// ctx is for the answer as a whole. When it ends, so do the chunks, with its error. The agent goes
// on unless it is stopped, see [Conversation.Stop].
func (c *Conversation) Say(ctx context.Context, text string) (*Answer, error) {
	if len(text) > protocol.Limits.Message {
		return nil, fmt.Errorf("%w: a message of %d bytes, at most %d", ErrTooLarge, len(text), protocol.Limits.Message)
	}
	question := newID()
	body := outgoing{"trigger": "submit-message", "messages": []any{
		map[string]any{"id": question, "role": "user", "parts": []any{map[string]any{"type": "text", "text": text}}},
	}}
	c.mu.Lock()
	if c.failure != nil {
		defer c.mu.Unlock()
		return nil, c.failure
	}
	a := c.newAnswer(ctx, newID())
	a.question = question
	a.request = outgoing{"type": typeRequest, "id": a.id, "init": map[string]any{"method": "POST", "body": string(body.encode())}}.encode()
	socket := c.socket
	c.mu.Unlock()
	c.send(socket, a.request)
	return a, nil
}

// Stop stops the answers under way, also those that somebody else has asked for and that this
// connection has heard of. What has been said stays in the conversation. The answers end with
// [ErrStopped], unless they end by themselves meanwhile.
func (c *Conversation) Stop(ctx context.Context) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	c.mu.Lock()
	if c.failure != nil {
		defer c.mu.Unlock()
		return c.failure
	}
	ids := map[string]bool{c.offer: true, c.foreign: true}
	for _, a := range c.answers {
		a.stopped, ids[a.id] = true, true
	}
	delete(ids, "")
	socket := c.socket
	c.mu.Unlock()
	for id := range ids {
		c.send(socket, cancelFrame(id))
	}
	return nil
}

// frames returns what to send on a new connection.
func (a *Answer) frames() [][]byte {
	first := a.request
	if a.accepted {
		first = ackFrame(a.id)
	}
	if a.stopped {
		return [][]byte{first, cancelFrame(a.id)}
	}
	return [][]byte{first}
}

// receive takes a frame of the stream. It returns the id of a tool call that is new.
func (a *Answer) receive(f incoming) (call string) {
	var w wireChunk
	switch {
	case f.Body == "" || f.Seq == nil && f.Replay: // a chunk without a number cannot be told from its replay
		return ""
	case f.Seq != nil && *f.Seq < a.next:
		a.cut = a.cut && a.behind
		return ""
	case f.Seq != nil && *f.Seq > a.next && a.cut, a.behind:
		return "" // its turn comes in the replay
	}
	if f.Seq != nil {
		a.next, a.cut = *f.Seq+1, false
	}
	if json.Unmarshal([]byte(f.Body), &w) != nil {
		return ""
	}
	if chunk, ok := a.note(w); !a.tooLarge() && ok {
		a.push(chunk, f.size)
	}
	if kinds[w.Type] == ToolCall {
		call = w.ToolCallID
	}
	return call
}

// tooLarge says whether what is kept of the answer exceeds its limit. The answer fails then.
func (a *Answer) tooLarge() bool {
	if a.bytes <= a.conv.opts.MaxFrame {
		return false
	}
	a.conv.drop(a)
	a.finish(fmt.Errorf("%w: the answer", ErrTooLarge))
	return true
}

// push queues a chunk for the reader, with the size of its frame. A chunk that fills the queue is the
// last one until the reader has come to it.
func (a *Answer) push(chunk Chunk, size int) {
	a.queue.add(chunk, size)
	a.behind = a.queue.reaches(a.conv.opts.Buffer, a.conv.opts.BufferBytes)
	a.signal()
}

// event takes an event of a helper's run.
func (a *Answer) event(f incoming) {
	seen := a.runs[f.Event.RunID]
	if seen == nil && len(a.runs) >= maxRuns {
		return
	}
	if seen == nil {
		seen = &seenRun{}
		a.runs[f.Event.RunID] = seen
		a.bytes += entrySize + int64(len(f.Event.RunID))
	}
	before := len(seen.progress)
	e, ok := seen.take(f)
	a.bytes += int64(len(seen.progress) - before)
	if !a.tooLarge() && ok && !a.behind {
		a.push(Chunk{Kind: Helper, CallID: f.ParentToolCall, Tool: a.tools[f.ParentToolCall].name, Event: &e}, f.size)
	}
}

// end takes the last frame of the stream.
func (a *Answer) end(f incoming) {
	if f.done() && f.Body != "" && !f.failed() {
		a.receive(f)
	}
	var err error
	switch {
	case f.failed() || f.Outcome == "error":
		err = &TurnError{f.Body}
	case f.Outcome == "aborted":
		err = ErrStopped
	case f.Outcome == "skipped":
		err = ErrSkipped
	}
	a.lacks = (a.cut || a.behind) && !a.finished && err != ErrSkipped
	a.finish(err)
}

// finish ends the answer. The caller has taken it out of those under way.
func (a *Answer) finish(err error) {
	if a.over {
		return
	}
	a.over, a.err = true, err
	a.forget()
	a.signal()
}

func (a *Answer) signal() {
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// Chunks returns the chunks of the answer as they come in, and ends with the answer. An error is the
// last element: [ErrStopped], [ErrSkipped] or a [*TurnError] if the answer was not completed, the
// error of the context of [Conversation.Say], or why the conversation has failed. A loop that breaks
// off can be continued by another one: every chunk is delivered once.
func (a *Answer) Chunks() iter.Seq2[Chunk, error] {
	return func(yield func(Chunk, error) bool) {
		for {
			chunk, err := a.read(a.ctx)
			if err == io.EOF || !yield(chunk, err) || err != nil {
				return
			}
		}
	}
}

// Text reads the answer to its end and returns its texts, also those that were read before, with a
// blank line between them. With an error it returns what there is. The errors are those of
// [Answer.Chunks].
func (a *Answer) Text(ctx context.Context) (string, error) {
	for {
		_, err := a.read(ctx)
		if err == nil {
			continue
		}
		if err == io.EOF {
			err = nil
		}
		a.conv.mu.Lock()
		defer a.conv.mu.Unlock()
		texts := make([]string, len(a.texts))
		for i, t := range a.texts {
			texts[i] = t.String()
		}
		return strings.Join(texts, "\n\n"), err
	}
}

// read returns the next chunk, or [io.EOF].
func (a *Answer) read(ctx context.Context) (Chunk, error) {
	for {
		a.conv.mu.Lock()
		if chunk, ok := a.queue.take(); ok {
			a.conv.mu.Unlock()
			return chunk, nil
		}
		lacks, over, err := a.lacks, a.over, a.err
		socket := a.conv.socket
		again := a.behind && !over
		if again { // the rest comes in a replay
			a.behind, a.cut = false, true
		}
		a.conv.mu.Unlock()
		switch {
		case again:
			a.conv.send(socket, ackFrame(a.id))
			continue
		case lacks:
			if err := a.complete(ctx); err != nil {
				return Chunk{}, err
			}
			continue
		case over && err == nil:
			return Chunk{}, io.EOF
		case over:
			return Chunk{}, err
		}
		select {
		case <-a.wake:
		case <-ctx.Done():
			return Chunk{}, ctx.Err()
		}
	}
}
