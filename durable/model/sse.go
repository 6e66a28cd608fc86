package model

import (
	"bytes"
	"errors"

	"github.com/tributary-agents/tributary/durable/limit"
)

// maxEvent bounds the data of one server-sent event, and each of its lines, in bytes.
const maxEvent = limit.Event

var errEventTooLarge = errors.New("model: a server-sent event is larger than 1 MiB")

// sseParser parses a stream of server-sent events. It returns only the data: a model's answer needs
// neither comments nor the other fields. The zero value is ready for the start of a stream.
type sseParser struct {
	line []byte
	data []byte
	// hasData tells an event with empty data from an event without data.
	hasData bool
	// afterCR says that a line feed that comes next belongs to the previous line.
	afterCR bool
	begun   bool
}

// feed takes the next bytes and returns the data of the events that they complete. Events that are
// returned with an error precede it. After an error, feed must not be called again.
func (p *sseParser) feed(b []byte) ([][]byte, error) {
	var events [][]byte
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
			end = len(b)
		}
		p.line = append(p.line, b[:end]...)
		if len(p.line) > maxEvent {
			return events, errEventTooLarge
		}
		if end == len(b) {
			break
		}
		p.afterCR = b[end] == '\r'
		b = b[end+1:]
		event, ok, err := p.endLine()
		if err != nil {
			return events, err
		}
		if ok {
			events = append(events, event)
		}
	}
	return events, nil
}

// rest returns the data of an event whose end is missing at the end of the stream, if there is one.
func (p *sseParser) rest() ([]byte, bool) {
	event, ok, err := p.endLine()
	if !ok && err == nil {
		event, ok, err = p.endLine()
	}
	return event, ok && err == nil
}

// torn says whether the stream ends within a line that is neither a comment nor has data.
func (p *sseParser) torn() bool {
	name, value, _ := bytes.Cut(p.line, []byte(":"))
	return len(name) > 0 && (string(name) != "data" || len(bytes.TrimSpace(value)) == 0)
}

func (p *sseParser) endLine() (event []byte, complete bool, err error) {
	line := p.line
	if !p.begun {
		p.begun = true
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	p.line = p.line[:0]
	if len(line) == 0 {
		event, complete = p.data, p.hasData
		p.data, p.hasData = nil, false
		return event, complete, nil
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	if string(name) != "data" {
		return nil, false, nil
	}
	if p.hasData {
		p.data = append(p.data, '\n')
	}
	p.data = append(p.data, bytes.TrimPrefix(value, []byte(" "))...)
	p.hasData = true
	if len(p.data) > maxEvent {
		return nil, false, errEventTooLarge
	}
	return nil, false, nil
}
