package agent

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/author"
)

// This file is about how code requests a turn.

// Mode says how the requester of a turn learns of its result.
type Mode string

// The modes. Only a [Call] can wait for a turn, see [Call.RunTurn].
const (
	// Submit returns at once, with the submission in its state at that time. It is the default.
	Submit Mode = "submit"
	// Wait answers when the turn is final.
	Wait Mode = "wait"
	// Stream is like Wait, but sends the turn's chunks as they come, before the answer.
	Stream Mode = "stream"
)

// ErrCannotWait is the error of a mode that waits, where the code cannot wait.
var ErrCannotWait = errors.New("a turn cannot be waited for here: a tool and a hook are part of a turn, and the next one begins only " +
	"when that has ended; submit it, with the mode submit, and ask later what came of it")

// TurnRequest describes a turn that code requests.
type TurnRequest struct {
	// Text is the message that the turn answers, as if a person had sent it. It has 1 byte to 64
	// KiB.
	Text string `json:"text"`
	// Mode says how the requester learns of the result. "" means [Submit].
	Mode Mode `json:"mode,omitempty"`
	// ID names the submission. If it is "", an id is generated. Key is another name, of the
	// caller's own, or "". Both have at most 100 bytes. If a submission with the id or the key
	// exists and has the same text, it is joined. If it has another text, that is an error.
	ID  string `json:"id,omitempty"`
	Key string `json:"key,omitempty"`
}

// RunTurn has the model answer a message in a turn of its own, behind the turns that are queued. It
// returns at once, and the turn begins when the event is over. For a mode that waits it returns
// [ErrCannotWait].
func (c *Conversation) RunTurn(r TurnRequest) (Submission, error) {
	if cmp.Or(r.Mode, Submit) != Submit {
		return Submission{}, r.cannotWait()
	}
	t, joined, err := c.object.Submit(c.tx, r.author(c.acting()))
	if err != nil {
		return Submission{}, err
	}
	s := submissionOf(t)
	s.Joined = joined
	return s, nil
}

func (r TurnRequest) author(claims string) author.TurnRequest {
	return author.TurnRequest{Text: r.Text, ID: r.ID, Key: r.Key, Claims: claims}
}

func (r TurnRequest) cannotWait() error {
	if r.Mode != Wait && r.Mode != Stream {
		return fmt.Errorf("%.20q is no mode: submit, wait and stream are", r.Mode)
	}
	return ErrCannotWait
}

// Notify puts a message into the chat, as if the person had sent it. The model answers it in a turn
// of its own. The text has 1 byte to 64 KiB; any other is an error.
func (c *Conversation) Notify(text string) error {
	return c.object.Notify(c.tx, text, c.acting())
}

// Narrate has the agent say a text in a message of its own. No model is asked. The message comes
// after the turns that are queued already. The text has 1 byte to 64 KiB; any other is an error.
func (c *Conversation) Narrate(text string) error {
	return c.object.Narrate(c.tx, text)
}

// RunTurn is [Conversation.RunTurn] for a tool's code. Its result is journaled, so that a replay
// does not submit the turn again.
func (c *Context) RunTurn(r TurnRequest) (Submission, error) {
	if cmp.Or(r.Mode, Submit) != Submit {
		return Submission{}, r.cannotWait()
	}
	return flow.Step(c, "submit a turn", func(tx *durable.Tx) (Submission, error) { return c.now(tx).RunTurn(r) })
}
