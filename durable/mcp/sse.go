package mcp

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/tributary-agents/tributary/durable/internal/sse"
)

// events parses a stream of server-sent events. The zero value is ready for the start of a stream.
type events struct {
	lines sse.Lines
	data  []byte
	// name is that of the event whose lines come, "" for a message.
	name string
	// hasData tells an event with empty data from an event without data.
	hasData bool
	// last is the id of the latest event that had one. retry is in milliseconds, -1 if it was not said.
	last  string
	retry int64
}

// feed takes the next bytes and calls each with the data of every message that they complete. An event that has
// another name than message, such as ping, is none, whatever its data are. each must not keep the data. The first
// error ends the stream.
func (p *events) feed(b []byte, each func(data []byte) error) error {
	p.limit()
	err := p.lines.Feed(b, func(line []byte) error {
		defer p.limit()
		return p.endLine(line, each)
	})
	if errors.Is(err, sse.ErrLong) {
		return ErrTooLarge
	}
	return err
}

// limit says how long the next line may be: a field's name is not a part of the message.
func (p *events) limit() { p.lines.Most = MaxMessage + 64 - len(p.data) }

func (p *events) endLine(line []byte, each func(data []byte) error) error {
	if len(line) == 0 {
		data, complete := p.data, p.hasData && (p.name == "" || p.name == "message")
		p.data, p.hasData, p.name = p.data[:0], false, ""
		if complete {
			return each(data)
		}
		return nil
	}
	name, value := sse.Field(line)
	switch name {
	case "data":
		if p.hasData {
			p.data = append(p.data, '\n')
		}
		p.data = append(p.data, value...)
		p.hasData = true
	case "event":
		p.name = string(value[:min(len(value), maxEventName)])
	case "id":
		if len(value) <= maxEventID && bytes.IndexByte(value, 0) < 0 {
			p.last = string(value)
		}
	case "retry":
		if n, err := strconv.ParseInt(string(value), 10, 32); err == nil && n >= 0 {
			p.retry = n
		}
	}
	return nil
}

// maxEventID bounds the id of an event, in bytes. An event with a longer one counts as having none.
const maxEventID = 1024

// maxEventName bounds what is kept of the name of an event, in bytes.
const maxEventName = 16

// AppendEvent appends a message as a server-sent event. The id is "" for none. The message has no line
// breaks, as every message that is encoded here.
func AppendEvent(dst []byte, id string, message []byte) []byte {
	if id != "" {
		dst = append(append(append(dst, "id: "...), id...), '\n')
	}
	dst = append(append(dst, "data: "...), message...)
	return append(dst, "\n\n"...)
}

// KeepAlive is a comment that keeps a stream of events open.
const KeepAlive = ":\n\n"
