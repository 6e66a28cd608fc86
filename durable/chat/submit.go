package chat

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/flow"
	"github.com/tributary-agents/tributary/durable/internal/admission"
	"github.com/tributary-agents/tributary/durable/internal/author"
	"github.com/tributary-agents/tributary/durable/internal/loop"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/internal/prompt"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/run"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/turn"
)

// submit queues the turn that code requests, or finds the turn of an earlier request.
func (o *Object) submit(tx *durable.Tx, r author.TurnRequest) (t turn.Turn, joined bool, err error) {
	id := cmp.Or(r.ID, tx.NewID())
	t = turn.Turn{Submission: id, Key: r.Key, SubmittedText: r.Text, Request: "submission-" + id, Claims: r.Claims}
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
	if err := o.refusalReason(tx, t.Claims); err != nil {
		return t, err
	}
	if text == "" || len(text) > limit.Notice {
		return t, fmt.Errorf("a message of %d bytes, not 1 to %d", len(text), limit.Notice)
	}
	id := admission.NoticeID + tx.NewID()
	t.Request = cmp.Or(t.Request, id)
	admission.MakeTables(tx)
	t.Origin, t.Reply, t.Place = []string{id}, tx.NewID(), message.TakePlaces(tx, 2)
	message.Put(tx, t.Place-1, protocol.UserMessage(id, text), t.Claims)
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
func (o *Object) notify(tx *durable.Tx, text, claims string) error {
	_, err := o.post(tx, text, turn.Turn{Claims: claims})
	return err
}

// The rest of this file is about what an agent says without a model. It is a turn, so that it keeps its order.
// Between two chunks of an answer, a message of the agent would remove that answer from the tabs
// that show it.

// narrate queues a turn that says a text in a message of its own. No model is asked.
func (o *Object) narrate(tx *durable.Tx, text string) error {
	claims := o.acting()
	if err := o.refusalReason(tx, claims); err != nil {
		return err
	}
	if text == "" || len(text) > limit.Notice {
		return fmt.Errorf("a narration of %d bytes, not 1 to %d", len(text), limit.Notice)
	}
	t := admission.Enqueue(tx, turn.Turn{Request: narrationPrefix + tx.NewID(), Reply: tx.NewID(), Place: message.TakePlaces(tx, 1), Claims: claims})
	admission.AddNarration(tx, t.Seq, text)
	o.agenda.next = true
	return nil
}

// narrationOf takes the text that a turn says without a model, if the turn has one.
func (o *Object) narrationOf(tx *durable.Tx, t turn.Turn) (string, bool) {
	if !strings.HasPrefix(t.Request, narrationPrefix) { // a client's request id may also begin with the prefix
		return "", false
	}
	return admission.TakeNarration(tx, t.Seq)
}

// queueJob queues a turn that runs code of package agent, which finds by the text what it has to do. The
// turn works for the claims of the code that wants it.
func (o *Object) queueJob(tx *durable.Tx, text string) error {
	claims := o.acting()
	if err := o.refusalReason(tx, claims); err != nil {
		return err
	}
	t := admission.Enqueue(tx, turn.Turn{Request: jobPrefix + tx.NewID(), Reply: tx.NewID(), Place: message.TakePlaces(tx, 1), Claims: claims})
	admission.AddNarration(tx, t.Seq, text)
	o.agenda.next = true
	return nil
}

// jobOf returns the code of a turn that does something for other code, or nil.
func (o *Object) jobOf(tx *durable.Tx, t turn.Turn) loop.Code {
	if !strings.HasPrefix(t.Request, jobPrefix) || author.Linked.Job == nil {
		return nil
	}
	text, ok := admission.Narration(tx, t.Seq)
	if !ok {
		return nil
	}
	return func(c *flow.Context) (json.RawMessage, error) {
		return author.Linked.Job(o.context(c, author.Code{Base: t.Request, Claims: t.Claims}), text)
	}
}

// announceMilestone posts a notice of a milestone into the chat, if the run says so. It is called
// in the event that stores the milestone, once for each name. What a hosted run reaches is for the
// conversation of the helper that has begun it.
func (o *Object) announceMilestone(tx *durable.Tx, r run.Run, m stream.Milestone) {
	var err error
	switch {
	case r.Origin != nil:
	case slices.Contains(r.Announce.React, m.Name):
		err = o.postOrDefer(tx, true, fmt.Sprintf("(The %s at work in the background has reached a milestone: %s.)%s", r.Class, m.Name, detail(m)))
	case slices.Contains(r.Announce.Narrate, m.Name):
		err = o.postOrDefer(tx, false, narration(r, m))
	}
	if err != nil {
		tx.Log(durable.Error, "a milestone could not be told of", "run", r.ID, "milestone", m.Name, "error", err.Error())
	}
}

// postOrDefer posts a notice into the chat, with or without a reaction of the model. If the queue
// is full, or another notice waits already, the notice is stored until there is room: nothing else
// would post it again. The error says that too many wait already.
func (o *Object) postOrDefer(tx *durable.Tx, react bool, text string) error {
	err := admission.ErrFull
	if _, waits := admission.NextNotice(tx); !waits {
		err = o.postNotice(tx, react, text)
	}
	if errors.Is(err, admission.ErrFull) {
		return admission.DeferNotice(tx, react, text, o.acting())
	}
	return err
}

func (o *Object) postNotice(tx *durable.Tx, react bool, text string) error {
	if react {
		return o.notify(tx, text, o.acting())
	}
	return o.narrate(tx, text)
}

// postDeferredNotices posts the notices that waited for room, in the order in which they came.
func (o *Object) postDeferredNotices(tx *durable.Tx) {
	for {
		claims, waits := admission.NextNotice(tx)
		if !waits || admission.Refusal(tx, claims) != nil {
			return
		}
		react, text := admission.TakeNotice(tx)
		until := o.actFor(claims)
		err := o.postNotice(tx, react, text)
		if until(); err != nil {
			tx.Log(durable.Error, "what was kept could not be told", "error", err.Error())
		}
	}
}

// narration is the notice of a milestone: its data if that is a text, and otherwise its name.
func narration(r run.Run, m stream.Milestone) string {
	var text string
	if json.Unmarshal(m.Data, &text) == nil && text != "" {
		return text
	}
	return fmt.Sprintf("The %s at work in the background has reached a milestone: %s.", r.Class, m.Name)
}

// detail is the data of a milestone in a notice, beside its name.
func detail(m stream.Milestone) string {
	var text string
	switch {
	case len(m.Data) == 0:
		return ""
	case json.Unmarshal(m.Data, &text) == nil:
		return "\n\n" + text
	}
	return "\n\n" + string(m.Data)
}
