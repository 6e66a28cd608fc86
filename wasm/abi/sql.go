package abi

import (
	"bytes"
	"fmt"

	"github.com/vmihailenco/msgpack/v5/msgpcode"

	"github.com/tributary-agents/tributary/durable"
)

// Statement is what the guest passes to the import sql.
type Statement struct {
	SQL  string
	Args []any
}

// Result is what sql returns: rows, or an error text.
type Result struct {
	Error string
	Rows  []durable.Row
}

// Encode returns the bytes of s: a list of the text and the list of arguments.
func (s Statement) Encode() []byte { return s.Append(nil) }

// Append appends the bytes of s to b.
func (s Statement) Append(b []byte) []byte { return encode(b, s.fields) }

// DecodeStatement decodes the bytes of [Statement.Encode]. Its error wraps [ErrMalformed].
func DecodeStatement(data []byte) (Statement, error) {
	var s Statement
	err := decode(data, s.fields)
	return s, err
}

func (s *Statement) fields(c *codec) {
	c.fixed(2)
	text(c, &s.SQL)
	list(c, &s.Args, value)
}

// Encode returns the bytes of r: a list of the error and the list of rows, each
// a list of values.
func (r Result) Encode() []byte { return encode(nil, r.fields) }

// DecodeResult decodes the bytes of [Result.Encode] or of a host in another language. Its error
// wraps [ErrMalformed].
func DecodeResult(data []byte) (Result, error) {
	var r Result
	err := decode(data, r.fields)
	return r, err
}

func (r *Result) fields(c *codec) {
	c.fixed(2)
	text(c, &r.Error)
	list(c, &r.Rows, func(c *codec, row *durable.Row) { list(c, (*[]any)(row), value) })
}

// value walks one SQL value: nil, an integer, a float, a text or a blob. JavaScript has one kind of
// number, and writes whole numbers as integers.
func value(c *codec, v *any) {
	if c.err != nil {
		return
	}
	if c.enc == nil {
		*v, c.err = readValue(c)
		return
	}
	switch v := (*v).(type) {
	case nil:
		c.err = c.enc.EncodeNil()
	case int:
		c.err = c.enc.EncodeInt(int64(v))
	case int64:
		c.err = c.enc.EncodeInt(v)
	case bool:
		n := int64(0)
		if v {
			n = 1
		}
		c.err = c.enc.EncodeInt(n)
	case float64:
		c.err = c.enc.EncodeFloat64(v)
	case string:
		c.err = c.enc.EncodeString(v)
	case []byte:
		c.err = c.enc.EncodeBytes(v)
	default:
		c.err = fmt.Errorf("%T is no value of SQL", v)
	}
}

func readValue(c *codec) (any, error) {
	code, err := c.dec.PeekCode()
	switch {
	case err != nil:
		return nil, err
	case code == msgpcode.Nil:
		return nil, c.dec.DecodeNil()
	case code == msgpcode.Float, code == msgpcode.Double:
		return c.dec.DecodeFloat64()
	case msgpcode.IsString(code):
		b, err := c.bytes()
		return string(b), err
	case msgpcode.IsBin(code):
		b, err := c.bytes()
		return bytes.Clone(b), err
	case isInteger(code):
		return readInteger(c)
	}
	return nil, fmt.Errorf("code %#x is no value of SQL", code)
}
