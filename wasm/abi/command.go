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
)

type (
	send        struct{ durable.Send }
	closing     struct{ durable.Close }
	respond     struct{ durable.Respond }
	setAlarm    struct{ durable.SetAlarm }
	startTimer  struct{ durable.StartTimer }
	stopTimer   struct{ durable.StopTimer }
	fetch       struct{ durable.Fetch }
	cancelFetch struct{ durable.CancelFetch }
	logLine     struct{ durable.Log }
)

func (m *send) fields(c *codec) {
	c.fixed(2)
	list(c, &m.To, text)
	text(c, &m.Text)
}

func (m *closing) fields(c *codec) {
	c.fixed(3)
	text(c, &m.Conn)
	integer(c, &m.Code)
	text(c, &m.Reason)
}

func (m *respond) fields(c *codec) {
	c.fixed(4)
	text(c, &m.Request)
	integer(c, &m.Status)
	table(c, &m.Header)
	blob(c, &m.Body)
}

func (m *setAlarm) fields(c *codec) {
	c.fixed(1)
	integer(c, &m.At)
}

func (m *startTimer) fields(c *codec) {
	c.fixed(2)
	text(c, &m.Timer)
	integer(c, &m.After)
}

func (m *stopTimer) fields(c *codec) {
	c.fixed(1)
	text(c, &m.Timer)
}

func (m *fetch) fields(c *codec) {
	c.fixed(5)
	text(c, &m.Fetch.Fetch)
	text(c, &m.Method)
	text(c, &m.URL)
	list(c, &m.Header, func(c *codec, h *durable.Header) {
		c.fixed(3)
		text(c, &h.Name)
		text(c, &h.Value)
		text(c, &h.Secret)
	})
	blob(c, &m.Body)
}

func (m *cancelFetch) fields(c *codec) {
	c.fixed(1)
	text(c, &m.Fetch)
}

func (m *logLine) fields(c *codec) {
	c.fixed(3)
	text(c, &m.Level)
	text(c, &m.Message)
	list(c, &m.Fields, text)
}

func commandBody(m durable.Command) (int, fielder) {
	switch m := m.(type) {
	case durable.Send:
		return kindSend, &send{m}
	case durable.Close:
		return kindClose, &closing{m}
	case durable.Respond:
		return kindRespond, &respond{m}
	case durable.SetAlarm:
		return kindSetAlarm, &setAlarm{m}
	case durable.StartTimer:
		return kindStartTimer, &startTimer{m}
	case durable.StopTimer:
		return kindStopTimer, &stopTimer{m}
	case durable.Fetch:
		return kindFetch, &fetch{m}
	case durable.CancelFetch:
		return kindCancelFetch, &cancelFetch{m}
	case durable.Log:
		return kindLog, &logLine{m}
	}
	return rpcCommandBody(m)
}

func decodeCommand(c *codec, kind int) (durable.Command, error) {
	switch kind {
	case kindSend:
		return take(c, func(m *send) durable.Command { return m.Send })
	case kindClose:
		return take(c, func(m *closing) durable.Command { return m.Close })
	case kindRespond:
		return take(c, func(m *respond) durable.Command { return m.Respond })
	case kindSetAlarm:
		return take(c, func(m *setAlarm) durable.Command { return m.SetAlarm })
	case kindStartTimer:
		return take(c, func(m *startTimer) durable.Command { return m.StartTimer })
	case kindStopTimer:
		return take(c, func(m *stopTimer) durable.Command { return m.StopTimer })
	case kindFetch:
		return take(c, func(m *fetch) durable.Command { return m.Fetch })
	case kindCancelFetch:
		return take(c, func(m *cancelFetch) durable.Command { return m.CancelFetch })
	case kindLog:
		return take(c, func(m *logLine) durable.Command { return m.Log })
	}
	return decodeRPCCommand(c, kind)
}
