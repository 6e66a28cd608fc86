package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/stream"
	"github.com/tributary-agents/tributary/durable/turn"
)

// probe answers a client's question whether there is a stream to attach to. It
// must always be answered, with the probe's id: after 5 s of silence the client
// believes that nothing runs.
func (h *Host) probe(tx *durable.Tx, conn durable.ConnID, probe string) {
	if h.live != nil {
		h.roster.offer(tx, conn, h.live.turn.Request)
		send(tx, protocol.Resuming(h.live.turn.Request, probe), conn)
		return
	}
	if failed := setting(tx, settingTerminal); failed != "" {
		send(tx, protocol.Resuming(failed, probe), conn)
		return
	}
	send(tx, protocol.Idle(probe), conn)
}

// replay answers a client that has taken up an offer. Everything goes out in one
// step, so that no live chunk can come in between. Each acknowledgement gets an
// end sooner or later, since the client waits for it without a limit.
func (h *Host) replay(tx *durable.Tx, conn durable.ConnID, request string) {
	switch t, ok := turn.Find(tx, request); {
	case h.live != nil && h.live.turn.Request == request:
		h.roster.take(tx, conn, request)
		h.replayLive(tx, conn)
	case h.live != nil && h.roster.offered[conn] != "":
		// Its offer was for the stream before, whose end it has got; another offer
		// for the one that is live is on its way.
	case ok && t.Status.Final():
		send(tx, ending(t).Encode(), conn)
	case !ok:
		send(tx, protocol.Response{ID: request, Done: true, Replay: true}.Encode(), conn)
	}
}

func (h *Host) replayLive(tx *durable.Tx, conn durable.ConnID) {
	l := h.live
	frame := protocol.Response{ID: l.turn.Request, Replay: true, Continuation: l.turn.Continues}
	for from, more := int64(0), true; more; {
		var chunks []stream.Chunk
		chunks, more = stream.Read(tx, l.stream(), from, 1<<20)
		for _, c := range chunks {
			frame.Body, frame.Seq = c.Body, c.Index
			send(tx, frame.Encode(), conn)
			from = c.Index + 1
		}
	}
	frame.Body, frame.ReplayComplete = nil, true
	send(tx, frame.Encode(), conn)
}
