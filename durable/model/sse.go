package model

import (
	"bytes"
	"errors"

	"github.com/tributary-agents/tributary/durable/limit"
)

// maxEvent bounds the data of one server-sent event, and each of its lines, in bytes.
const maxEvent = limit.Event

var errEventTooLarge = errors.New("model: a server-sent event is larger than 1 MiB")

// sseEvent is one server-sent event.
type sseEvent struct {
	// name is the type of the event, or "".
	name string
	data []byte
}

// sseParser parses a stream of server-sent events. A model's answer needs neither comments nor other
// fields than the name and the data. Two things are read that the format does not know: data that is
// whole JSON ends where other JSON begins, because some servers leave out the empty line between events,
// and lines that are no field are kept, because some servers and proxies write an error there. The zero
// value is ready for the start of a stream.
type sseParser struct {
	line []byte
	name string
	data []byte
	// span says whether the data is whole JSON.
	span span
	// stray are the lines that are no field.
	stray []byte
	// hasData tells an event with empty data from an event without data.
	hasData bool
	// afterCR says that a line feed that comes next belongs to the previous line.
	afterCR bool
	begun   bool
}

// feed takes the next bytes and returns the events that they complete. Events that are
// returned with an error precede it. After an error, feed must not be called again.
func (p *sseParser) feed(b []byte) ([]sseEvent, error) {
	var events []sseEvent
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
		if ok {
			events = append(events, event)
		}
		if err != nil {
			return events, err
		}
	}
	return events, nil
}

// rest returns what comes of the rest of a stream at its end.
func (p *sseParser) rest() (events []sseEvent) {
	for range 2 {
		if event, ok, err := p.endLine(); ok && err == nil {
			events = append(events, event)
		}
	}
	return events
}

// torn says whether the stream ends within a line that is neither a comment nor has data.
func (p *sseParser) torn() bool {
	name, value, _ := bytes.Cut(p.line, []byte(":"))
	return len(name) > 0 && (string(name) != "data" || len(bytes.TrimSpace(value)) == 0)
}

func (p *sseParser) endLine() (event sseEvent, complete bool, err error) {
	line := p.line
	if !p.begun {
		p.begun = true
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	p.line = p.line[:0]
	if len(line) == 0 {
		event, complete = p.endEvent()
		return event, complete, nil
	}
	name, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(name) {
	case "data":
	case "event":
		p.name = string(value[:min(len(value), maxEventName)])
		return event, false, nil
	case "", "id", "retry":
		return event, false, nil
	default:
		p.stray = append(append(p.stray, line[:min(len(line), maxErrorBody-len(p.stray))]...), '\n')
		p.stray = p.stray[:min(len(p.stray), maxErrorBody)]
		return event, false, nil
	}
	if p.hasData && begins(value) && p.span.closed() {
		event, complete = p.endEvent()
	}
	if p.hasData {
		p.data = append(p.data, '\n')
	}
	p.data = append(p.data, value...)
	p.span.add(string(value))
	p.hasData = true
	if len(p.data) > maxEvent {
		return event, complete, errEventTooLarge
	}
	return event, complete, nil
}

// maxEventName bounds what is kept of an event's name, in bytes.
const maxEventName = 100

// begins says whether a line of data can be the first one of an event.
func begins(line []byte) bool {
	line = bytes.TrimSpace(line)
	return bytes.HasPrefix(line, []byte("{")) || bytes.Equal(line, []byte("[DONE]"))
}

// endEvent returns the event that is open, if it has data.
func (p *sseParser) endEvent() (sseEvent, bool) {
	event, complete := sseEvent{p.name, p.data}, p.hasData
	p.name, p.data, p.hasData, p.span = "", nil, false, span{}
	return event, complete
}
