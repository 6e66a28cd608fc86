package drill

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/wire"
)

// socket is one of a helper's sockets: the stream that leads to it, and how many frames it has
// carried.
type socket struct {
	stream string
	sent   int64
}

// TakeSocket takes a socket that the parent holds for this helper, and whose stream leads to it.
func (d *Drill) TakeSocket(tx *durable.Tx, conn durable.ConnID, stream string) {
	if d.sockets == nil {
		d.sockets = map[durable.ConnID]*socket{}
	}
	d.sockets[conn] = &socket{stream: stream}
	tx.Do(durable.Emit{Stream: stream, Data: wire.AppendStart(nil)})
}

// SocketCancelled forgets the socket whose stream the parent has cancelled, and returns it.
func (d *Drill) SocketCancelled(stream string) (durable.ConnID, bool) {
	for conn, s := range d.sockets {
		if s.stream == stream {
			delete(d.sockets, conn)
			return conn, true
		}
	}
	return "", false
}

// Has says whether a socket is connected to a helper.
func (d *Drill) Has(conn durable.ConnID) bool { return d.drillIns[conn] != nil }

// Count is how many sockets are connected to helpers.
func (d *Drill) Count() int { return len(d.drillIns) }

// Acknowledge says that a frame of a socket was handled. It is said on the socket's stream, behind all
// that answers the frame: an answer in a call could come before the stream has brought that.
func (d *Drill) Acknowledge(tx *durable.Tx, conn durable.ConnID) {
	if s := d.sockets[conn]; s != nil {
		tx.Do(durable.Emit{Stream: s.stream, Data: wire.AppendFrame(nil, wire.Frame{Kind: wire.KindHeartbeat})})
	}
}

// Route replaces commands to sockets by commands to the streams that lead to them.
func (d *Drill) Route(c durable.Command) []durable.Command {
	switch c := c.(type) {
	case durable.Send:
		var out []durable.Command
		for _, conn := range c.To {
			if s := d.sockets[conn]; s != nil {
				out = append(out, durable.Emit{Stream: s.stream, Data: wire.AppendFrame(nil, wire.Frame{Kind: wire.KindChunk, Index: s.sent, Body: []byte(c.Text)})})
				s.sent++
			}
		}
		return out
	case durable.Close:
		s := d.sockets[c.Conn]
		if s == nil {
			return nil
		}
		delete(d.sockets, c.Conn)
		end := wire.AppendFrame(nil, wire.Frame{Kind: wire.KindEnd, Index: s.sent, Body: limit.MustMarshal(facet.CloseFrame{Code: c.Code, Reason: c.Reason})})
		return []durable.Command{durable.Emit{Stream: s.stream, Data: end}, durable.EndStream{Stream: s.stream}}
	}
	return []durable.Command{c}
}
