package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/tributary-agents/tributary/durable/limit"
)

// scale is how much of a JSON value is kept: bytes of a string, elements of a list, and fields of
// an object.
type scale struct{ text, items, fields int }

// scales are tried one after another, until the result is small enough.
var scales = []scale{{2048, 64, 256}, {256, 16, 256}, {32, 4, 64}, {8, 1, 16}}

// shorten returns a JSON value of the same shape that has at most limit bytes. It cuts strings off
// with a note, and ends lists and objects early. If the result is still too long, a short note
// replaces the whole value. What is left out is scanned and not decoded: it may be 100,000 values.
func shorten(raw json.RawMessage, limit int) json.RawMessage {
	text := string(raw)
	for _, s := range scales {
		in := shortener{scale: s, in: scanner{text: text}, limit: limit}
		err := in.value()
		if err == nil && len(in.out) <= limit {
			return in.out
		}
		if err != nil && !errors.Is(err, errLong) {
			break
		}
	}
	return AppendQuoted(nil, fmt.Sprintf("(%d bytes were left out here)", len(raw)))
}

// shortener shortens a value to a scale.
type shortener struct {
	scale
	in    scanner
	out   []byte
	limit int
}

// errLong says that a value is too long at a scale.
var errLong = errors.New("too long")

// value appends the next value, shortened.
func (s *shortener) value() error {
	if len(s.out) > s.limit {
		return errLong
	}
	switch s.in.space() {
	case '{':
		return s.elements('{', '}', s.fields)
	case '[':
		return s.elements('[', ']', s.items)
	case '"':
		text, err := s.in.value()
		if err == nil {
			s.out = AppendQuoted(s.out, CutOff(unquote(text), s.text))
		}
		return err
	}
	text, err := s.in.value()
	s.out = append(s.out, text...)
	return err
}

// elements appends the first elements of a list or the first fields of an object, and passes over the others.
func (s *shortener) elements(open, end byte, most int) error {
	s.out = append(s.out, open)
	n := 0
	err := s.in.list(open, end, func(in *scanner) error {
		take := s.value
		if n++; n > most {
			take = func() error { return passOver(in) }
		} else if n > 1 {
			s.out = append(s.out, ',')
		}
		if open == '{' {
			if in.space() != '"' {
				return errJSON
			}
			if err := take(); err != nil {
				return err
			}
			if err := in.take(':'); err != nil {
				return err
			}
			if n <= most {
				s.out = append(s.out, ':')
			}
		}
		return take()
	})
	s.out = append(s.out, end)
	return err
}

// CutOff cuts a text that is too long, between runes, and adds a note.
func CutOff(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	end := limit
	for end > 0 && end > limit-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return fmt.Sprintf("%s… (cut off here, %d bytes in all)", text[:end], len(text))
}

// CutOffQuoted is [CutOff] with a limit on the size of the text as JSON.
func CutOffQuoted(text string, limit int) string {
	if 6*len(text) <= limit {
		return text
	}
	size := 0
	for at, r := range text {
		if size += quotedSize(r, text[at]); size > limit {
			return fmt.Sprintf("%s… (cut off here, %d bytes in all)", text[:at], len(text))
		}
	}
	return text
}

// quotedSize returns the most bytes that a rune takes in JSON.
func quotedSize(r rune, first byte) int {
	switch {
	case first == '"' || first == '\\':
		return 2
	case first < 0x20, r == utf8.RuneError, r == '\u2028', r == '\u2029':
		return 6
	}
	return utf8.RuneLen(r)
}

// Check says why a text is not JSON that may be shown. A client posts the text back in a frame,
// where it is nested deeper. Numbers that take too long to decode are refused, because an author's code decodes them.
func Check(text []byte) error {
	s := &scanner{text: string(text), depth: limit.Depth / 2}
	if _, err := s.value(); err != nil {
		return err
	}
	if s.elements > Limits.Elements { // each takes a byte, so these are numbers
		return errNumbers
	}
	return s.end()
}
