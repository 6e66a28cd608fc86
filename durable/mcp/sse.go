package mcp

import (
	"bytes"
	"strconv"
)

// events parses a stream of server-sent events. The zero value is ready for the start of a stream.
// Package model has a parser of its own, which keeps the data alone.
type events struct {
	line, data []byte
	// name is that of the event whose lines come, "" for a message.
	name string
	// hasData tells an event with empty data from an event without data.
	hasData bool
	// afterCR says that a line feed that comes next belongs to the previous line.
	afterCR, begun bool
	// last is the id of the latest event that had one. retry is in milliseconds, -1 if it was not said.
	last  string
	retry int64
}

// feed takes the next bytes and calls each with the data of every message that they complete. An event that has
// another name than message, such as ping, is none, whatever its data are. each must not keep the data. The first
// error ends the stream.
func (p *events) feed(b []byte, each func(data []byte) error) error {
	for len(b) > 0 {
		if p.afterCR {
			p.afterCR = false
			if b[0] == '\n' {
				b = b[1:]
				continue
			}
		}
		end := bytes.IndexAny(b, "\r\n")
		if end < 0 {
			p.line = append(p.line, b...)
			return p.check()
		}
		p.line = append(p.line, b[:end]...)
		p.afterCR = b[end] == '\r'
		b = b[end+1:]
		if err := p.check(); err != nil {
			return err
		}
		if err := p.endLine(each); err != nil {
			return err
		}
	}
	return nil
}

func (p *events) check() error {
	if len(p.line)+len(p.data) > MaxMessage+64 { // a field's name is not a part of the message
		return ErrTooLarge
	}
	return nil
}

func (p *events) endLine(each func(data []byte) error) error {
	line := p.line
	p.line = p.line[:0]
	if !p.begun {
		p.begun = true
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	if len(line) == 0 {
		data, complete := p.data, p.hasData && (p.name == "" || p.name == "message")
		p.data, p.hasData, p.name = p.data[:0], false, ""
		if complete {
			return each(data)
		}
		return nil
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
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
