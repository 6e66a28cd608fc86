package protocol

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// scanner walks over JSON without making anything of it. A client posts its whole list
// with every request, and of that only the end is taken: encoding/json would look at each
// byte seven times.
type scanner struct {
	text  string
	at    int
	depth int
}

var errJSON = errors.New("not JSON")

// maxDepth is how deep values may be nested, as in encoding/json.
const maxDepth = 10_000

// space passes over white space and returns the byte behind it, 0 at the end.
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

// take passes over one byte behind white space.
func (s *scanner) take(c byte) error {
	if s.space() != c {
		return fmt.Errorf("%w at byte %d", errJSON, s.at)
	}
	s.at++
	return nil
}

// value passes over a value and returns its text.
func (s *scanner) value() (string, error) {
	c, start := s.space(), s.at
	var err error
	switch {
	case c == '{':
		err = s.fields(func(string, string) error { return nil })
	case c == '[':
		err = s.elements(func(string) error { return nil })
	case c == '"':
		err = s.quoted()
	default:
		for s.at < len(s.text) && !strings.ContainsRune(",]} \t\n\r", rune(s.text[s.at])) {
			s.at++
		}
		if !json.Valid([]byte(s.text[start:s.at])) {
			err = fmt.Errorf("%w at byte %d", errJSON, start)
		}
	}
	return s.text[start:s.at], err
}

// quoted passes over a string.
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

// escape passes over all but the last byte of an escape.
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

// fields passes over an object and calls f with each name and value.
func (s *scanner) fields(f func(name, value string) error) error {
	return s.list('{', '}', func() error {
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

// elements passes over a list and calls f with each element.
func (s *scanner) elements(f func(element string) error) error {
	return s.list('[', ']', func() error {
		element, err := s.value()
		if err != nil {
			return err
		}
		return f(element)
	})
}

func (s *scanner) list(open, end byte, each func() error) error {
	if s.depth++; s.depth > maxDepth {
		return fmt.Errorf("%w: nested too deep", errJSON)
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
		if err := each(); err != nil {
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

// lift takes the value at a path of names out of an object: it returns the object with
// something else in its place, and the value. Where there is no such value, or no such
// object, the text stays what it is.
func lift(text, instead string, path ...string) (rest, value string) {
	s := &scanner{text: text}
	rest = text
	err := s.fields(func(name, v string) error {
		if name != path[0] {
			return nil
		}
		from := s.at - len(v)
		if len(path) > 1 {
			v, value = lift(v, instead, path[1:]...)
		} else {
			v, value = instead, v
		}
		rest = text[:from] + v + text[s.at:]
		return errFound
	})
	if !errors.Is(err, errFound) {
		return text, ""
	}
	return rest, value
}

// field returns the value of an object's first field of a name, or "".
func field(text, name string) (value string) {
	_ = (&scanner{text: text}).fields(func(n, v string) error { // what is no object has no field
		if n != name {
			return nil
		}
		value = v
		return errFound
	})
	return value
}

var errFound = errors.New("found")

// unquote returns what a JSON string that was scanned says.
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

// unescaped is what the letter of an escape stands for.
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
