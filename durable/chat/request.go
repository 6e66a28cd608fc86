package chat

import (
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/internal/prompt"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// acceptRequest accepts a chat request. The new messages of the client's list are stored, the other
// tabs are shown them, and a turn is queued. The asking tab already shows its question. It is sent
// a transcript only if an older one may still be on its way and would remove the question from its
// list, if an earlier question of its own never arrived, or if another turn is active, whose place
// it may not know. Otherwise the client would put an answer in front of its question, for good.
//
// A tab that asks for a new answer is always sent the transcript. Its client forgets such a request
// when the greeting comes, and whether a greeting was sent is known only in memory.
func (o *Object) acceptRequest(tx *durable.Tx, conn durable.ConnID, f protocol.ChatRequest) {
	o.audience.NoteRequest(tx, conn)
	if t, ok := turn.Find(tx, f.ID); ok {
		if t.Status.Final() {
			audience.Send(tx, endFrame(t).Encode(), conn)
		}
		return // the request was accepted before, and its frames are sent to everyone
	}
	body, err := protocol.ChatBody{}, o.refusalReason(tx)
	if err == nil {
		body, err = parseRequest(f)
	}
	if err != nil {
		o.refuse(tx, conn, f.ID, err)
		return
	}
	plain, busy := o.isPlain(tx, body), o.busy(tx)
	if plain && busy && o.agent.DuringTurn == Drop {
		o.dropRequest(tx, conn, f.ID, body)
		return
	}
	t, fresh, err := o.takeClientList(tx, body)
	if err != nil {
		o.refuse(tx, conn, f.ID, err)
		return
	}
	keepBrowserTools(tx, body.Tools)
	t.Request, t.Conn, t.Plain = f.ID, conn, plain
	if busy {
		o.queueRequest(tx, t)
		return
	}
	t = enqueue(tx, t)
	o.applyCut(tx, t)
	if fresh > 1 || body.Regenerate || o.audience.ListMayHaveCrossed(tx, body) {
		o.audience.SendTranscript(tx, o.audience.All()...)
	} else {
		o.audience.SendTranscript(tx, o.audience.All(conn)...)
	}
	if o.startTurn(tx, t); o.loop.Has(t.Seq) {
		o.viewers.clientListBytes = len(f.Body)
	}
}

// queueRequest queues a request. The policy may skip other queued requests in its favour. Everybody
// is sent the messages of the skipped requests before the requests end.
func (o *Object) queueRequest(tx *durable.Tx, t turn.Turn) {
	var gone []turn.Turn
	if t.Plain {
		t.QuietUntil = o.quietUntil(tx)
		gone = o.overtake(tx, turn.TrailingPlain(tx), &t)
	}
	enqueue(tx, t)
	o.audience.SendTranscript(tx, o.audience.All()...)
	o.skipTurns(tx, gone)
	o.startNext(tx)
}

func parseRequest(f protocol.ChatRequest) (protocol.ChatBody, error) {
	if f.Method != "POST" {
		return protocol.ChatBody{}, fmt.Errorf("method %.20q, want POST", f.Method)
	}
	return protocol.ParseChatBody(f.Body)
}

// takeClientList stores what is new in a client's list. It returns the turn that the list asks for,
// and how many of its messages were not stored before. A client posts its whole list, which may be
// older than the stored conversation. So only the user messages at the end of the list are taken,
// and the other messages are only looked up by their ids. A list that is shorter than the stored
// conversation counts as a cut only if all its messages are known: it was cut by an edit or for
// another answer.
func (o *Object) takeClientList(tx *durable.Tx, body protocol.ChatBody) (t turn.Turn, fresh int, err error) {
	merged := o.mergedLately(tx, body)
	body = askMerged(tx, body, merged)
	end := body.List[len(body.List)-max(len(body.UserMessages), 1):]
	have := message.Known(tx, end)
	last := end[len(end)-1]
	if !allKnown(body.Before, message.Known(tx, body.Before)) {
		return turn.Turn{}, 0, fmt.Errorf("%d messages behind the last answer, at most %d can be new", len(body.Before)+len(body.UserMessages), protocol.Limits.Fresh)
	}
	for _, m := range body.UserMessages {
		if s, ok := have[m.ID]; ok && s.Role != protocol.RoleUser {
			return turn.Turn{}, 0, fmt.Errorf("message %q is not the user's", m.ID)
		}
		if err := message.CheckAttachments(m); err != nil {
			return turn.Turn{}, 0, err
		}
	}
	if allKnown(end, have) && allKnown(body.List, message.Known(tx, body.List)) {
		t.Cut = last.ID
	}
	switch {
	case len(body.UserMessages) > 0:
		t.Reply = tx.NewID()
	case body.Regenerate && t.Cut != "":
		t.Reply = tx.NewID()
	case have[last.ID].Role == protocol.RoleAssistant:
		t.Reply, t.Continues = last.ID, true
	default:
		return turn.Turn{}, 0, errors.New("the last message is neither the user's nor known")
	}
	asked := withoutMerged(body, merged, have)
	fresh = len(body.UserMessages) - len(asked) // merged messages count: they are shown where they no longer exist
	t.Place = message.TakePlaces(tx, len(asked)+1)
	for i, m := range asked {
		place := t.Place - int64(len(asked)-i)
		s, ok := have[m.ID]
		if ok {
			place = s.Place
		} else {
			fresh++
		}
		if !ok || i == len(asked)-1 { // only the last message can have been edited; the others may have been merged
			message.Put(tx, place, m)
		}
		t.Origin = append(t.Origin, m.ID)
	}
	return t, fresh, nil
}

func allKnown(messages []protocol.Listed, have map[string]message.Head) bool {
	for _, m := range messages {
		if _, ok := have[m.ID]; !ok {
			return false
		}
	}
	return true
}

// applyCut deletes the messages that the request of a turn has cut off.
func (o *Object) applyCut(tx *durable.Tx, t turn.Turn) bool {
	if t.Cut == "" {
		return false
	}
	first, found := message.Cut(tx, t.Cut, t.Place)
	if !found {
		return false
	}
	prompt.ForgetWindow(tx, first)
	o.dropPendingCalls(tx)
	return true
}

// push takes over a list that a client has set by itself. If all of its messages are known, the
// stored messages that it lacks are deleted, and the user's messages are taken. A push is ignored
// while a turn is active, because it could delete the question of that turn. A list is as long as
// the conversation, and most of it is stored already. Only new or changed messages are decoded and
// written, and only up to a limit, because other objects wait meanwhile.
func (o *Object) push(tx *durable.Tx, conn durable.ConnID, f protocol.PushMessages) {
	if o.busy(tx) {
		audience.Send(tx, protocol.Error("messages cannot be replaced while an answer is streaming"), conn)
		return
	}
	have := message.Known(tx, f.List)
	fresh, err := decodeMessages(f, message.Changed(tx, f, have))
	if err != nil {
		o.audience.SendTranscript(tx, conn)
		audience.Send(tx, protocol.Error(err.Error()), conn)
		return
	}
	if allKnown(f.List, have) {
		if oldest, any := message.OldestShown(tx); any {
			prompt.ForgetWindow(tx, 0)
			message.DeleteExcept(tx, oldest, f.List)
		}
		o.dropPendingCalls(tx)
	}
	for _, m := range fresh {
		place := have[m.ID].Place
		if _, ok := have[m.ID]; !ok {
			place = message.TakePlaces(tx, 1)
		}
		message.Put(tx, place, m)
	}
	o.audience.SendTranscript(tx, o.audience.All(conn)...)
}

// decodeMessages decodes the messages of a client's list that are to be written. at are their
// places in the list.
func decodeMessages(f protocol.PushMessages, at []int) ([]protocol.Message, error) {
	if most := protocol.Limits.Fresh; len(at) > most {
		return nil, fmt.Errorf("more than %d messages are new or changed, which is as many as can be at once", most)
	}
	messages := make([]protocol.Message, len(at))
	for n, i := range at {
		m, err := f.Message(i)
		if err == nil {
			err = message.CheckAttachments(m)
		}
		if err != nil {
			return nil, err
		}
		messages[n] = m
	}
	return messages, nil
}
