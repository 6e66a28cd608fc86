package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tributary-agents/tributary/durable/limit"
)

// scanner scans JSON without building values. A client posts its whole list with every request, and
// only the end of it is used; encoding/json would read each byte seven times.
type scanner struct {
	text  string
	at    int
	depth int
	// elements counts the list elements and object fields that were scanned. A number that takes long to decode
	// counts as many, see [limit.NumberCost].
	elements int
}

var (
	errJSON    = errors.New("not JSON")
	errDeep    = errors.New("nested too deep")
	errNumbers = errors.New("numbers that take too long to read")
)

// space skips white space and returns the next byte, or 0 at the end.
func (s *scanner) space() byte {
	for ; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\n', '\r':
		default:
			return c
		}
	}
	return 0
}

// take skips white space and then the byte c.
func (s *scanner) take(c byte) error {
	if s.space() != c {
		return fmt.Errorf("%w at byte %d", errJSON, s.at)
	}
	s.at++
	return nil
}

// value scans a value and returns its text.
func (s *scanner) value() (string, error) {
	c, start := s.space(), s.at
	var err error
	switch {
	case c == '{':
		err = s.fields(passField)
	case c == '[':
		err = s.list('[', ']', passOver)
	case c == '"':
		err = s.quoted()
	default:
		err = s.plain()
	}
	return s.text[start:s.at], err
}

func passField(string, string) error { return nil }

func passOver(s *scanner) error {
	_, err := s.value()
	return err
}

// plain scans a number, or a name such as null. Most of them are whole numbers.
func (s *scanner) plain() error {
	start, digits := s.at, true
	for ; s.at < len(s.text) && strings.IndexByte(",]} \t\n\r", s.text[s.at]) < 0; s.at++ {
		digits = digits && '0' <= s.text[s.at] && s.text[s.at] <= '9'
	}
	text := s.text[start:s.at]
	s.elements += limit.NumberCost(text) - 1
	if digits && text != "" && (text[0] != '0' || len(text) == 1) {
		return nil
	}
	if !json.Valid([]byte(text)) {
		return fmt.Errorf("%w at byte %d", errJSON, start)
	}
	return nil
}

// end checks that nothing but white space follows.
func (s *scanner) end() error {
	if s.space(); s.at < len(s.text) {
		return fmt.Errorf("%w at byte %d", errJSON, s.at)
	}
	return nil
}

// quoted scans a string.
func (s *scanner) quoted() error {
	start := s.at
	for s.at++; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '"':
			s.at++
			return nil
		case c < 0x20:
			return fmt.Errorf("%w at byte %d", errJSON, s.at)
		case c == '\\':
			if s.at++; s.at == len(s.text) || !s.escape() {
				return fmt.Errorf("%w at byte %d", errJSON, s.at)
			}
		}
	}
	return fmt.Errorf("%w: a text without end at byte %d", errJSON, start)
}

// escape scans all but the last byte of an escape.
func (s *scanner) escape() bool {
	if s.text[s.at] != 'u' {
		return strings.IndexByte(`"\/bfnrt`, s.text[s.at]) >= 0
	}
	if len(s.text)-s.at < 5 {
		return false
	}
	_, ok := unhex(s.text[s.at+1 : s.at+5])
	s.at += 4
	return ok
}

// fields passes over an object and calls f with each name and value. Inlined, it would make the
// module larger by a copy for each caller.
//
//go:noinline
func (s *scanner) fields(f func(name, value string) error) error {
	return s.list('{', '}', func(s *scanner) error {
		if s.space() != '"' {
			return fmt.Errorf("%w at byte %d", errJSON, s.at)
		}
		name, err := s.value()
		if err != nil {
			return err
		}
		if err := s.take(':'); err != nil {
			return err
		}
		value, err := s.value()
		if err != nil {
			return err
		}
		return f(name[1:len(name)-1], value)
	})
}

// list scans a list or an object and calls each at the beginning of every element or field.
func (s *scanner) list(open, end byte, each func(*scanner) error) error {
	if s.depth++; s.depth > limit.Depth {
		return errDeep
	}
	defer func() { s.depth-- }()
	if err := s.take(open); err != nil {
		return err
	}
	if s.space() == end {
		s.at++
		return nil
	}
	for {
		s.elements++
		if err := each(s); err != nil {
			return err
		}
		if s.space() == end {
			s.at++
			return nil
		}
		if err := s.take(','); err != nil {
			return err
		}
	}
}

// field returns the value of an object's first field of a name, or "".
func field(text, name string) (value string) {
	_ = (&scanner{text: text}).fields(func(n, v string) error { // a value that is no object has no fields
		if n != name {
			return nil
		}
		value = v
		return errFound
	})
	return value
}

var errFound = errors.New("found")

// unquote returns the content of a JSON string that was scanned.
func unquote(s string) string {
	s = s[1 : len(s)-1]
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for {
		plain, rest, escaped := strings.Cut(s, `\`)
		b.WriteString(plain)
		if !escaped {
			return b.String()
		}
		if rest[0] != 'u' {
			b.WriteByte(unescaped(rest[0]))
			s = rest[1:]
			continue
		}
		r, _ := unhex(rest[1:5])
		s = rest[5:]
		if utf16.IsSurrogate(r) {
			low, ok := rune(0), false
			if len(s) >= 6 && s[:2] == `\u` {
				low, ok = unhex(s[2:6])
			}
			if r = utf16.DecodeRune(r, low); ok && r != utf8.RuneError {
				s = s[6:]
			}
		}
		b.WriteRune(r)
	}
}

// unescaped returns the byte that the letter of an escape stands for.
func unescaped(letter byte) byte {
	switch letter {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return letter
}

func unhex(digits string) (r rune, ok bool) {
	for _, c := range []byte(digits) {
		i := strings.IndexByte("0123456789abcdefABCDEF", c)
		if i < 0 {
			return 0, false
		}
		if i > 15 {
			i -= 6
		}
		r = r<<4 | rune(i)
	}
	return r, true
}
