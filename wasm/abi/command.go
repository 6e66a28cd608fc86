package abi

import "github.com/tributary-agents/tributary/durable"

// The numbers of the commands.
const (
	kindSend = iota + 1
	kindClose
	kindRespond
	kindSetAlarm
	kindStartTimer
	kindStopTimer
	kindFetch
	kindCancelFetch
	kindLog
	kindCall
	kindAnswer
	kindOpenStream
	kindCancelStream
	kindEmit
	kindEndStream
	kindDeleteFacet
	kindEvictFacet
	kindBegin
)

func send(c *codec, m *durable.Send) {
	c.fixed(2)
	texts(c, &m.To)
	text(c, &m.Text)
}

func closing(c *codec, m *durable.Close) {
	c.fixed(3)
	text(c, &m.Conn)
	integer(c, &m.Code)
	text(c, &m.Reason)
}

func respond(c *codec, m *durable.Respond) {
	c.fixed(4)
	text(c, &m.Request)
	integer(c, &m.Status)
	table(c, &m.Header)
	blob(c, &m.Body)
}

func begin(c *codec, m *durable.Begin) {
	c.fixed(3)
	text(c, &m.Request)
	integer(c, &m.Status)
	table(c, &m.Header)
}

func setAlarm(c *codec, m *durable.SetAlarm) {
	c.fixed(1)
	integer(c, &m.At)
}

func startTimer(c *codec, m *durable.StartTimer) {
	c.fixed(2)
	text(c, &m.Timer)
	integer(c, &m.After)
}

func stopTimer(c *codec, m *durable.StopTimer) {
	c.fixed(1)
	text(c, &m.Timer)
}

func fetch(c *codec, m *durable.Fetch) {
	c.fixed(5)
	text(c, &m.Fetch)
	text(c, &m.Method)
	text(c, &m.URL)
	list(c, &m.Header)
	for i := range m.Header {
		header(c, &m.Header[i])
	}
	blob(c, &m.Body)
}

func header(c *codec, h *durable.Header) {
	c.fixed(3)
	text(c, &h.Name)
	text(c, &h.Value)
	text(c, &h.Secret)
}

func cancelFetch(c *codec, m *durable.CancelFetch) {
	c.fixed(1)
	text(c, &m.Fetch)
}

func logLine(c *codec, m *durable.Log) {
	c.fixed(3)
	text(c, &m.Level)
	text(c, &m.Message)
	texts(c, &m.Fields)
}

// command walks a command: a list of its number and of its fields.
func command(c *codec, m *durable.Command) {
	c.fixed(2)
	if c.writing {
		writeCommand(c, *m)
	} else {
		*m = readCommand(c)
	}
}

func writeCommand(c *codec, m durable.Command) {
	switch m := m.(type) {
	case durable.Send:
		c.w.integer(kindSend)
		send(c, &m)
	case durable.Close:
		c.w.integer(kindClose)
		closing(c, &m)
	case durable.Respond:
		c.w.integer(kindRespond)
		respond(c, &m)
	case durable.Begin:
		c.w.integer(kindBegin)
		begin(c, &m)
	case durable.SetAlarm:
		c.w.integer(kindSetAlarm)
		setAlarm(c, &m)
	case durable.StartTimer:
		c.w.integer(kindStartTimer)
		startTimer(c, &m)
	case durable.StopTimer:
		c.w.integer(kindStopTimer)
		stopTimer(c, &m)
	case durable.Fetch:
		c.w.integer(kindFetch)
		fetch(c, &m)
	case durable.CancelFetch:
		c.w.integer(kindCancelFetch)
		cancelFetch(c, &m)
	case durable.Log:
		c.w.integer(kindLog)
		logLine(c, &m)
	default:
		writeRPCCommand(c, m)
	}
}

func readCommand(c *codec) durable.Command {
	switch kind := c.r.integer(); kind {
	case kindSend:
		var m durable.Send
		send(c, &m)
		return m
	case kindClose:
		var m durable.Close
		closing(c, &m)
		return m
	case kindRespond:
		var m durable.Respond
		respond(c, &m)
		return m
	case kindBegin:
		var m durable.Begin
		begin(c, &m)
		return m
	case kindSetAlarm:
		var m durable.SetAlarm
		setAlarm(c, &m)
		return m
	case kindStartTimer:
		var m durable.StartTimer
		startTimer(c, &m)
		return m
	case kindStopTimer:
		var m durable.StopTimer
		stopTimer(c, &m)
		return m
	case kindFetch:
		var m durable.Fetch
		fetch(c, &m)
		return m
	case kindCancelFetch:
		var m durable.CancelFetch
		cancelFetch(c, &m)
		return m
	case kindLog:
		var m durable.Log
		logLine(c, &m)
		return m
	default:
		return readRPCCommand(c, kind)
	}
}
