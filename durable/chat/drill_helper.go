package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
	"github.com/tributary-agents/tributary/durable/wire"
)

// This file is drill-in at the helper. Its parent holds the sockets. The conversation treats them
// as ordinary connections, and what it sends to them leaves through their streams.

// socket is one of a helper's sockets: the stream that leads to it, and how many frames it has
// carried.
type socket struct {
	stream string
	sent   int64
}

func (c helperCall) openSocket(r facet.SocketRequest) error {
	o, conn := c.object, durable.ConnID(r.Conn)
	if task.IsStale(c.tx, r.Generation) {
		return facet.ErrStale
	}
	if o.sockets == nil {
		o.sockets = map[durable.ConnID]*socket{}
	}
	o.sockets[conn] = &socket{stream: c.stream}
	c.tx.Do(durable.Emit{Stream: c.stream, Data: wire.AppendStart(nil)})
	o.name = r.Name // a run is addressed by its id, not by its slot
	o.connect(c.tx, durable.SocketOpened{Conn: conn, URL: helperPath(r.Path)}, r.Again)
	return nil
}

func (c helperCall) frame(r facet.FrameRequest) (facet.WakeResult, error) {
	e := durable.SocketMessage{Conn: durable.ConnID(r.Conn), Text: r.Text}
	if !c.object.relayFrame(c.tx, e) {
		c.object.receive(c.tx, e)
	}
	c.object.drainAgenda(c.tx)
	if c.object.tails.HasReader() { // the end of the followed run reports it, or has done so
		return facet.WakeResult{At: facet.WakeUnstated}, nil
	}
	return facet.WakeResult{At: c.object.tails.AnnounceWake(c.tx)}, nil
}

func (c helperCall) messages(v facet.MessagesRequest) (facet.TranscriptResult, error) {
	if task.IsStale(c.tx, v.Generation) {
		return facet.TranscriptResult{}, facet.ErrStale
	}
	return facet.TranscriptResult{Body: protocol.MessageList(message.Transcript(c.tx))}, nil
}

// socketStreamCancelled forgets the socket whose stream the parent has cancelled.
func (o *Object) socketStreamCancelled(tx *durable.Tx, stream string) {
	for conn, s := range o.sockets {
		if s.stream == stream {
			delete(o.sockets, conn)
			if !o.closeDrillIn(tx, conn) {
				o.audience.Remove(tx, conn)
			}
			return
		}
	}
}

// routeToStreams replaces commands to sockets by commands to the streams that lead to them.
func (o *Object) routeToStreams(c durable.Command) []durable.Command {
	switch c := c.(type) {
	case durable.Send:
		var out []durable.Command
		for _, conn := range c.To {
			if s := o.sockets[conn]; s != nil {
				out = append(out, durable.Emit{Stream: s.stream, Data: wire.AppendFrame(nil, wire.Frame{Kind: wire.KindChunk, Index: s.sent, Body: []byte(c.Text)})})
				s.sent++
			}
		}
		return out
	case durable.Close:
		s := o.sockets[c.Conn]
		if s == nil {
			return nil
		}
		delete(o.sockets, c.Conn)
		end := wire.AppendFrame(nil, wire.Frame{Kind: wire.KindEnd, Index: s.sent, Body: limit.MustMarshal(facet.CloseFrame{Code: c.Code, Reason: c.Reason})})
		return []durable.Command{durable.Emit{Stream: s.stream, Data: end}, durable.EndStream{Stream: s.stream}}
	}
	return []durable.Command{c}
}
