package chat

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/internal/loop"
	"github.com/tributary-agents/tributary/durable/internal/reply"
	"github.com/tributary-agents/tributary/durable/internal/setting"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/turn"
)

// probe answers a client's question whether there is a stream to attach to. The answer carries the
// probe's id and must always be sent: after 5 s of silence the client believes that nothing runs.
//
// A probe that is answered already gets no second answer. The client would never take up a second
// offer, and would be left out of a stream that it receives now.
func (o *Object) probe(tx *durable.Tx, conn durable.ConnID, probe string) {
	active := ""
	if o.loop.IsActive() {
		active = o.loop.Turn().Request
	}
	if o.audience.ProbeAnswered(tx, conn, probe, active) {
		return
	}
	if active != "" {
		if o.audience.OwnProbe(tx, conn, probe, active) {
			return
		}
		o.audience.OfferAgain(tx, conn, active, o.loop.Draft().Next)
		if !slices.Contains(o.viewers.replayed, conn) { // a client that was sent the replay will hardly ask for it again
			o.audience.NoteOpenOffer(conn, active)
		}
		audience.Send(tx, protocol.Resuming(active, probe), conn)
		return
	}
	if t, ok := turn.Next(tx); ok { // the turn is debounced, and sends an offer when it begins
		if !o.audience.OwnProbe(tx, conn, probe, t.Request) {
			o.audience.Offer(tx, conn, t.Request)
			audience.Send(tx, protocol.Pending(t.Request, probe), conn)
		}
		return
	}
	if failed := setting.Text(tx, settingTerminal); failed != "" {
		o.audience.NoteOpenOffer(conn, failed)
		audience.Send(tx, protocol.Resuming(failed, probe), conn)
		return
	}
	audience.Send(tx, protocol.Idle(probe), conn)
}

// offerToWaiting offers a turn's stream to the connections that were told that a turn would begin.
func (o *Object) offerToWaiting(tx *durable.Tx, t turn.Turn) {
	for _, conn := range o.audience.AwaitingTurn() {
		o.audience.Offer(tx, conn, t.Request)
		audience.Send(tx, protocol.Resuming(t.Request, ""), conn)
	}
}

// releaseWaiting tells the connections that were told of a coming turn that none begins.
func (o *Object) releaseWaiting(tx *durable.Tx) {
	audience.Send(tx, protocol.NoStream, o.audience.AwaitingTurn()...)
	o.audience.Release(tx)
}

// replay answers a client that has taken up an offer. Everything is sent in one event, so that no
// live chunk can come in between. Every acknowledgement gets an end sooner or later, because the
// client waits for it without a limit. One that has received the end already ignores another.
func (o *Object) replay(tx *durable.Tx, conn durable.ConnID, request string) {
	o.audience.CloseOffer(conn)
	switch t, ok := turn.Find(tx, request); {
	case o.loop.HasRequest(request):
		o.replayActive(tx, conn, o.audience.StartReplay(tx, conn, request, o.loop.Turn().First, o.loop.Draft().Next))
	case ok && t.Status.Final():
		audience.Send(tx, endFrame(t).Encode(), conn)
		o.sendStored(tx, conn, t) // the client was left out until now, and may keep only the beginning of the message
	case !ok:
		audience.Send(tx, protocol.Response{ID: request, Done: true, Replay: true}.Encode(), conn)
	}
}

// replayActive sends a connection the stream of the active turn from an index on.
func (o *Object) replayActive(tx *durable.Tx, conn durable.ConnID, from int64) {
	t, draft := o.loop.Turn(), o.loop.Draft()
	o.viewers.replayed = append(o.viewers.replayed, conn)
	o.loop.Store(tx)
	frame := protocol.Response{ID: t.Request, Replay: true, Continuation: t.Continues}
	foreign := false
	for c := range stream.All(tx, loop.StreamOf(t), from) {
		foreign = t.Log != 0 && isForeign(draft, c.Body, foreign)
		if !foreign {
			frame.Body, frame.Seq = c.Body, c.Index-t.First
			audience.Send(tx, frame.Encode(), conn)
		}
	}
	frame.Body, frame.ReplayComplete = nil, true
	audience.Send(tx, frame.Encode(), conn)
}

// isForeign says whether a chunk of the log is about a call of an earlier message. Only a parent is
// sent such a chunk, because a browser's client would fail at it. before says so of the chunk before,
// whose call a file belongs to.
func isForeign(draft *reply.Draft, body []byte, before bool) bool {
	c, err := protocol.DecodeChunk(body)
	if err != nil || c.ToolCallID == "" {
		return before && c.Type == protocol.ChunkFile
	}
	_, own := draft.Fold.Call(c.ToolCallID)
	return !own
}
