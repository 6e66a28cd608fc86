// Package sse splits a stream of server-sent events into lines, and lines into fields. What an event is made of, and which
// lines are bad, differs between protocols, so that is theirs.
package sse

import (
	"bytes"
	"errors"
)

// ErrLong is the error of a line that is longer than it may be.
var ErrLong = errors.New("sse: a line is too long")

// Lines is a stream that is split into lines. The zero value is at the start of a stream.
type Lines struct {
	// Most is how many bytes the line that comes may have.
	Most int

	line []byte
	// afterCR says that a line feed that comes next belongs to the line before.
	afterCR, begun bool
}

// Feed takes the next bytes, and calls each with every line that they complete. A line ends with CR, LF or both, which are
// no part of it, and neither is the mark of the byte order at the start of a stream. The line is good during the call. An
// error of each ends Feed. After an error, the stream is over.
func (l *Lines) Feed(data []byte, each func(line []byte) error) error {
	for len(data) > 0 {
		if l.afterCR {
			l.afterCR = false
			if data[0] == '\n' {
				data = data[1:]
				continue
			}
		}
		end := bytes.IndexAny(data, "\r\n")
		ends := end >= 0
		if !ends {
			end = len(data)
		}
		if l.line = append(l.line, data[:end]...); len(l.line) > l.Most {
			return ErrLong
		}
		if !ends {
			return nil
		}
		l.afterCR = data[end] == '\r'
		data = data[end+1:]
		if err := l.End(each); err != nil {
			return err
		}
	}
	return nil
}

// End calls each with the line that is not complete, as if it were.
func (l *Lines) End(each func(line []byte) error) error {
	line := l.line
	l.line = l.line[:0]
	if !l.begun {
		l.begun = true
		line = bytes.TrimPrefix(line, []byte("\ufeff"))
	}
	return each(line)
}

// Open returns the line that is not complete.
func (l *Lines) Open() []byte { return l.line }

// Field returns the name and the value of a line. A comment has the name "".
func Field(line []byte) (name string, value []byte) {
	before, value, _ := bytes.Cut(line, []byte(":"))
	return string(before), bytes.TrimPrefix(value, []byte(" "))
}
