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

func opened(c *codec, e *durable.Opened) {
	c.fixed(6)
	text(c, &e.Class)
	text(c, &e.Name)
	texts(c, &e.Conns)
	table(c, &e.Vars)
	texts(c, &e.Secrets)
	text(c, &e.Lost)
}

func socketOpened(c *codec, e *durable.SocketOpened) {
	c.fixed(4)
	text(c, &e.Conn)
	text(c, &e.URL)
	table(c, &e.Header)
	text(c, &e.Claims)
}

func socketMessage(c *codec, e *durable.SocketMessage) {
	c.fixed(5)
	text(c, &e.Conn)
	text(c, &e.Text)
	boolean(c, &e.Binary)
	blob(c, &e.Data)
	text(c, &e.Claims)
}

func socketClosed(c *codec, e *durable.SocketClosed) {
	c.fixed(3)
	text(c, &e.Conn)
	integer(c, &e.Code)
	text(c, &e.Reason)
}

func requestReceived(c *codec, e *durable.RequestReceived) {
	c.fixed(6)
	text(c, &e.Request)
	text(c, &e.Method)
	text(c, &e.URL)
	blob(c, &e.Body)
	table(c, &e.Header)
	text(c, &e.Claims)
}

func alarmFired(c *codec, e *durable.AlarmFired) { c.fixed(0) }

func timerFired(c *codec, e *durable.TimerFired) {
	c.fixed(1)
	text(c, &e.Timer)
}

func fetchResponded(c *codec, e *durable.FetchResponded) {
	c.fixed(3)
	text(c, &e.Fetch)
	integer(c, &e.Status)
	table(c, &e.Header)
}

func fetchChunk(c *codec, e *durable.FetchChunk) {
	c.fixed(2)
	text(c, &e.Fetch)
	blob(c, &e.Data)
}

func fetchEnded(c *codec, e *durable.FetchEnded) {
	c.fixed(1)
	text(c, &e.Fetch)
}

func fetchFailed(c *codec, e *durable.FetchFailed) {
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
	c := codec{writing: true}
	c.versioned(4)
	integer(&c, &o.At)
	writeEvent(&c, o.Event)
	return c.w.out
}

// DecodeOccurrence decodes the bytes of [Occurrence.Encode] or of a host in another language. Its
// error is a [VersionError], or wraps [ErrMalformed].
func DecodeOccurrence(data []byte) (o Occurrence, err error) {
	c := codec{r: reader{data: data}}
	if host := c.versioned(4); host != Version {
		c.r.fail(VersionError{Host: host, Guest: Version})
	}
	integer(&c, &o.At)
	o.Event = readEvent(&c)
	return o, c.end()
}

// writeEvent writes the number of an event, and its fields.
func writeEvent(c *codec, e durable.Event) {
	switch e := e.(type) {
	case durable.Opened:
		c.w.integer(kindOpened)
		opened(c, &e)
	case durable.SocketOpened:
		c.w.integer(kindSocketOpened)
		socketOpened(c, &e)
	case durable.SocketMessage:
		c.w.integer(kindSocketMessage)
		socketMessage(c, &e)
	case durable.SocketClosed:
		c.w.integer(kindSocketClosed)
		socketClosed(c, &e)
	case durable.RequestReceived:
		c.w.integer(kindRequestReceived)
		requestReceived(c, &e)
	case durable.AlarmFired:
		c.w.integer(kindAlarmFired)
		alarmFired(c, &e)
	case durable.TimerFired:
		c.w.integer(kindTimerFired)
		timerFired(c, &e)
	case durable.FetchResponded:
		c.w.integer(kindFetchResponded)
		fetchResponded(c, &e)
	case durable.FetchChunk:
		c.w.integer(kindFetchChunk)
		fetchChunk(c, &e)
	case durable.FetchEnded:
		c.w.integer(kindFetchEnded)
		fetchEnded(c, &e)
	case durable.FetchFailed:
		c.w.integer(kindFetchFailed)
		fetchFailed(c, &e)
	default:
		writeRPCEvent(c, e)
	}
}

// readEvent reads the number of an event, and its fields.
func readEvent(c *codec) durable.Event {
	switch kind := c.r.integer(); kind {
	case kindOpened:
		var e durable.Opened
		opened(c, &e)
		return e
	case kindSocketOpened:
		var e durable.SocketOpened
		socketOpened(c, &e)
		return e
	case kindSocketMessage:
		var e durable.SocketMessage
		socketMessage(c, &e)
		return e
	case kindSocketClosed:
		var e durable.SocketClosed
		socketClosed(c, &e)
		return e
	case kindRequestReceived:
		var e durable.RequestReceived
		requestReceived(c, &e)
		return e
	case kindAlarmFired:
		var e durable.AlarmFired
		alarmFired(c, &e)
		return e
	case kindTimerFired:
		var e durable.TimerFired
		timerFired(c, &e)
		return e
	case kindFetchResponded:
		var e durable.FetchResponded
		fetchResponded(c, &e)
		return e
	case kindFetchChunk:
		var e durable.FetchChunk
		fetchChunk(c, &e)
		return e
	case kindFetchEnded:
		var e durable.FetchEnded
		fetchEnded(c, &e)
		return e
	case kindFetchFailed:
		var e durable.FetchFailed
		fetchFailed(c, &e)
		return e
	default:
		return readRPCEvent(c, kind)
	}
}
