package abi

import "github.com/tributary-agents/tributary/durable"

// The numbers of the events.
const (
	kindOpened = iota + 1
	kindSocketOpened
	kindSocketMessage
	kindSocketClosed
	kindRequestReceived
	kindAlarmFired
	kindTimerFired
	kindFetchResponded
	kindFetchChunk
	kindFetchEnded
	kindFetchFailed
	kindCallReceived
	kindCallAnswered
	kindCallFailed
	kindStreamRequested
	kindStreamDrained
	kindStreamCancelled
	kindStreamData
	kindStreamEnded
	kindStreamFailed
)

type (
	opened          struct{ durable.Opened }
	socketOpened    struct{ durable.SocketOpened }
	socketMessage   struct{ durable.SocketMessage }
	socketClosed    struct{ durable.SocketClosed }
	requestReceived struct{ durable.RequestReceived }
	alarmFired      struct{ durable.AlarmFired }
	timerFired      struct{ durable.TimerFired }
	fetchResponded  struct{ durable.FetchResponded }
	fetchChunk      struct{ durable.FetchChunk }
	fetchEnded      struct{ durable.FetchEnded }
	fetchFailed     struct{ durable.FetchFailed }
)

func (e *opened) fields(c *codec) {
	c.fixed(6)
	text(c, &e.Class)
	text(c, &e.Name)
	list(c, &e.Conns, text)
	table(c, &e.Vars)
	list(c, &e.Secrets, text)
	text(c, &e.Lost)
}

func (e *socketOpened) fields(c *codec) {
	c.fixed(2)
	text(c, &e.Conn)
	text(c, &e.URL)
}

func (e *socketMessage) fields(c *codec) {
	c.fixed(4)
	text(c, &e.Conn)
	text(c, &e.Text)
	boolean(c, &e.Binary)
	blob(c, &e.Data)
}

func (e *socketClosed) fields(c *codec) {
	c.fixed(3)
	text(c, &e.Conn)
	integer(c, &e.Code)
	text(c, &e.Reason)
}

func (e *requestReceived) fields(c *codec) {
	c.fixed(4)
	text(c, &e.Request)
	text(c, &e.Method)
	text(c, &e.URL)
	blob(c, &e.Body)
}

func (e *alarmFired) fields(c *codec) { c.fixed(0) }

func (e *timerFired) fields(c *codec) {
	c.fixed(1)
	text(c, &e.Timer)
}

func (e *fetchResponded) fields(c *codec) {
	c.fixed(3)
	text(c, &e.Fetch)
	integer(c, &e.Status)
	table(c, &e.Header)
}

func (e *fetchChunk) fields(c *codec) {
	c.fixed(2)
	text(c, &e.Fetch)
	blob(c, &e.Data)
}

func (e *fetchEnded) fields(c *codec) {
	c.fixed(1)
	text(c, &e.Fetch)
}

func (e *fetchFailed) fields(c *codec) {
	c.fixed(3)
	text(c, &e.Fetch)
	text(c, &e.Error)
	boolean(c, &e.Unsent)
}

// Occurrence is an event with its time. A host passes it to open and step.
type Occurrence struct {
	// At is when it happened, in milliseconds since 1970.
	At    int64
	Event durable.Event
}

// Encode returns the bytes of o: a list of version, time, kind and the list of
// the event's fields.
func (o Occurrence) Encode() []byte {
	kind, body := eventBody(o.Event)
	return encode(nil, func(c *codec) {
		o.head(c, &kind)
		body.fields(c)
	})
}

// DecodeOccurrence decodes the bytes of [Occurrence.Encode] or of a host in another language. Its
// error is a [VersionError], or wraps [ErrMalformed].
func DecodeOccurrence(data []byte) (Occurrence, error) {
	var o Occurrence
	err := decode(data, func(c *codec) {
		var kind int
		o.head(c, &kind)
		if c.err == nil {
			o.Event, c.err = decodeEvent(c, kind)
		}
	})
	return o, err
}

func (o *Occurrence) head(c *codec, kind *int) {
	c.versioned(4, func(host int) VersionError { return VersionError{Host: host, Guest: Version} })
	integer(c, &o.At)
	integer(c, kind)
}

func eventBody(e durable.Event) (int, fielder) {
	switch e := e.(type) {
	case durable.Opened:
		return kindOpened, &opened{e}
	case durable.SocketOpened:
		return kindSocketOpened, &socketOpened{e}
	case durable.SocketMessage:
		return kindSocketMessage, &socketMessage{e}
	case durable.SocketClosed:
		return kindSocketClosed, &socketClosed{e}
	case durable.RequestReceived:
		return kindRequestReceived, &requestReceived{e}
	case durable.AlarmFired:
		return kindAlarmFired, &alarmFired{e}
	case durable.TimerFired:
		return kindTimerFired, &timerFired{e}
	case durable.FetchResponded:
		return kindFetchResponded, &fetchResponded{e}
	case durable.FetchChunk:
		return kindFetchChunk, &fetchChunk{e}
	case durable.FetchEnded:
		return kindFetchEnded, &fetchEnded{e}
	case durable.FetchFailed:
		return kindFetchFailed, &fetchFailed{e}
	}
	return rpcBody(e)
}

func decodeEvent(c *codec, kind int) (durable.Event, error) {
	switch kind {
	case kindOpened:
		return take(c, func(e *opened) durable.Event { return e.Opened })
	case kindSocketOpened:
		return take(c, func(e *socketOpened) durable.Event { return e.SocketOpened })
	case kindSocketMessage:
		return take(c, func(e *socketMessage) durable.Event { return e.SocketMessage })
	case kindSocketClosed:
		return take(c, func(e *socketClosed) durable.Event { return e.SocketClosed })
	case kindRequestReceived:
		return take(c, func(e *requestReceived) durable.Event { return e.RequestReceived })
	case kindAlarmFired:
		return take(c, func(e *alarmFired) durable.Event { return e.AlarmFired })
	case kindTimerFired:
		return take(c, func(e *timerFired) durable.Event { return e.TimerFired })
	case kindFetchResponded:
		return take(c, func(e *fetchResponded) durable.Event { return e.FetchResponded })
	case kindFetchChunk:
		return take(c, func(e *fetchChunk) durable.Event { return e.FetchChunk })
	case kindFetchEnded:
		return take(c, func(e *fetchEnded) durable.Event { return e.FetchEnded })
	case kindFetchFailed:
		return take(c, func(e *fetchFailed) durable.Event { return e.FetchFailed })
	}
	return decodeRPCEvent(c, kind)
}

// take reads one body and returns the value that it wraps.
func take[B any, P interface {
	*B
	fielder
}, T any](c *codec, unwrap func(P) T,
) (T, error) {
	body := P(new(B))
	body.fields(c)
	return unwrap(body), c.err
}
