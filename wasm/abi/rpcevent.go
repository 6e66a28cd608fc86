package abi

import (
	"fmt"

	"github.com/tributary-agents/tributary/durable"
)

func callReceived(c *codec, e *durable.CallReceived) {
	c.fixed(2)
	text(c, &e.Call)
	blob(c, &e.Data)
}

func callAnswered(c *codec, e *durable.CallAnswered) {
	c.fixed(2)
	text(c, &e.Call)
	blob(c, &e.Data)
}

func callFailed(c *codec, e *durable.CallFailed) {
	c.fixed(2)
	text(c, &e.Call)
	text(c, &e.Error)
}

func streamRequested(c *codec, e *durable.StreamRequested) {
	c.fixed(2)
	text(c, &e.Stream)
	blob(c, &e.Data)
}

func streamDrained(c *codec, e *durable.StreamDrained) {
	c.fixed(1)
	text(c, &e.Stream)
}

func streamCancelled(c *codec, e *durable.StreamCancelled) {
	c.fixed(1)
	text(c, &e.Stream)
}

func streamData(c *codec, e *durable.StreamData) {
	c.fixed(2)
	text(c, &e.Stream)
	blob(c, &e.Data)
}

func streamEnded(c *codec, e *durable.StreamEnded) {
	c.fixed(1)
	text(c, &e.Stream)
}

func streamFailed(c *codec, e *durable.StreamFailed) {
	c.fixed(2)
	text(c, &e.Stream)
	text(c, &e.Error)
}

func writeRPCEvent(c *codec, e durable.Event) {
	switch e := e.(type) {
	case durable.CallReceived:
		c.w.integer(kindCallReceived)
		callReceived(c, &e)
	case durable.CallAnswered:
		c.w.integer(kindCallAnswered)
		callAnswered(c, &e)
	case durable.CallFailed:
		c.w.integer(kindCallFailed)
		callFailed(c, &e)
	case durable.StreamRequested:
		c.w.integer(kindStreamRequested)
		streamRequested(c, &e)
	case durable.StreamDrained:
		c.w.integer(kindStreamDrained)
		streamDrained(c, &e)
	case durable.StreamCancelled:
		c.w.integer(kindStreamCancelled)
		streamCancelled(c, &e)
	case durable.StreamData:
		c.w.integer(kindStreamData)
		streamData(c, &e)
	case durable.StreamEnded:
		c.w.integer(kindStreamEnded)
		streamEnded(c, &e)
	case durable.StreamFailed:
		c.w.integer(kindStreamFailed)
		streamFailed(c, &e)
	default:
		panic(fmt.Sprintf("abi: no number for event %T", e))
	}
}

func readRPCEvent(c *codec, kind int64) durable.Event {
	switch kind {
	case kindCallReceived:
		var e durable.CallReceived
		callReceived(c, &e)
		return e
	case kindCallAnswered:
		var e durable.CallAnswered
		callAnswered(c, &e)
		return e
	case kindCallFailed:
		var e durable.CallFailed
		callFailed(c, &e)
		return e
	case kindStreamRequested:
		var e durable.StreamRequested
		streamRequested(c, &e)
		return e
	case kindStreamDrained:
		var e durable.StreamDrained
		streamDrained(c, &e)
		return e
	case kindStreamCancelled:
		var e durable.StreamCancelled
		streamCancelled(c, &e)
		return e
	case kindStreamData:
		var e durable.StreamData
		streamData(c, &e)
		return e
	case kindStreamEnded:
		var e durable.StreamEnded
		streamEnded(c, &e)
		return e
	case kindStreamFailed:
		var e durable.StreamFailed
		streamFailed(c, &e)
		return e
	default:
		c.r.fail(fmt.Errorf("no event has number %d", kind))
		return nil
	}
}
