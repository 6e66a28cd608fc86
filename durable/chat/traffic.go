package chat

import (
	"github.com/tributary-agents/tributary/durable"
	"github.com/tributary-agents/tributary/durable/internal/audience"
	"github.com/tributary-agents/tributary/durable/internal/message"
	"github.com/tributary-agents/tributary/durable/limit"
	"github.com/tributary-agents/tributary/durable/protocol"
)

// This file is about what sockets cost. Package audience counts it, and says who has cost too much.

// admits says whether a frame is handled. A socket that has cost too much is closed, and forgotten.
func (o *Object) admits(tx *durable.Tx, e durable.SocketMessage) bool {
	if !o.isConnected(e.Conn) {
		return false
	}
	if o.audience.Admit(tx, e.Conn, e.Claims, min(len(e.Text)+len(e.Data), limit.Frame)) { // a longer one is not read
		return true
	}
	o.disconnect(tx, e.Conn)
	return false
}

// endTraffic counts what an event has sent, and closes the sockets for which that was too much.
func (o *Object) endTraffic(tx *durable.Tx) {
	for _, conn := range o.audience.EndEvent(tx) {
		o.disconnect(tx, conn)
		audience.TooMuch(tx, conn)
	}
}

// newest returns the newest frame of a kind, or "" if there is nothing to show any more.
func (o *Object) newest(tx *durable.Tx, what audience.Shown, id, who string) string {
	switch what {
	case audience.State:
		return protocol.State(stateOf(tx))
	case audience.Servers:
		if o.servers != nil {
			return o.servers.Frame(tx, who)
		}
	case audience.Draft:
		if o.loop.IsActive() { // otherwise the end of the turn has shown the message
			return protocol.MessageUpdated(o.loop.Draft().Message())
		}
	case audience.Message:
		if m, ok := message.Load(tx, id); ok {
			return protocol.MessageUpdated(m)
		}
	}
	return ""
}

// showDraft shows everybody the message of the active turn.
func (o *Object) showDraft(tx *durable.Tx) {
	o.audience.Show(tx, audience.Draft, func() string { return protocol.MessageUpdated(o.loop.Draft().Message()) }, o.audience.All()...)
}
