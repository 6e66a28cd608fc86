package mcp

import (
	"strings"
	"unicode/utf8"
)

// Limits of one message, in either direction. MaxMessage is in bytes. MaxValues counts all values of a
// message, also those inside others, and MaxDepth says how deep they may be nested.
const (
	MaxMessage = 1 << 20
	MaxValues  = 20_000
	MaxDepth   = 256
)

// failure is an error that is a constant.
type failure string

func (f failure) Error() string { return string(f) }

// The errors of [Parse].
const (
	ErrJSON      failure = "mcp: not JSON"
	ErrTooLarge  failure = "mcp: the JSON has more than 1 MiB"
	ErrTooMany   failure = "mcp: the JSON has more than 20,000 values"
	ErrTooDeep   failure = "mcp: the JSON is nested deeper than 256 levels"
	ErrDuplicate failure = "mcp: an object has two fields of one name"
)

// Parse reads a JSON text in UTF-8. Two fields of one name are refused, because two readers could take
// a different one each.
func Parse(data []byte) (Value, error) {
	if len(data) > MaxMessage {
		return Value{}, ErrTooLarge
	}
	if !utf8.Valid(data) {
		return Value{}, ErrJSON
	}
	p := parser{text: string(data)}
	v, err := p.value(1)
	if err == nil && p.space() != 0 {
		err = ErrJSON
	}
	if err != nil {
		return Value{}, err
	}
	return v, nil
}

type parser struct {
	text   string
	at     int
	values int
}

// space skips white space and returns the next byte, or 0 at the end.
func (p *parser) space() byte {
	for ; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; c {
		case ' ', '\t', '\n', '\r':
		case 0:
			return 1 // is no JSON, and not the end
		default:
			return c
		}
	}
	return 0
}

func (p *parser) value(depth int) (Value, error) {
	if p.values++; p.values > MaxValues {
		return Value{}, ErrTooMany
	}
	if depth > MaxDepth {
		return Value{}, ErrTooDeep
	}
	c := p.space()
	v := &node{}
	var err error
	start := p.at
	switch c {
	case '{':
		err = p.list(v, '}', depth)
	case '[':
		err = p.list(v, ']', depth)
	case '"':
		err = p.quoted()
	case 't':
		err = p.word("true")
	case 'f':
		err = p.word("false")
	case 'n':
		err = p.word("null")
	default:
		err = p.number()
	}
	v.text = p.text[start:p.at]
	return Value{v}, err
}

// list reads a list, or the fields of an object.
func (p *parser) list(v *node, end byte, depth int) error {
	var seen map[string]bool
	p.at++
	if p.space() == end {
		p.at++
		return nil
	}
	for {
		if end == '}' {
			name, err := p.name()
			if err != nil {
				return err
			}
			if seen, err = note(seen, v.names, name); err != nil {
				return err
			}
			v.names = append(v.names, name)
		}
		item, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		v.items = append(v.items, item)
		switch p.space() {
		case ',':
			p.at++
		case end:
			p.at++
			return nil
		default:
			return ErrJSON
		}
	}
}

// few is the number of names that are compared one by one.
const few = 16

// note refuses a name that is among the names before it. A map of them is made when they are many.
func note(seen map[string]bool, before []string, name string) (map[string]bool, error) {
	if len(before) < few {
		for _, n := range before {
			if n == name {
				return nil, ErrDuplicate
			}
		}
		return nil, nil
	}
	if seen == nil {
		seen = make(map[string]bool, 2*few)
		for _, n := range before {
			seen[n] = true
		}
	}
	if seen[name] {
		return nil, ErrDuplicate
	}
	seen[name] = true
	return seen, nil
}

// name reads a field's name and the colon behind it.
func (p *parser) name() (string, error) {
	if p.space() != '"' {
		return "", ErrJSON
	}
	start := p.at
	if err := p.quoted(); err != nil {
		return "", err
	}
	name := unquote(p.text[start:p.at])
	if p.space() != ':' {
		return "", ErrJSON
	}
	p.at++
	return name, nil
}

func (p *parser) quoted() error {
	for p.at++; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == '"':
			p.at++
			return nil
		case c < 0x20:
			return ErrJSON
		case c == '\\':
			if p.at++; !p.escape() {
				return ErrJSON
			}
		}
	}
	return ErrJSON
}

// escape passes over all but the last byte of an escape.
func (p *parser) escape() bool {
	if p.at >= len(p.text) || p.text[p.at] != 'u' {
		return p.at < len(p.text) && strings.IndexByte(`"\/bfnrt`, p.text[p.at]) >= 0
	}
	if len(p.text)-p.at < 5 {
		return false
	}
	for _, c := range []byte(p.text[p.at+1 : p.at+5]) {
		if strings.IndexByte("0123456789abcdefABCDEF", c) < 0 {
			return false
		}
	}
	p.at += 4
	return true
}

func (p *parser) word(w string) error {
	if !strings.HasPrefix(p.text[p.at:], w) {
		return ErrJSON
	}
	p.at += len(w)
	return nil
}

func (p *parser) number() error {
	p.skip('-')
	if !p.skip('0') && !p.digits() {
		return ErrJSON
	}
	if p.skip('.') && !p.digits() {
		return ErrJSON
	}
	if p.skip('e') || p.skip('E') {
		if !p.skip('+') {
			p.skip('-')
		}
		if !p.digits() {
			return ErrJSON
		}
	}
	return nil
}

func (p *parser) skip(c byte) bool {
	ok := p.at < len(p.text) && p.text[p.at] == c
	if ok {
		p.at++
	}
	return ok
}

func (p *parser) digits() bool {
	start := p.at
	for p.at < len(p.text) && '0' <= p.text[p.at] && p.text[p.at] <= '9' {
		p.at++
	}
	return p.at > start
}
