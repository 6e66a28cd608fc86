package chat

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/admission"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
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

// maxSubmission is the size of a submission's id, and of its key, in bytes.
const maxSubmission = limit.Submission

// MaxNotice is the size of a message that code can put into a chat, in bytes.
const MaxNotice = limit.Notice

// ErrCannotWait is the error of a mode that waits, where the code cannot wait.
var ErrCannotWait = errors.New("a turn cannot be waited for here: a tool and a hook are part of a turn, and the next one begins only " +
	"when that has ended; submit it, with the mode submit, and ask later what came of it")

// TurnRequest describes a turn that code requests.
type TurnRequest struct {
	// Text is the message that the turn answers, as if a person had sent it.
	Text string `json:"text"`
	Mode Mode   `json:"mode,omitempty"`
	// ID names the submission. If it is "", an id is generated. Key is another name, of the caller's
	// own, or "". If a submission with the id or the key exists and has the same text, it is joined.
	// If it has another text, that is an error.
	ID  string `json:"id,omitempty"`
	Key string `json:"key,omitempty"`
}

// RunTurn has the model answer a message in a turn of its own, which is queued behind the queued
// turns. It returns at once, and the turn begins when the event is over. For a mode that waits it
// returns [ErrCannotWait].
func (c *Conversation) RunTurn(r TurnRequest) (Submission, error) {
	if cmp.Or(r.Mode, Submit) != Submit {
		return Submission{}, r.cannotWait()
	}
	t, joined, err := c.object.submit(c.tx, r)
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

// submit queues the turn that code requests, or finds the turn of an earlier request.
func (o *Object) submit(tx *durable.Tx, r TurnRequest) (t turn.Turn, joined bool, err error) {
	id := cmp.Or(r.ID, tx.NewID())
	t = turn.Turn{Submission: id, Key: r.Key, SubmittedText: r.Text, Request: "submission-" + id}
	switch {
	case o.agent.Helper:
		return t, false, errors.New("only the root takes submissions, and " + o.agent.Class + " is a helper")
	case !limit.IsID(id, maxSubmission) || !limit.IsID(cmp.Or(r.Key, id), maxSubmission):
		return t, false, fmt.Errorf("ids and keys of submissions are 1 to %d bytes of text", maxSubmission)
	}
	switch have, joined, err := turn.Join(tx, t); {
	case err != nil:
		return t, false, fmt.Errorf("submission %q: %w", cmp.Or(r.ID, r.Key), err)
	case joined:
		return have, true, nil
	}
	t, err = o.post(tx, r.Text, t)
	return t, false, err
}

// post puts a message into the chat, as if a person had sent it, and queues the turn that answers
// it. The turn begins when the event is over.
func (o *Object) post(tx *durable.Tx, text string, t turn.Turn) (turn.Turn, error) {
	if err := o.refusalReason(tx); err != nil {
		return t, err
	}
	if text == "" || len(text) > MaxNotice {
		return t, fmt.Errorf("a message of %d bytes, not 1 to %d", len(text), MaxNotice)
	}
	id := admission.NoticeID + tx.NewID()
	t.Request = cmp.Or(t.Request, id)
	t.Origin, t.Reply, t.Place = []string{id}, tx.NewID(), message.TakePlaces(tx, 2)
	message.Put(tx, t.Place-1, protocol.UserMessage(id, text))
	if o.busy(tx) {
		o.audience.SendTranscript(tx, o.audience.All()...)
	}
	o.agenda.next = true
	return admission.Enqueue(tx, t), nil
}

// Notify puts a message into the chat, as if the person had sent it. The model answers it in a turn
// of its own.
func (c *Conversation) Notify(text string) error {
	_, err := c.object.post(c.tx, text, turn.Turn{})
	return err
}

// RunTurn is [Conversation.RunTurn] for a tool's code. Its result is journaled, so that a replay
// does not submit the turn again.
func (c *ToolContext) RunTurn(r TurnRequest) (Submission, error) {
	if cmp.Or(r.Mode, Submit) != Submit {
		return Submission{}, r.cannotWait()
	}
	return flow.Step(c, "submit a turn", func(tx *durable.Tx) (Submission, error) { return c.now(tx).RunTurn(r) })
}
