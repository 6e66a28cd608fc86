package chat

import (
	"slices"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/turn"
)

// probe answers a client's question whether there is a stream to attach to. It
// must always be answered, with the probe's id: after 5 s of silence the client
// believes that nothing runs.
//
// A probe that has its answer already gets none: an offer would never be taken up, and
// leave the client out of a stream that it hears.
func (h *Host) probe(tx *durable.Tx, conn durable.ConnID, probe string) {
	if h.roster.answered(tx, conn, probe, h.live) {
		return
	}
	if h.live != nil {
		h.roster.offerAgain(tx, conn, h.live.turn.Request, h.live.next)
		if !slices.Contains(h.live.replayed, conn) { // else it has taken the stream up, and will hardly do so again
			h.roster.open[conn] = h.live.turn.Request
		}
		send(tx, protocol.Resuming(h.live.turn.Request, probe), conn)
		return
	}
	if t, ok := turn.Next(tx); ok { // it waits until it is quiet, and begins with an offer
		h.roster.offer(tx, conn, t.Request)
		send(tx, protocol.Pending(t.Request, probe), conn)
		return
	}
	if failed := setting(tx, settingTerminal); failed != "" {
		h.roster.open[conn] = failed
		send(tx, protocol.Resuming(failed, probe), conn)
		return
	}
	send(tx, protocol.Idle(probe), conn)
}

// offerParked offers a turn's stream to those who were told that one would begin.
func (h *Host) offerParked(tx *durable.Tx, t turn.Turn) {
	for _, conn := range h.roster.parked() {
		h.roster.offer(tx, conn, t.Request)
		send(tx, protocol.Resuming(t.Request, ""), conn)
	}
}

// releaseParked tells them that none begins.
func (h *Host) releaseParked(tx *durable.Tx) {
	send(tx, protocol.NoStream, h.roster.parked()...)
	h.roster.release(tx)
}

// replay answers a client that has taken up an offer. Everything goes out in one
// step, so that no live chunk can come in between. Each acknowledgement gets an
// end sooner or later, since the client waits for it without a limit.
func (h *Host) replay(tx *durable.Tx, conn durable.ConnID, request string) {
	delete(h.roster.open, conn)
	switch t, ok := turn.Find(tx, request); {
	case h.live != nil && h.live.turn.Request == request:
		h.replayLive(tx, conn, h.roster.took(tx, conn, request, h.live.turn.First))
	case h.live != nil && h.roster.offered[conn] != "":
		// Its offer was for the stream before, whose end it has got; another offer
		// for the one that is live is on its way.
	case ok && t.Status.Final():
		send(tx, ending(t).Encode(), conn)
		h.correctFor(tx, conn, t) // it was left out until now, and may hold a beginning against the transcript
	case !ok:
		send(tx, protocol.Response{ID: request, Done: true, Replay: true}.Encode(), conn)
	}
}

// replayLive sends a connection the live stream from an index on.
func (h *Host) replayLive(tx *durable.Tx, conn durable.ConnID, from int64) {
	l := h.live
	l.replayed = append(l.replayed, conn)
	frame := protocol.Response{ID: l.turn.Request, Replay: true, Continuation: l.turn.Continues}
	for more := true; more; {
		var chunks []stream.Chunk
		chunks, more = stream.Read(tx, l.stream(), from, 1<<20)
		for _, c := range chunks {
			from = c.Index + 1
			if l.foreign(c.Body) {
				continue
			}
			frame.Body, frame.Seq = c.Body, c.Index-l.turn.First
			send(tx, frame.Encode(), conn)
		}
	}
	frame.Body, frame.ReplayComplete = nil, true
	send(tx, frame.Encode(), conn)
}

// foreign says whether a chunk of the log is about a call of an earlier message: only
// a parent is told of it in that way, since a client would fail at it.
func (l *live) foreign(body []byte) bool {
	if l.turn.Log == 0 {
		return false
	}
	c, err := protocol.DecodeChunk(body)
	if err != nil || c.ToolCallID == "" {
		return false
	}
	_, own := l.fold.Call(c.ToolCallID)
	return !own
}
