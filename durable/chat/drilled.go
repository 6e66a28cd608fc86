package chat

import (
	"encoding/json"

	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/wire"
)

// This file is drill-in at the helper: sockets that its parent holds. To the
// conversation they are connections like any other; what it sends them leaves by
// their streams.

// socketRequest connects a browser's socket to a helper, under the name of its run, or
// with a path to one of that helper's own. Again says that it was connected before, and
// Generation counts the uses of the helper's slot.
type socketRequest struct {
	Conn, Name, Path string
	Again            bool
	Generation       int64
}

// visit asks a helper for what it shows.
type visit struct{ Generation int64 }

var errOutlived = &wire.Error{Code: wire.CodeRefused, Message: "the helper is to be wiped"}

// frameRequest is a frame that such a socket has brought.
type frameRequest struct{ Conn, Text string }

// transcriptResult is the answer of get-messages.
type transcriptResult struct{ Body []byte }

// closing is how a helper closes a socket.
type closing struct {
	Code   int    `json:"code"`
	Reason string `json:"reason"`
}

var (
	openSocket   = wire.NewStream[socketRequest]("socket.open")
	tellFrame    = wire.NewMethod[frameRequest, wakenResult]("socket.frame")
	listMessages = wire.NewMethod[visit, transcriptResult]("messages.list")
)

// socket is one of a helper's sockets: the stream that leads to it, and how many
// frames it has carried.
type socket struct {
	stream string
	sent   int64
}

func (s serving) openSocket(r socketRequest) error {
	h, conn := s.host, durable.ConnID(r.Conn)
	if h.outlived(s.tx, r.Generation) {
		return errOutlived
	}
	if h.sockets == nil {
		h.sockets = map[durable.ConnID]*socket{}
	}
	h.sockets[conn] = &socket{stream: s.stream}
	s.tx.Do(durable.Emit{Stream: s.stream, Data: wire.AppendStart(nil)})
	h.name = r.Name // a run is addressed by its id, not by the slot that it lives in
	h.connect(s.tx, durable.SocketOpened{Conn: conn, URL: below(r.Path)}, r.Again)
	return nil
}

func (s serving) frame(r frameRequest) (wakenResult, error) {
	e := durable.SocketMessage{Conn: durable.ConnID(r.Conn), Text: r.Text}
	if !s.host.relay(s.tx, e) {
		s.host.receive(s.tx, e)
	}
	s.host.unwind(s.tx)
	if len(s.host.tails) > 0 { // the end of the run that is followed will tell, or has told by now
		return wakenResult{toldElsewhere}, nil
	}
	return wakenResult{s.host.want(s.tx)}, nil
}

func (s serving) messages(v visit) (transcriptResult, error) {
	if s.host.outlived(s.tx, v.Generation) {
		return transcriptResult{}, errOutlived
	}
	return transcriptResult{Body: protocol.MessageList(transcript(s.tx))}, nil
}

// hangUp forgets the socket whose stream the parent reads no more.
func (h *Host) hangUp(tx *durable.Tx, stream string) {
	for conn, s := range h.sockets {
		if s.stream == stream {
			delete(h.sockets, conn)
			if !h.undrill(tx, conn) {
				h.roster.remove(tx, conn)
			}
			return
		}
	}
}

// divert turns what the conversation says to sockets into what leaves by streams.
func (h *Host) divert(c durable.Command) []durable.Command {
	switch c := c.(type) {
	case durable.Send:
		var out []durable.Command
		for _, conn := range c.To {
			if s := h.sockets[conn]; s != nil {
				out = append(out, durable.Emit{Stream: s.stream, Data: wire.AppendFrame(nil, wire.Frame{Kind: wire.KindChunk, Index: s.sent, Body: []byte(c.Text)})})
				s.sent++
			}
		}
		return out
	case durable.Close:
		s := h.sockets[c.Conn]
		if s == nil {
			return nil
		}
		delete(h.sockets, c.Conn)
		body, err := json.Marshal(closing{Code: c.Code, Reason: c.Reason})
		if err != nil {
			panic("chat: " + err.Error())
		}
		end := wire.AppendFrame(nil, wire.Frame{Kind: wire.KindEnd, Index: s.sent, Body: body})
		return []durable.Command{durable.Emit{Stream: s.stream, Data: end}, durable.EndStream{Stream: s.stream}}
	}
	return []durable.Command{c}
}
