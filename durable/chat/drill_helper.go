package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/drill"
	"github.com/tributary-agents/tributary/durable/internal/facet"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/internal/task"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file is drill-in at the helper. Its parent holds the sockets. The conversation treats them
// as ordinary connections, and what it sends to them leaves through their streams.

func (c helperCall) openSocket(r facet.SocketRequest) error {
	o, conn := c.object, durable.ConnID(r.Conn)
	if task.IsStale(c.tx, r.Generation) {
		return facet.ErrStale
	}
	o.drill.TakeSocket(c.tx, conn, c.stream)
	o.name = r.Name // a run is addressed by its id, not by its slot
	o.connect(c.tx, durable.SocketOpened{Conn: conn, URL: drill.HelperPath(r.Path)}, r.Again)
	return nil
}

func (c helperCall) frame(r facet.FrameRequest) (facet.WakeResult, error) {
	e := durable.SocketMessage{Conn: durable.ConnID(r.Conn), Text: r.Text}
	if !c.object.drill.Relay(c.tx, e) {
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
