package chat

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/admission"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/internal/prompt"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// submit queues the turn that code requests, or finds the turn of an earlier request.
func (o *Object) submit(tx *durable.Tx, r author.TurnRequest) (t turn.Turn, joined bool, err error) {
	id := cmp.Or(r.ID, tx.NewID())
	t = turn.Turn{Submission: id, Key: r.Key, SubmittedText: r.Text, Request: "submission-" + id}
	switch {
	case o.agent.Helper:
		return t, false, errors.New("only the root takes submissions, and " + o.agent.Name + " is a helper")
	case !limit.IsID(id, limit.Submission) || !limit.IsID(cmp.Or(r.Key, id), limit.Submission):
		return t, false, fmt.Errorf("ids and keys of submissions are 1 to %d bytes of text", limit.Submission)
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
	if text == "" || len(text) > limit.Notice {
		return t, fmt.Errorf("a message of %d bytes, not 1 to %d", len(text), limit.Notice)
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

// takeBackMessage removes the message of a submission that was cancelled before it began. If the message
// stayed, every later turn would send it to the model, and the next turn might answer it. The
// message stays if somebody has asked for an answer to it since. A page that has only posted it in
// front of its own question has not. takeBackMessage says whether it removed the message.
func takeBackMessage(tx *durable.Tx, t turn.Turn) bool {
	if t.Submission == "" {
		return false
	}
	gone := message.TakeBack(tx, t.Seq)
	for _, place := range gone {
		prompt.ForgetWindow(tx, place)
	}
	return len(gone) > 0
}

// notify puts a message into the chat and queues the turn that answers it.
func (o *Object) notify(tx *durable.Tx, text string) error {
	_, err := o.post(tx, text, turn.Turn{})
	return err
}
