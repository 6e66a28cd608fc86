package chat

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// This file is how code asks for a turn.

// Mode says how whoever wants a turn hears of it.
type Mode string

// The modes. Only a [Call] can have what it has to wait for, see [Call.RunTurn].
const (
	// Submit returns at once, with the submission as it is then. It is the usual one.
	Submit Mode = "submit"
	// Wait answers when the turn is final.
	Wait Mode = "wait"
	// Stream is like Wait, with the turn's chunks before the answer, as they come.
	Stream Mode = "stream"
)

// maxSubmission is the size of a submission's id, and of its key, in bytes.
const maxSubmission = limit.Submission

// MaxNotice is the size of what code can put into a chat as a message, in bytes.
const MaxNotice = limit.Notice

// ErrCannotWait is the error of a mode that waits where nothing can wait.
var ErrCannotWait = errors.New("a turn cannot be waited for here: a tool and a hook are part of a turn, and the next one begins only " +
	"when that has ended; submit it, with the mode submit, and ask later what came of it")

// TurnRequest is a turn that code wants.
type TurnRequest struct {
	// Text is the message that the turn answers, as if a person had said it.
	Text string `json:"text"`
	Mode Mode   `json:"mode,omitempty"`
	// ID names the submission, "" for a name that is made up. Key is a name of the caller's
	// own beside that, or "". A submission that is there already under the id or the key is
	// joined, if it has the same text; with another it is an error.
	ID  string `json:"id,omitempty"`
	Key string `json:"key,omitempty"`
}

// RunTurn has the model answer a message in a turn of its own, which is queued behind
// those that wait already. It returns at once, and the turn begins when the event is over;
// with a mode that waits the error is [ErrCannotWait].
func (c *Conversation) RunTurn(r TurnRequest) (Submission, error) {
	if cmp.Or(r.Mode, Submit) != Submit {
		return Submission{}, r.cannotWait()
	}
	t, joined, err := c.host.submit(c.tx, r)
	if err != nil {
		return Submission{}, err
	}
	s := submissionOf(t)
	s.Joined = joined
	return s, nil
}

func (r TurnRequest) cannotWait() error {
	if r.Mode != Wait && r.Mode != Stream {
		return fmt.Errorf("%.20q is no mode: submit, wait and stream are", r.Mode)
	}
	return ErrCannotWait
}

// submit admits the turn that code wants, or finds the one that it has wanted before.
func (h *Host) submit(tx *durable.Tx, r TurnRequest) (t turn.Turn, joined bool, err error) {
	id := cmp.Or(r.ID, tx.NewID())
	t = turn.Turn{Submission: id, Key: r.Key, Asked: r.Text, Request: "submission-" + id}
	switch {
	case h.agent.Helper:
		return t, false, errors.New("only the root takes submissions, and " + h.agent.Class + " is a helper")
	case !isID(id, maxSubmission) || !isID(cmp.Or(r.Key, id), maxSubmission):
		return t, false, fmt.Errorf("ids and keys of submissions are 1 to %d bytes of text", maxSubmission)
	}
	switch have, joined, err := turn.Join(tx, t); {
	case err != nil:
		return t, false, fmt.Errorf("submission %q: %w", cmp.Or(r.ID, r.Key), err)
	case joined:
		return have, true, nil
	}
	t, err = h.post(tx, r.Text, t)
	return t, false, err
}

// post puts a message into the chat, as if a person had said it, and admits the turn that
// answers it, which begins when the event is over.
func (h *Host) post(tx *durable.Tx, text string, t turn.Turn) (turn.Turn, error) {
	if err := h.closed(tx); err != nil {
		return t, err
	}
	if text == "" || len(text) > MaxNotice {
		return t, fmt.Errorf("a message of %d bytes, not 1 to %d", len(text), MaxNotice)
	}
	id := noticeID + tx.NewID()
	t.Request = cmp.Or(t.Request, id)
	t.Origin, t.Reply, t.Place = []string{id}, tx.NewID(), places(tx, 2)
	put(tx, t.Place-1, protocol.UserMessage(id, text))
	if h.busy(tx) {
		h.show(tx, h.roster.all()...)
	}
	h.moved = true
	return h.admit(tx, t), nil
}

// Notify puts a message into the chat, as if the person had said it, and the model reacts
// to it in a turn of its own.
func (c *Conversation) Notify(text string) error {
	_, err := c.host.post(c.tx, text, turn.Turn{})
	return err
}

// RunTurn is [Conversation.RunTurn] for a tool's code. What it returns is journaled, so
// that code which is run again has submitted it once.
func (c *ToolContext) RunTurn(r TurnRequest) (Submission, error) {
	if cmp.Or(r.Mode, Submit) != Submit {
		return Submission{}, r.cannotWait()
	}
	return flow.Step(c, "submit a turn", func(tx *durable.Tx) (Submission, error) { return c.now(tx).RunTurn(r) })
}
