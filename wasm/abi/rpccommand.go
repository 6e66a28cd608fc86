package abi

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable"
)

// The commands of calls and streams between objects, and of the facets at their
// other end.
type (
	call         struct{ durable.Call }
	answer       struct{ durable.Answer }
	openStream   struct{ durable.OpenStream }
	cancelStream struct{ durable.CancelStream }
	emit         struct{ durable.Emit }
	endStream    struct{ durable.EndStream }
	deleteFacet  struct{ durable.DeleteFacet }
	evictFacet   struct{ durable.EvictFacet }
)

func (m *call) fields(c *codec) {
	c.fixed(3)
	text(c, &m.Call.Call)
	facet(c, &m.To)
	blob(c, &m.Data)
}

func facet(c *codec, f *durable.Facet) {
	c.fixed(2)
	text(c, &f.Slot)
	text(c, &f.Class)
}

func (m *answer) fields(c *codec) {
	c.fixed(3)
	text(c, &m.Call)
	blob(c, &m.Data)
	text(c, &m.Error)
}

func (m *openStream) fields(c *codec) {
	c.fixed(3)
	text(c, &m.Stream)
	facet(c, &m.From)
	blob(c, &m.Data)
}

func (m *cancelStream) fields(c *codec) {
	c.fixed(1)
	text(c, &m.Stream)
}

func (m *emit) fields(c *codec) {
	c.fixed(2)
	text(c, &m.Stream)
	blob(c, &m.Data)
}

func (m *endStream) fields(c *codec) {
	c.fixed(1)
	text(c, &m.Stream)
}

func (m *deleteFacet) fields(c *codec) {
	c.fixed(1)
	text(c, &m.Slot)
}

func (m *evictFacet) fields(c *codec) {
	c.fixed(1)
	text(c, &m.Slot)
}

func rpcCommandBody(m durable.Command) (int, fielder) {
	switch m := m.(type) {
	case durable.Call:
		return kindCall, &call{m}
	case durable.Answer:
		return kindAnswer, &answer{m}
	case durable.OpenStream:
		return kindOpenStream, &openStream{m}
	case durable.CancelStream:
		return kindCancelStream, &cancelStream{m}
	case durable.Emit:
		return kindEmit, &emit{m}
	case durable.EndStream:
		return kindEndStream, &endStream{m}
	case durable.DeleteFacet:
		return kindDeleteFacet, &deleteFacet{m}
	case durable.EvictFacet:
		return kindEvictFacet, &evictFacet{m}
	}
	panic(fmt.Sprintf("abi: no number for command %T", m))
}

func decodeRPCCommand(c *codec, kind int) (durable.Command, error) {
	switch kind {
	case kindCall:
		return take(c, func(m *call) durable.Command { return m.Call })
	case kindAnswer:
		return take(c, func(m *answer) durable.Command { return m.Answer })
	case kindOpenStream:
		return take(c, func(m *openStream) durable.Command { return m.OpenStream })
	case kindCancelStream:
		return take(c, func(m *cancelStream) durable.Command { return m.CancelStream })
	case kindEmit:
		return take(c, func(m *emit) durable.Command { return m.Emit })
	case kindEndStream:
		return take(c, func(m *endStream) durable.Command { return m.EndStream })
	case kindDeleteFacet:
		return take(c, func(m *deleteFacet) durable.Command { return m.DeleteFacet })
	case kindEvictFacet:
		return take(c, func(m *evictFacet) durable.Command { return m.EvictFacet })
	}
	return nil, fmt.Errorf("no command has number %d", kind)
}
