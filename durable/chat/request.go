package chat

import (
	"errors"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/agent"
	"github.com/tributary-agents/tributary/durable/internal/admission"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/internal/claims"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/internal/prompt"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/turn"
)

// receive handles one frame of a browser. A frame that cannot be understood is answered with an
// error to its sender and changes nothing.
func (o *Object) receive(tx *durable.Tx, e durable.SocketMessage) {
	if e.Binary || !o.audience.Has(e.Conn) {
		return // clients send no binary frames; a refused socket may still have sent a frame
	}
	frame, err := protocol.ParseFrame(e.Text)
	if err != nil {
		o.answerBadFrame(tx, e, err)
		return
	}
	switch f := frame.(type) {
	case protocol.ChatRequest:
		o.acceptRequest(tx, e, f)
	case protocol.Cancel:
		o.cancel(tx, e.Conn, f.ID)
	case protocol.Clear:
		o.clear(tx, e.Conn)
	case protocol.PushMessages:
		o.push(tx, e, f)
	case protocol.ResumeRequest:
		o.probe(tx, e.Conn, f.ProbeID)
	case protocol.ResumeAck:
		o.replay(tx, e.Conn, f.ID)
	case protocol.SetState:
		o.setState(tx, e.Conn, f.State)
	case protocol.ToolResult:
		if !o.answerQuestion(tx, e, f) {
			o.result(tx, e, f)
		}
	case protocol.ToolApproval:
		if !o.answerQuestion(tx, e, f) {
			o.approve(tx, e, f)
		}
	case protocol.Call:
		o.call(tx, e, f)
	}
}

// answerBadFrame tells the sender what is wrong with its frame. The form of the answer ends the
// sender's wait for a response.
func (o *Object) answerBadFrame(tx *durable.Tx, e durable.SocketMessage, err error) {
	conn := e.Conn
	var bad *protocol.FrameError
	if !errors.As(err, &bad) {
		panic(err)
	}
	switch {
	case bad.IsCall() && bad.ID != "":
		audience.Send(tx, protocol.CallError(bad.ID, bad.Error()), conn)
	case bad.IsChatRequest() && bad.ID != "":
		o.refuse(tx, conn, bad.ID, bad)
	default:
		if len(e.Text) > protocol.Limits.Frame { // the list that the client pushed was not stored; the client is sent the stored one
			o.audience.RefuseWithTranscript(tx, conn)
		}
		audience.Send(tx, protocol.Error(bad.Error()), conn)
	}
	tx.Log(durable.Warn, "bad frame", "conn", string(conn), "error", bad.Error())
}

// refuse ends a request that was not accepted. The sender is sent the transcript without the
// refused message. If the message stayed on the page, the next list would contain it again and be
// refused too. If the queue is only full for now, the message stays and can be sent again.
func (o *Object) refuse(tx *durable.Tx, conn durable.ConnID, request string, reason error) {
	if !errors.Is(reason, admission.ErrFull) {
		o.audience.RefuseWithTranscript(tx, conn)
	}
	audience.Send(tx, protocol.Response{
		ID: request, Body: []byte(reason.Error()), Done: true, Error: true, Outcome: protocol.Failed,
	}.Encode(), conn)
}

// acceptRequest accepts a chat request. The new messages of the client's list are stored, the other
// tabs are shown them, and a turn is queued. The asking tab already shows its question. It is sent
// a transcript only if an older one may still be on its way and would remove the question from its
// list, if an earlier question of its own never arrived, or if another turn is active, whose place
// it may not know. Otherwise the client would put an answer in front of its question, for good.
//
// A tab that asks for a new answer is always sent the transcript. Its client forgets such a request
// when the greeting comes, and whether a greeting was sent is known only in memory.
func (o *Object) acceptRequest(tx *durable.Tx, e durable.SocketMessage, f protocol.ChatRequest) {
	conn := e.Conn
	o.audience.NoteRequest(tx, conn, f.ID)
	if t, ok := turn.Find(tx, f.ID); ok {
		if t.Status.Final() {
			audience.Send(tx, endFrame(t).Encode(), conn)
		}
		return // the request was accepted before, and its frames are sent to everyone
	}
	body, err := protocol.ChatBody{}, o.refusalReason(tx, e.Claims)
	if err == nil {
		body, err = admission.ParseRequest(f)
	}
	if err != nil {
		o.refuse(tx, conn, f.ID, err)
		return
	}
	plain, busy := admission.IsPlain(tx, o.agent.DuringTurn, body), o.busy(tx)
	if plain && busy && o.agent.DuringTurn == turn.Drop {
		o.dropRequest(tx, conn, f.ID, body)
		return
	}
	waits, by := busy || o.loop.Paused(), o.granted(e.Claims, agent.TurnInfo{Request: f.ID, Conn: conn})
	asked, err := admission.TakeList(tx, o.agent.DuringTurn, body, by, waits)
	if err != nil {
		o.refuse(tx, conn, f.ID, err)
		return
	}
	keepBrowserTools(tx, body.Tools, by)
	asked.Request, asked.Conn, asked.Plain = f.ID, conn, plain && asked.Edit == nil
	if waits {
		o.queueRequest(tx, asked)
		return
	}
	t := admission.Enqueue(tx, asked.Turn)
	o.applyCut(tx, t)
	if o.audience.LacksMessages(tx, conn, body, asked.Fresh) {
		o.audience.SendTranscript(tx, o.audience.All()...)
		o.audience.NoteReply(conn)
	} else {
		o.audience.SendTranscript(tx, o.audience.All(conn)...)
	}
	if o.startTurn(tx, t); o.loop.Has(t.Seq) {
		o.viewers.clientListBytes = len(f.Body)
	}
}

