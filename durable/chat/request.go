package chat

import (
	"errors"
	"fmt"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// request accepts a chat request: what is new in the client's list is stored,
// the other tabs are shown it, and a turn is queued. Who has asked knows what it has
// asked, unless a transcript wipes it away that crosses the request, or has wiped away what
// it had asked before and never arrived; and where another turn speaks, it may not know
// where that stands. The client would put an answer in front of its question, for good.
func (h *Host) request(tx *durable.Tx, conn durable.ConnID, f protocol.ChatRequest) {
	h.roster.posted(tx, conn)
	if t, ok := turn.Find(tx, f.ID); ok {
		if t.Status.Final() {
			send(tx, ending(t).Encode(), conn)
		}
		return // accepted before: its frames come, or have come, to everyone
	}
	body, err := protocol.ChatBody{}, h.closed(tx)
	if err == nil {
		body, err = parseRequest(f)
	}
	if err != nil {
		h.refuse(tx, conn, f.ID, err)
		return
	}
	plain, busy := h.isPlain(tx, body), h.busy(tx)
	if plain && busy && h.agent.DuringTurn == Drop {
		h.drop(tx, conn, f.ID, body)
		return
	}
	t, fresh, err := h.reconcile(tx, body)
	if err != nil {
		h.refuse(tx, conn, f.ID, err)
		return
	}
	keepBrowserTools(tx, body.Tools)
	t.Request, t.Conn, t.Plain = f.ID, conn, plain
	if busy {
		h.queue(tx, t)
		return
	}
	t = h.admit(tx, t)
	h.cut(tx, t)
	if fresh > 1 || h.crossesList(tx, body) {
		h.show(tx, h.roster.all()...)
	} else {
		h.show(tx, h.roster.all(conn)...)
	}
	if h.begin(tx, t); h.live != nil && h.live.turn.Seq == t.Seq {
		h.live.posted = len(f.Body)
	}
}

// queue has a request wait. Others that wait may give way to it; everybody is shown the
// messages before those end.
func (h *Host) queue(tx *durable.Tx, t turn.Turn) {
	var gone []turn.Turn
	if t.Plain {
		t.QuietUntil = h.quietUntil(tx)
		gone = h.giveWay(tx, turn.Last(tx), &t)
	}
	h.admit(tx, t)
	h.show(tx, h.roster.all()...)
	h.skip(tx, gone)
	h.advance(tx)
}

func parseRequest(f protocol.ChatRequest) (protocol.ChatBody, error) {
	if f.Method != "POST" {
		return protocol.ChatBody{}, fmt.Errorf("method %.20q, want POST", f.Method)
	}
	return protocol.ParseChatBody(f.Body)
}

// reconcile stores what a client's list brings and returns the turn that it asks
// for, and how many messages of the list were not stored. A client posts its whole list, which may be older than what is stored, so
// only the user messages at its end are taken from it, and of the others no more is looked
// at than whether they are known, where these are. That the list is shorter
// than what is stored means something only if every message of it is known: it
// was cut, by an edit or to have an answer given anew.
func (h *Host) reconcile(tx *durable.Tx, body protocol.ChatBody) (t turn.Turn, fresh int, err error) {
	merged := h.mergedLately(tx, body)
	body = askMerged(tx, body, merged)
	end := body.List[len(body.List)-max(len(body.Asked), 1):]
	have := known(tx, end)
	last := end[len(end)-1]
	if !allKnown(body.Before, known(tx, body.Before)) {
		return turn.Turn{}, 0, fmt.Errorf("%d messages behind the last answer, at most %d can be new", len(body.Before)+len(body.Asked), protocol.Limits.Fresh)
	}
	for _, m := range body.Asked {
		if s, ok := have[m.ID]; ok && s.role != protocol.RoleUser {
			return turn.Turn{}, 0, fmt.Errorf("message %q is not the user's", m.ID)
		}
		if err := checkAttachments(m); err != nil {
			return turn.Turn{}, 0, err
		}
	}
	if allKnown(end, have) && allKnown(body.List, known(tx, body.List)) {
		t.Cut = last.ID
	}
	switch {
	case len(body.Asked) > 0:
		t.Reply = tx.NewID()
	case body.Regenerate && t.Cut != "":
		t.Reply = tx.NewID()
	case have[last.ID].role == protocol.RoleAssistant:
		t.Reply, t.Continues = last.ID, true
	default:
		return turn.Turn{}, 0, errors.New("the last message is neither the user's nor known")
	}
	asked := withoutMerged(body, merged, have)
	fresh = len(body.Asked) - len(asked) // they are shown where they are no more
	t.Place = places(tx, len(asked)+1)
	for i, m := range asked {
		place := t.Place - int64(len(asked)-i)
		s, ok := have[m.ID]
		if ok {
			place = s.place
		} else {
			fresh++
		}
		if !ok || i == len(asked)-1 { // only the last can have been edited; the others may have been merged
			put(tx, place, m)
		}
		t.Origin = append(t.Origin, m.ID)
	}
	return t, fresh, nil
}

func allKnown(messages []protocol.Listed, have map[string]stored) bool {
	for _, m := range messages {
		if _, ok := have[m.ID]; !ok {
			return false
		}
	}
	return true
}

// cut takes away what a turn's request had cut off its list.
func (h *Host) cut(tx *durable.Tx, t turn.Turn) bool {
	if t.Cut == "" || !cut(tx, t.Cut, t.Place) {
		return false
	}
	h.withdraw(tx)
	return true
}

// push takes over a list that a client has set by itself: what is missing from it is
// deleted, if all of it is known, and the user's messages are taken. While a turn
// speaks that would pull the ground from under it, so the push is passed over.
//
// A list is as long as the conversation, and most of it is stored as it is: only what is new or
// was changed is decoded and written, and that is bounded, since other objects wait meanwhile.
func (h *Host) push(tx *durable.Tx, conn durable.ConnID, f protocol.PushMessages) {
	if h.busy(tx) {
		send(tx, protocol.Complaint("messages cannot be replaced while an answer is streaming"), conn)
		return
	}
	have := known(tx, f.List)
	fresh, err := take(f, changed(tx, f, have))
	if err != nil {
		h.show(tx, conn)
		send(tx, protocol.Complaint(err.Error()), conn)
		return
	}
	if allKnown(f.List, have) {
		deleteExcept(tx, f.List)
		h.withdraw(tx)
	}
	for _, m := range fresh {
		place := have[m.ID].place
		if _, ok := have[m.ID]; !ok {
			place = places(tx, 1)
		}
		put(tx, place, m)
	}
	h.show(tx, h.roster.all(conn)...)
}

// take decodes the messages of a client's list that are to be written, by their places in it.
func take(f protocol.PushMessages, at []int) ([]protocol.Message, error) {
	if most := protocol.Limits.Fresh; len(at) > most {
		return nil, fmt.Errorf("more than %d messages are new or changed, which is as many as can be at once", most)
	}
	messages := make([]protocol.Message, len(at))
	for n, i := range at {
		m, err := f.Message(i)
		if err == nil {
			err = checkAttachments(m)
		}
		if err != nil {
			return nil, err
		}
		messages[n] = m
	}
	return messages, nil
}
