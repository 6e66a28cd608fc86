package abi

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable"
)

func call(c *codec, m *durable.Call) {
	c.fixed(3)
	text(c, &m.Call)
	facet(c, &m.To)
	blob(c, &m.Data)
}

func facet(c *codec, f *durable.Facet) {
	c.fixed(2)
	text(c, &f.Slot)
	text(c, &f.Class)
}

func answer(c *codec, m *durable.Answer) {
	c.fixed(3)
	text(c, &m.Call)
	blob(c, &m.Data)
	text(c, &m.Error)
}

func openStream(c *codec, m *durable.OpenStream) {
	c.fixed(3)
	text(c, &m.Stream)
	facet(c, &m.From)
	blob(c, &m.Data)
}

func cancelStream(c *codec, m *durable.CancelStream) {
	c.fixed(1)
	text(c, &m.Stream)
}

func emit(c *codec, m *durable.Emit) {
	c.fixed(2)
	text(c, &m.Stream)
	blob(c, &m.Data)
}

func endStream(c *codec, m *durable.EndStream) {
	c.fixed(1)
	text(c, &m.Stream)
}

func deleteFacet(c *codec, m *durable.DeleteFacet) {
	c.fixed(1)
	text(c, &m.Slot)
}

func evictFacet(c *codec, m *durable.EvictFacet) {
	c.fixed(1)
	text(c, &m.Slot)
}

func writeRPCCommand(c *codec, m durable.Command) {
	switch m := m.(type) {
	case durable.Call:
		c.w.integer(kindCall)
		call(c, &m)
	case durable.Answer:
		c.w.integer(kindAnswer)
		answer(c, &m)
	case durable.OpenStream:
		c.w.integer(kindOpenStream)
		openStream(c, &m)
	case durable.CancelStream:
		c.w.integer(kindCancelStream)
		cancelStream(c, &m)
	case durable.Emit:
		c.w.integer(kindEmit)
		emit(c, &m)
	case durable.EndStream:
		c.w.integer(kindEndStream)
		endStream(c, &m)
	case durable.DeleteFacet:
		c.w.integer(kindDeleteFacet)
		deleteFacet(c, &m)
	case durable.EvictFacet:
		c.w.integer(kindEvictFacet)
		evictFacet(c, &m)
	default:
		panic(fmt.Sprintf("abi: no number for command %T", m))
	}
}

func readRPCCommand(c *codec, kind int64) durable.Command {
	switch kind {
	case kindCall:
		var m durable.Call
		call(c, &m)
		return m
	case kindAnswer:
		var m durable.Answer
		answer(c, &m)
		return m
	case kindOpenStream:
		var m durable.OpenStream
		openStream(c, &m)
		return m
	case kindCancelStream:
		var m durable.CancelStream
		cancelStream(c, &m)
		return m
	case kindEmit:
		var m durable.Emit
		emit(c, &m)
		return m
	case kindEndStream:
		var m durable.EndStream
		endStream(c, &m)
		return m
	case kindDeleteFacet:
		var m durable.DeleteFacet
		deleteFacet(c, &m)
		return m
	case kindEvictFacet:
		var m durable.EvictFacet
		evictFacet(c, &m)
		return m
	default:
		c.r.fail(fmt.Errorf("no command has number %d", kind))
		return nil
	}
}
