package durabletest

import (
	"fmt"
	"strconv"

	"github.com/tributary-agents/tributary/durable"
)

// carry sends a command of one node to another node.
func (w *World) carry(n *node, c durable.Command) {
	switch c := c.(type) {
	case durable.Call:
		w.note(n, "call %s %s %s", c.Call, c.To.Slot, c.To.Class)
		l := w.link(n, n.facet(c.To), c.Call, false)
		w.send(l, l.to, durable.CallReceived{Call: l.id, Data: c.Data})
	case durable.Answer:
		l := w.links[c.Call]
		delete(w.links, c.Call)
		switch {
		case l == nil:
		case c.Error != "":
			w.send(l, l.from, durable.CallFailed{Call: l.name, Error: c.Error})
		default:
			w.send(l, l.from, durable.CallAnswered{Call: l.name, Data: c.Data})
		}
	case durable.OpenStream:
		w.note(n, "open %s %s %s", c.Stream, c.From.Slot, c.From.Class)
		w.cancelStream(n, c.Stream)
		l := w.link(n, n.facet(c.From), c.Stream, true)
		w.send(l, l.to, durable.StreamRequested{Stream: l.id, Data: c.Data})
	case durable.CancelStream:
		w.cancelStream(n, c.Stream)
	case durable.Emit:
		if l := w.links[c.Stream]; l != nil {
			w.send(l, l.from, durable.StreamData{Stream: l.name, Data: c.Data})
			w.send(l, l.to, durable.StreamDrained{Stream: l.id})
		}
	case durable.EndStream:
		if l := w.links[c.Stream]; l != nil {
			delete(w.links, c.Stream)
			l.toDeaf = true
			w.send(l, l.from, durable.StreamEnded{Stream: l.name})
		}
	case durable.DeleteFacet:
		w.note(n, "delete %s", c.Slot)
		w.wipe(n, c.Slot)
	case durable.EvictFacet:
		w.note(n, "evict %s", c.Slot)
		if f := n.facets[c.Slot]; f != nil {
			for _, below := range f.tree() {
				w.evict(below)
			}
		}
	default:
		panic(fmt.Sprintf("durabletest: command %T", c))
	}
}

func (w *World) link(from, to *node, name string, stream bool) *link {
	w.made++
	l := &link{from: from, to: to, name: name, id: "link-" + strconv.Itoa(w.made), number: w.made, stream: stream}
	w.links[l.id] = l
	return l
}