// queueRequest queues a request. The policy may skip other queued requests in its favour. Everybody
// is sent the messages of the skipped requests before the requests end.
func (o *Object) queueRequest(tx *durable.Tx, asked admission.Asked) {
	var gone []turn.Turn
	t := asked.Turn
	if t.Plain {
		t.QuietUntil = admission.QuietUntil(tx, o.agent.DuringTurn)
		gone = admission.Overtake(tx, o.agent.DuringTurn, turn.TrailingPlain(tx), &t)
	}
	t = admission.Enqueue(tx, t)
	if asked.Edit != nil {
		turn.KeepEdit(tx, t.Seq, string(asked.Edit.Encode()))
	}
	o.audience.SendTranscript(tx, o.audience.All()...)
	o.audience.NoteReply(t.Conn)
	o.skipTurns(tx, gone)
	o.startNext(tx)
}

// applyEdit changes the message that a turn has changed which has waited. It says whether it may: not if a
// turn of other claims waits to answer the message.
func (o *Object) applyEdit(tx *durable.Tx, t turn.Turn) (may bool) {
	m, ok := message.Parse(tx, "of a waiting edit", turn.TakeEdit(tx, t.Seq))
	if !ok {
		return false
	}
	for _, other := range turn.AnsweredFor(tx, m.ID) {
		if !claims.Equal(other, t.Claims) {
			return false
		}
	}
	message.Put(tx, t.Place-1, m, t.Claims)
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
// stored messages that it lacks are deleted, and the user's messages are taken. Messages of other claims
// than the client's stay as they are. A push is ignored
// while a turn is active, because it could delete the question of that turn. A list is as long as
// the conversation, and most of it is stored already. Only new or changed messages are decoded and
// written, and only up to a limit, because other objects wait meanwhile.
func (o *Object) push(tx *durable.Tx, e durable.SocketMessage, f protocol.PushMessages) {
	conn := e.Conn
	if o.busy(tx) {
		audience.Send(tx, protocol.Error("messages cannot be replaced while an answer is streaming"), conn)
		return
	}
	have, by := message.Known(tx, f.List), o.granted(e.Claims, agent.TurnInfo{Conn: conn})
	changed := message.Changed(tx, f, have)
	owned := message.Owned(tx, f.List, changed, by)
	fresh, err := admission.DecodeMessages(f, owned)
	if err != nil {
		o.audience.RefuseWithTranscript(tx, conn)
		audience.Send(tx, protocol.Error(err.Error()), conn)
		return
	}
	foreign := len(owned) < len(changed)
	if admission.AllKnown(f.List, have) {
		if oldest, any := message.OldestShown(tx); any {
			prompt.ForgetWindow(tx, 0)
			foreign = message.DeleteExcept(tx, oldest, f.List, by) || foreign
		}
		o.dropPendingCalls(tx)
	}
	for _, m := range fresh {
		place := have[m.ID].Place
		if _, ok := have[m.ID]; !ok {
			place = message.TakePlaces(tx, 1)
		}
		message.Put(tx, place, m, by)
	}
	if foreign { // the client shows what it has wanted
		o.audience.SendTranscript(tx, conn)
	}
	o.audience.SendTranscript(tx, o.audience.All(conn)...)
}
