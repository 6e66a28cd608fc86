package abi

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable"
)

// The events of calls and streams between objects.
type (
	callReceived    struct{ durable.CallReceived }
	callAnswered    struct{ durable.CallAnswered }
	callFailed      struct{ durable.CallFailed }
	streamRequested struct{ durable.StreamRequested }
	streamDrained   struct{ durable.StreamDrained }
	streamCancelled struct{ durable.StreamCancelled }
	streamData      struct{ durable.StreamData }
	streamEnded     struct{ durable.StreamEnded }
	streamFailed    struct{ durable.StreamFailed }
)

func (e *callReceived) fields(c *codec) {
	c.fixed(2)
	text(c, &e.Call)
	blob(c, &e.Data)
}

func (e *callAnswered) fields(c *codec) {
	c.fixed(2)
	text(c, &e.Call)
	blob(c, &e.Data)
}

func (e *callFailed) fields(c *codec) {
	c.fixed(2)
	text(c, &e.Call)
	text(c, &e.Error)
}

func (e *streamRequested) fields(c *codec) {
	c.fixed(2)
	text(c, &e.Stream)
	blob(c, &e.Data)
}

func (e *streamDrained) fields(c *codec) {
	c.fixed(1)
	text(c, &e.Stream)
}

func (e *streamCancelled) fields(c *codec) {
	c.fixed(1)
	text(c, &e.Stream)
}

func (e *streamData) fields(c *codec) {
	c.fixed(2)
	text(c, &e.Stream)
	blob(c, &e.Data)
}

func (e *streamEnded) fields(c *codec) {
	c.fixed(1)
	text(c, &e.Stream)
}

func (e *streamFailed) fields(c *codec) {
	c.fixed(2)
	text(c, &e.Stream)
	text(c, &e.Error)
}

func rpcBody(e durable.Event) (int, fielder) {
	switch e := e.(type) {
	case durable.CallReceived:
		return kindCallReceived, &callReceived{e}
	case durable.CallAnswered:
		return kindCallAnswered, &callAnswered{e}
	case durable.CallFailed:
		return kindCallFailed, &callFailed{e}
	case durable.StreamRequested:
		return kindStreamRequested, &streamRequested{e}
	case durable.StreamDrained:
		return kindStreamDrained, &streamDrained{e}
	case durable.StreamCancelled:
		return kindStreamCancelled, &streamCancelled{e}
	case durable.StreamData:
		return kindStreamData, &streamData{e}
	case durable.StreamEnded:
		return kindStreamEnded, &streamEnded{e}
	case durable.StreamFailed:
		return kindStreamFailed, &streamFailed{e}
	}
	panic(fmt.Sprintf("abi: no number for event %T", e))
}

func decodeRPCEvent(c *codec, kind int) (durable.Event, error) {
	switch kind {
	case kindCallReceived:
		return take(c, func(e *callReceived) durable.Event { return e.CallReceived })
	case kindCallAnswered:
		return take(c, func(e *callAnswered) durable.Event { return e.CallAnswered })
	case kindCallFailed:
		return take(c, func(e *callFailed) durable.Event { return e.CallFailed })
	case kindStreamRequested:
		return take(c, func(e *streamRequested) durable.Event { return e.StreamRequested })
	case kindStreamDrained:
		return take(c, func(e *streamDrained) durable.Event { return e.StreamDrained })
	case kindStreamCancelled:
		return take(c, func(e *streamCancelled) durable.Event { return e.StreamCancelled })
	case kindStreamData:
		return take(c, func(e *streamData) durable.Event { return e.StreamData })
	case kindStreamEnded:
		return take(c, func(e *streamEnded) durable.Event { return e.StreamEnded })
	case kindStreamFailed:
		return take(c, func(e *streamFailed) durable.Event { return e.StreamFailed })
	}
	return nil, fmt.Errorf("no event has number %d", kind)
}
