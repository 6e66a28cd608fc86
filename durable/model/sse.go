package model

import (
	"bytes"
	"errors"

	"github.com/tributary-agents/tributary/durable/internal/sse"
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
	lines sse.Lines
	name  string
	data  []byte
	// span says whether the data is whole JSON.
	span span
	// stray are the lines that are no field.
	stray []byte
	// hasData tells an event with empty data from an event without data.
	hasData bool
}

// feed takes the next bytes and returns the events that they complete. Events that are
// returned with an error precede it. After an error, feed must not be called again.
func (p *sseParser) feed(b []byte) (events []sseEvent, err error) {
	p.lines.Most = maxEvent
	err = p.lines.Feed(b, func(line []byte) error {
		event, complete, err := p.endLine(line)
		if complete {
			events = append(events, event)
		}
		return err
	})
	if err != nil { // a line or the data of an event
		err = errEventTooLarge
	}
	return events, err
}

// rest returns what comes of the rest of a stream at its end.
func (p *sseParser) rest() (events []sseEvent) {
	for range 2 {
		_ = p.lines.End(func(line []byte) error {
			if event, complete, err := p.endLine(line); complete && err == nil {
				events = append(events, event)
			}
			return nil
		})
	}
	return events
}

// torn says whether the stream ends within a line that is neither a comment nor has data.
func (p *sseParser) torn() bool {
	name, value := sse.Field(p.lines.Open())
	return name != "" && (name != "data" || len(bytes.TrimSpace(value)) == 0)
}

func (p *sseParser) endLine(line []byte) (event sseEvent, complete bool, err error) {
	if len(line) == 0 {
		event, complete = p.endEvent()
		return event, complete, nil
	}
	name, value := sse.Field(line)
	switch name {
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
