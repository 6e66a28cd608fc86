package client

import (
	"context"
	"slices"
)

// question is a probe that the server has not answered yet. The server handles frames in order, so
// its answer shows that what was sent before the probe has arrived.
type question struct {
	before []byte // the frame that has to arrive, or nil
	probe  string
	// attach says that the answer under way is wanted.
	attach context.Context
	reply  chan settled // takes one
}

type settled struct {
	answer *Answer
	err    error
}

// frames returns what to send. Each time the probe has another id, because the server answers none
// twice.
func (q *question) frames() [][]byte {
	q.probe = newID()
	probe := outgoing{"type": typeProbe, "probeId": q.probe}.encode()
	if q.before == nil {
		return [][]byte{probe}
	}
	return [][]byte{q.before, probe}
}

func (q *question) settle(a *Answer, err error) { q.reply <- settled{a, err} }

// Attach returns the answer that is under way, whoever has asked for it: the one that goes on after
// [Conversation.Approve], or one that an earlier program has left. Its chunks come from the
// beginning. If there is none, the error is [ErrIdle]. If this conversation has an [Answer] of it
// that has not ended, the error is [ErrFollowed], since chunks are delivered once. ctx is for the
// answer, as that of [Conversation.Say].
func (c *Conversation) Attach(ctx context.Context) (*Answer, error) {
	return c.ask(ctx, &question{attach: ctx})
}

// Approve answers a tool call that waits for a person, and returns when the server has taken it.
// The id is the CallID of an [Approval] chunk. The agent goes on when all calls of its answer are
// answered; [Conversation.Attach] follows it. If the agent has ended before Attach asks for its
// answer, Attach returns [ErrIdle], and the answer is the last one of [Conversation.Messages]. The
// first answer to a call counts. A later one, or one to an unknown call, changes nothing and is no
// error.
func (c *Conversation) Approve(ctx context.Context, id string, approved bool) error {
	frame := outgoing{"type": typeApproval, "toolCallId": id, "approved": approved, "autoContinue": true}
	_, err := c.ask(ctx, &question{before: frame.encode()})
	return err
}

func (c *Conversation) ask(ctx context.Context, q *question) (*Answer, error) {
	q.reply = make(chan settled, 1)
	c.mu.Lock()
	if c.failure != nil {
		defer c.mu.Unlock()
		return nil, c.failure
	}
	c.questions = append(c.questions, q)
	frames, socket := q.frames(), c.socket
	c.mu.Unlock()
	c.send(socket, frames...)
	select {
	case <-ctx.Done():
		c.mu.Lock()
		defer c.mu.Unlock()
		c.questions = slices.DeleteFunc(c.questions, func(have *question) bool { return have == q })
		return nil, ctx.Err()
	case r := <-q.reply:
		return r.answer, r.err
	}
}

// answerQuestions settles the question whose probe a frame answers.
func (c *Conversation) answerQuestions(f incoming) {
	i := slices.IndexFunc(c.questions, func(q *question) bool { return q.probe == f.ProbeID })
	if i < 0 {
		return
	}
	q := c.questions[i]
	c.questions = slices.Delete(c.questions, i, i+1)
	switch {
	case q.attach == nil:
		q.settle(nil, nil)
	case f.Type == typeNone || f.ID == "":
		q.settle(nil, ErrIdle)
	case c.answer(f.ID) != nil:
		q.settle(nil, ErrFollowed)
	default:
		a := c.newAnswer(q.attach, f.ID)
		a.accepted, a.cut = true, true
		q.settle(a, nil)
	}
}
